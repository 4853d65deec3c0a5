import GRDB
import HubModel

/// Device cursors, counters and lanes: a checkpoint is one transaction.
final class StateFile {
    /// The file's name.
    static let name = "state.sqlite"

    let limits: StoreLimits
    let file: SQLiteFile
    /// Bytes of cursors in the journal.
    var journalBytes = 0
    /// Bytes of cursors in chunks.
    var chunkBytes = 0
    /// The journal's way into chunks; nil while it may grow.
    var merging: JournalMerging?
    /// The last block of notifications that has a row of counters; nil when none has.
    private var lastCounted: UInt64?
    /// The number of the last checkpoint.
    private(set) var batch: UInt64 = 0
    /// Below it no notification has counters.
    private(set) var floor: UInt64 = 0

    /// Every table of the file.
    static let tables: [any AnyStoredTable] =
        [
            journalTable, chunkTable, counterTable, metaTable,
        ] + laneTables

    /// The last checkpoint, and the place below which no notification has counters.
    private static let metaTable = StoredTable<(batch: UInt64, floor: UInt64)>(
        "meta",
        of: "meta",
        [.one, .integer("batch"), .integer("floor")],
        hasChecksum: false,
        encode: { meta in [.integer(1), .integer(meta.batch), .integer(meta.floor)] },
        decode: { row in (UInt64(bitPattern: row[1]), UInt64(bitPattern: row[2])) },
        audit: { row, _ in row[0] as Int64 == 1 && row[1] as Int64 >= 0 && row[2] as Int64 >= 0 }
    )

    /// Opens or makes the file.
    init(path: String, limits: StoreLimits) throws(StoreError) {
        self.limits = limits
        file = try SQLiteFile(path: path, pageBytes: 4_096, readers: 1, keeping: .durable) {
            database in
            for table in Self.tables { try database.execute(sql: table.creation) }
        }
        (batch, floor) = try file.first(Self.metaTable) ?? (0, 0)
        lastCounted = try lastCounterBlock()
        (journalBytes, chunkBytes) = try cursorBytes()
    }

    /// Makes cursors, counters and lanes durable, once for each batch.
    func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        guard batch.number > self.batch else { return }
        let floor = max(floor, batch.countersFloor)
        let changes = batch.cursorChanges
        try file.writing { database in
            if !changes.isEmpty { try Self.journalTable.insert(changes, in: database) }
            try Self.add(
                batch.counters,
                stored: lastCounted,
                to: database,
                path: file.path
            )
            try Self.forgetCounters(below: floor, in: database)
            for lane in batch.lanes { try Self.note(lane, in: database) }
            if batch.lanes.contains(where: { !$0.failures.isEmpty }) {
                let most = limits.laneFailuresMax
                try Self.forgetFailures(below: floor, keeping: most, in: database)
            }
            try Self.metaTable.insert((batch.number, floor), in: database, replacing: true)
        }
        self.batch = batch.number
        self.floor = floor
        if let highest = batch.counters.map(\.sequence).max() {
            let block = CounterBlock.number(of: highest)
            lastCounted = max(lastCounted ?? block, block)
        }
        journalBytes += changes.count * CursorBytes.size
        try mergeJournal(steps: 1 + changes.count / limits.mergedCursorsPerStep)
    }

    /// Closes the file.
    func close() { file.close() }
}
