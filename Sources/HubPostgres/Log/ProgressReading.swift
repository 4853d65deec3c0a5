import HubModel
import HubVocabulary

/// Reads of cursors, counters and lanes, as checkpoints store them.
struct ProgressReading {
    /// Chunks that are read at once.
    private static let chunksPerPage = 64

    let hub: Int64
    let limits: PostgresLogLimits
    /// Asks the database: a leader on its own connection, others as of one moment.
    let ask: ([PostgresCommand]) throws(StoreError) -> [PostgresRows]

    // MARK: Cursors

    /// Calls `body` with the merged cursors of all devices, ascending, some thousand at once, and with
    /// none while the journal is read; `last` is the number of the last checkpoint.
    ///
    /// - Returns: the last row of the journal up to there.
    @discardableResult
    func cursors(
        through last: UInt64,
        _ body: ([StoredCursor]) throws(StoreError) -> Void
    ) throws(StoreError) -> JournalMark? {
        var (journal, mark) = try journal(through: last) { () throws(StoreError) in try body([]) }
        var chunks = try chunks(try ask([listing])[0])[...]
        var merged: [StoredCursor] = []
        while !chunks.isEmpty {
            let page = chunks.prefix(Self.chunksPerPage)
            chunks = chunks.dropFirst(Self.chunksPerPage)
            let stored = try cursors(of: page.map(\.id))
            for chunk in page {
                journal.merge(stored[chunk.id] ?? [], before: chunk.first) { merged.append($0) }
                guard merged.count >= limits.mergedCursorsPerStep else { continue }
                try body(merged)
                merged.removeAll(keepingCapacity: true)
            }
        }
        if !merged.isEmpty { try body(merged) }
        while !journal.isEmpty {
            merged.removeAll(keepingCapacity: true)
            let end = journal.device(ahead: limits.mergedCursorsPerStep)
            journal.merge([], before: end) { merged.append($0) }
            try body(merged)
        }
        return mark
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
                    values.append(UInt64(limits.rowsPerPage))
                }
            ])
            let blocks = try decoded { () throws(PostgresError) in try read[0].counterBlocks() }
            for block in blocks { try body(block.all) }
            guard let last = blocks.last, blocks.count == limits.rowsPerPage else { return }
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
