import HubCluster
package import HubModel
import HubVocabulary

// Device cursors: a journal and chunks. Chunks ascend by device; no device is in two of them.
extension PostgresGroupLog {
    /// Calls `body` with the merged cursor of every device, ascending.
    package func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError) {
        try progress.cursors(through: place.checkpoint) { for cursor in $0 { body(cursor) } }
    }

    /// Reads the journal behind a row.
    package func cursorJournal(behind mark: JournalMark) throws(StoreError) -> JournalNews {
        try progress.news(behind: mark)
    }

    /// The leader's reads of cursors, counters and lanes.
    var progress: ProgressReading {
        ProgressReading(hub: hub, limits: limits) { commands throws(StoreError) in
            try self.session.read(commands)
        }
    }

    /// Goes on merging the journal into chunks, so many steps; begins when it has grown too large.
    ///
    /// A step rewrites the chunks of some thousand devices. Merged rows stay in the journal until
    /// the last step, and few behind it, because merging them again changes nothing. A step that fails is begun anew later.
    func mergeJournal(steps: Int) throws(StoreError) {
        guard var tables = cursors else { return }
        cursors = nil
        if tables.merging == nil,
            tables.journalBytes > max(limits.journalBytesMin, tables.chunkBytes)
        {
            tables.merging = try beginMerging(tables.journalBytes)
        }
        for _ in 0..<steps {
            guard var merging = tables.merging else { break }
            tables.chunkBytes += try step(&merging)
            tables.merging = merging.journal.isOver ? nil : merging
            if merging.journal.isOver { tables.journalBytes -= merging.journal.bytes }
        }
        cursors = tables
    }

    private func beginMerging(_ bytes: Int) throws(StoreError) -> CursorTables.Merging {
        let rows = try session.read([
            PostgresCommand(HeadRow.readLocked) { [hub] in $0.append(hub) }, progress.listing,
        ])
        let last = place.checkpoint
        let merging = JournalMerging(
            last: Int64(clamping: last),
            bytes: bytes,
            journal: try progress.journal(through: last).folded,
            chunks: try progress.chunks(rows[1])
        )
        let step = try decoded { () throws(PostgresError) in
            try rows[0].number(0, HeadRow.mergedColumn)
        }
        return CursorTables.Merging(journal: merging, step: step)
    }

    /// Rewrites some chunks with what the journal has for their devices and for those between them;
    /// by how many bytes they grow.
    private func step(_ merging: inout CursorTables.Merging) throws(StoreError) -> Int {
        let count = limits.mergedCursorsPerStep
        let taken = merging.journal.takeChunks(cursors: count)
        let stored = try progress.cursors(of: taken.map(\.id))
        let old = taken.flatMap { stored[$0.id] ?? [] }
        var merged: [StoredCursor] = []
        let end = merging.journal.end(cursors: count)
        merging.journal.journal.merge(old, before: end) { merged.append($0) }
        merging.journal.isOver = merging.journal.chunks.isEmpty && merging.journal.journal.isEmpty
        _ = try session.once(commands(of: merging, removing: taken.map(\.id), adding: merged))
        merging.step += 1
        return (merged.count - old.count) * CursorBytes.size
    }

    private func commands(
        of merging: CursorTables.Merging,
        removing gone: [Int64],
        adding merged: [StoredCursor]
    ) -> [PostgresCommand] {
        var commands = [session.fenced(LogStatements.merge) { $0.append(merging.step) }]
        if !gone.isEmpty {
            commands.append(
                PostgresCommand(LogStatements.removeChunks) { [hub] values in
                    values.append(hub)
                    values.append(gone.map { UInt64($0) as UInt64? })
                }
            )
        }
        let parts = stride(from: 0, to: merged.count, by: CursorBytes.perChunk).map { start in
            Array(merged[start..<min(start + CursorBytes.perChunk, merged.count)])
        }
        // The step is part of a chunk's number: no two chunks ever have the same.
        let numbers = parts.indices.map { merging.step << 20 | UInt64($0) }
        let bodies = parts.map { CursorBytes.pack($0) }
        if !parts.isEmpty {
            commands.append(
                PostgresCommand(LogStatements.putChunks) { [hub] values in
                    values.append(hub)
                    values.append(numbers.map { $0 as UInt64? })
                    values.append(bodies.map { Array($0.prefix(16)) })
                    values.append(bodies)
                    values.append(
                        zip(bodies, numbers).map { Checksum.stored($0, [$1]) as UInt64? }
                    )
                }
            )
        }
        if merging.journal.isOver {
            commands.append(
                PostgresCommand(LogStatements.trimJournal) { [hub, limits] values in
                    values.append(hub)
                    values.append(merging.journal.last)
                    values.append(UInt64(limits.journalBytesKept))
                }
            )
        }
        return commands
    }
}
