import HubModel
import HubVocabulary

/// Reads of cursors, counters and lanes, as checkpoints store them.
struct ProgressReading {
    let hub: Int64
    let rowsPerPage: Int
    /// Asks the database: a leader on its own connection, others as of one moment.
    let ask: ([PostgresCommand]) throws(StoreError) -> [PostgresRows]

    // MARK: Cursors

    /// Calls `body` with the merged cursor of every device, ascending; `last` is the number of the
    /// last checkpoint.
    func forEachCursor(
        through last: UInt64,
        _ body: (StoredCursor) -> Void
    ) throws(StoreError) {
        var journal = try journal(through: last)
        var chunks = try chunks(try ask([listing])[0])[...]
        while !chunks.isEmpty {
            let page = chunks.prefix(64)
            chunks = chunks.dropFirst(64)
            let cursors = try cursors(of: page.map(\.id))
            for chunk in page { journal.merge(cursors[chunk.id] ?? [], before: chunk.first, body) }
        }
        journal.merge([], before: nil, body)
    }

    /// Lists chunks without their cursors.
    var listing: PostgresCommand {
        PostgresCommand(LogStatements.listChunks) { $0.append(hub) }
    }

    func chunks(_ rows: PostgresRows) throws(StoreError) -> [JournalMerging.Chunk] {
        try decoded { () throws(PostgresError) in
            var chunks: [JournalMerging.Chunk] = []
            for row in 0..<rows.count {
                let first = try rows.bytes(row, 1)
                guard first.count == 16 else { throw .shape("first device of a chunk") }
                chunks.append(
                    JournalMerging.Chunk(
                        id: try rows.integer(row, 0),
                        first: DeviceID(
                            high: UInt64(bigEndian: first),
                            low: UInt64(bigEndian: first.dropFirst(8))
                        ),
                        count: Int(try rows.integer(row, 2)) / CursorBytes.size
                    )
                )
            }
            return chunks
        }
    }

    func cursors(of ids: [Int64]) throws(StoreError) -> [Int64: [StoredCursor]] {
        guard !ids.isEmpty else { return [:] }
        let read = try ask([
            PostgresCommand(LogStatements.readChunks) { values in
                values.append(hub)
                values.append(ids.map { UInt64($0) as UInt64? })
            }
        ])
        return try decoded { () throws(PostgresError) in
            var found: [Int64: [StoredCursor]] = [:]
            for row in 0..<read[0].count {
                let id = try read[0].number(row, 0)
                let bytes = try read[0].checked(row, 1, of: "cursor_chunk", [id])
                guard let cursors = CursorBytes.cursors(bytes) else { throw .shape("chunk \(id)") }
                found[Int64(id)] = cursors
            }
            return found
        }
    }

    func journal(through last: UInt64) throws(StoreError) -> FoldedJournal {
        var all: [CursorChange] = []
        var after: UInt64 = 0
        while true {
            let read = try ask([
                PostgresCommand(LogStatements.readJournal) { values in
                    values.append(hub)
                    values.append(after)
                    values.append(UInt64(rowsPerPage))
                }
            ])
            try decoded { () throws(PostgresError) in
                for row in 0..<read[0].count {
                    after = try read[0].number(row, 0)
                    let bytes = try read[0].checked(row, 1, of: "cursor_journal", [after])
                    guard let changes = CursorBytes.changes(bytes) else {
                        throw .shape("journal \(after)")
                    }
                    if after <= last { all += changes }
                }
            }
            if read[0].count < rowsPerPage || after >= last { return FoldedJournal(all) }
        }
    }

    // MARK: Counters

    /// Calls `body` with all counters, ascending, a block at a time.
    func forEachCounters(
        _ body: ([CounterDelta]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var after: Int64 = -1
        while true {
            let read = try ask([
                PostgresCommand(LogStatements.readAllCounters) { values in
                    values.append(hub)
                    values.append(after)
                    values.append(UInt64(rowsPerPage))
                }
            ])
            let blocks = try decoded { () throws(PostgresError) in try read[0].counterBlocks() }
            for block in blocks { try body(block.all) }
            guard let last = blocks.last, blocks.count == rowsPerPage else { return }
            after = Int64(last.number)
        }
    }
}

extension PostgresRows {
    /// Rows of `counter`.
    func counterBlocks() throws(PostgresError) -> [CounterBlock] {
        var blocks: [CounterBlock] = []
        for row in 0..<count {
            let number = try number(row, 0)
            let bytes = try checked(row, 1, of: "counter", [number])
            guard let block = CounterBlock(number: number, bytes) else {
                throw .shape("counters of block \(number)")
            }
            blocks.append(block)
        }
        return blocks
    }
}
