import GRDB
import HubModel
import HubVocabulary

// Device cursors: a checkpoint adds a row to the journal, and a journal that grew as large as all
// that is merged goes into chunks, step by step. Chunks ascend by device; no device is in two of them.
// One row per checkpoint costs 45 times less than one per device.
extension StateFile {
    static let journalTable = cursorTable("cursor_journal", CursorBytes.pack, CursorBytes.changes)
    static let chunkTable = cursorTable("cursor_chunk", CursorBytes.pack, CursorBytes.cursors)

    private static func cursorTable<Row>(
        _ name: String,
        _ pack: @escaping @Sendable ([Row]) -> [UInt8],
        _ unpack: @escaping @Sendable ([UInt8]) -> [Row]?
    ) -> StoredTable<[Row]> {
        StoredTable(
            name,
            of: name,
            [.integer("id", "PRIMARY KEY", isChecked: false), .bytes("cursors")],
            encode: { cursors in [.null, .bytes(pack(cursors))] },
            decode: { row in
                guard let cursors = unpack(try row.bytes(at: 1)) else {
                    throw RecordProblem.badField("cursors")
                }
                return cursors
            }
        )
    }

    /// Bytes of cursors in the journal and in chunks.
    func cursorBytes() throws(StoreError) -> (journal: Int, chunks: Int) {
        try file.accessing { database in
            func sum(_ name: String) throws -> Int {
                try Int.fetchOne(
                    database,
                    sql: "SELECT coalesce(sum(length(cursors)), 0) FROM \(name)"
                ) ?? 0
            }
            return (try sum(Self.journalTable.name), try sum(Self.chunkTable.name))
        }
    }

    /// Calls `body` with every cursor, merged by maximum, by device.
    func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError) {
        try file.accessing { database in
            var journal = try journal(in: database, through: .max)
            for chunk in try chunks(in: database) {
                let cursors = try cursors(of: chunk.id, in: database)
                journal.merge(cursors, before: chunk.first, body)
            }
            journal.merge([], before: nil, body)
        }
    }

    // MARK: Merging

    /// Goes on merging the journal into chunks, so many steps; begins when it has grown too large.
    ///
    /// A step rewrites the chunks of some thousand devices. Merged rows stay in the journal until
    /// the last step, because merging them again changes nothing.
    func mergeJournal(steps: Int) throws(StoreError) {
        if merging == nil, journalBytes > max(limits.journalBytesMin, chunkBytes) {
            merging = try file.accessing { database in
                let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM cursor_journal")
                return JournalMerging(
                    last: last ?? 0,
                    bytes: journalBytes,
                    journal: try journal(in: database, through: last ?? 0),
                    chunks: try chunks(in: database)
                )
            }
        }
        for _ in 0..<steps {
            guard var merging else { return }
            // A step that fails leaves nothing behind; the journal is read again for the next one.
            self.merging = nil
            var grown = 0
            try file.writing { database in grown = try step(&merging, in: database) }
            chunkBytes += grown
            if merging.isOver {
                journalBytes -= merging.bytes
            } else {
                self.merging = merging
            }
        }
    }

    /// Rewrites some chunks with what the journal has for their devices and for those between them;
    /// by how many bytes they grow.
    private func step(_ merging: inout JournalMerging, in database: Database) throws -> Int {
        let taken = merging.takeChunks(cursors: limits.mergedCursorsPerStep)
        var old: [StoredCursor] = []
        for chunk in taken {
            old += try cursors(of: chunk.id, in: database)
            try Self.chunkTable.remove(chunk.id, in: database)
        }
        var merged: [StoredCursor] = []
        let end = merging.end(cursors: limits.mergedCursorsPerStep)
        merging.journal.merge(old, before: end) { merged.append($0) }
        for start in stride(from: 0, to: merged.count, by: CursorBytes.perChunk) {
            let end = min(start + CursorBytes.perChunk, merged.count)
            try Self.chunkTable.insert(Array(merged[start..<end]), in: database)
        }
        merging.isOver = merging.chunks.isEmpty && merging.journal.isEmpty
        if merging.isOver {
            try database.execute(
                sql: "DELETE FROM cursor_journal WHERE id <= ?",
                arguments: [merging.last]
            )
        }
        return (merged.count - old.count) * CursorBytes.size
    }

    // MARK: Reading

    private func journal(in database: Database, through last: Int64) throws -> FoldedJournal {
        var all: [CursorChange] = []
        try Self.journalTable.forEach(
            "WHERE id <= ? ORDER BY id",
            [last],
            in: database,
            path: file.path
        ) { all += $0 }
        return FoldedJournal(all)
    }

    private func chunks(in database: Database) throws -> [JournalMerging.Chunk] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT id, substr(cursors, 1, 16), length(cursors) FROM cursor_chunk ORDER BY 2
                """
        )
        var chunks: [JournalMerging.Chunk] = []
        while let row = try rows.next() {
            let first = try row.bytes(at: 1)
            let length: Int64 = row[2]
            guard let first = DeviceID(stored: first) else {
                throw Self.chunkTable.damage(row, path: file.path)
            }
            chunks.append(
                JournalMerging.Chunk(
                    id: row[0],
                    first: first,
                    count: Int(length) / CursorBytes.size
                )
            )
        }
        return chunks
    }

    private func cursors(
        of id: Int64,
        in database: Database
    ) throws -> [StoredCursor] {
        try Self.chunkTable.first("WHERE id = ?", [id], in: database, path: file.path) ?? []
    }
}
