import Foundation
import GRDB
import HubModel

/// Device cursors and counters: a checkpoint is one transaction.
///
///     cursor_journal, cursor_chunk              see StateFile+Cursors.swift
///     counter(seq, platform, counts, checksum)  see StateFile+Counters.swift
///     meta(batch, floor)                        the last checkpoint; where counters begin
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
    /// The last notification of which there is a counter.
    private var lastCounted: UInt64 = 0
    /// The number of the last checkpoint.
    private(set) var batch: UInt64 = 0
    private var floor: UInt64 = 0

    /// Opens or makes the file.
    init(path: String, limits: StoreLimits) throws(StoreError) {
        self.limits = limits
        file = try SQLiteFile(path: path, pageBytes: 4_096, readers: 1) { database in
            try database.execute(
                sql: """
                    \(Self.cursorTables)
                    \(Self.counterTables)
                    """
            )
        }
        (batch, floor) = try meta()
        lastCounted = try lastCounterRow()
        (journalBytes, chunkBytes) = try cursorBytes()
    }

    /// Makes cursors and counters durable, once for each batch.
    func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        guard batch.number > self.batch else { return }
        let packed = CursorBytes.pack(batch.cursors[...])
        let floor = max(floor, batch.countersFloor)
        try file.writing { database in
            if !packed.isEmpty {
                let insert = try database.cachedStatement(
                    sql: "INSERT INTO cursor_journal(cursors, checksum) VALUES (?, ?)"
                )
                try insert.execute(arguments: [Data(packed), Checksum.of(bytes: packed)])
            }
            try Self.add(
                batch.counters,
                stored: lastCounted,
                to: database,
                path: file.path
            )
            try Self.forgetCounters(below: floor, in: database)
            try Self.setMeta(batch: batch.number, floor: floor, in: database)
        }
        self.batch = batch.number
        self.floor = floor
        for delta in batch.counters { lastCounted = max(lastCounted, delta.sequence) }
        journalBytes += packed.count
        try mergeJournal(steps: 1 + batch.cursors.count / limits.mergedCursorsPerStep)
    }

    /// Closes the file.
    func close() { file.close() }
}
