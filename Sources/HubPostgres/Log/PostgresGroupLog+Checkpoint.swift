package import HubCluster
package import HubModel
import HubVocabulary

// Cursors, counters and lanes: a checkpoint is one transaction.
extension PostgresGroupLog {
    /// Stores cursors, counters and lanes in one transaction, once for each number.
    package func checkpoint(
        _ batch: CheckpointBatch,
        reports: NodeReports
    ) throws(StoreError) {
        guard batch.number > place.checkpoint else { return }
        let before = place
        let after = before.behind(batch, reports)
        let blocks = try blocks(adding: batch.counters)
        let changes = batch.cursorChanges
        let head = session.fenced(LogStatements.checkpoint) { values in
            values.append(before.checkpoint)
            values.append(after.checkpoint)
            values.append(after.countersFloor)
            values.append(after.reports.bytes)
        }
        let commands =
            [head] + journal(changes, number: batch.number) + counters(blocks)
            + [forgetting(below: after.countersFloor)]
            + batch.lanes.flatMap { lanes(of: $0) }
            + (batch.lanes.contains { !$0.failures.isEmpty }
                ? [forgetFailures(below: after.countersFloor)] : [])
        try session.resolve(commands) { found in
            before.verdict(of: found, onCheckpoint: batch.number)
        }
        place = after
        if let last = blocks.last?.number { lastCounted = max(lastCounted ?? last, last) }
        try noteJournal(changes.count)
    }

    /// Goes on with the journal; its sizes are read again after a step that failed.
    private func noteJournal(_ count: Int) throws(StoreError) {
        if cursors == nil {
            let sums = try session.read([
                PostgresCommand(LogStatements.cursorBytes) { [hub] in $0.append(hub) }
            ])
            cursors = try decoded { () throws(PostgresError) in try CursorTables(sums[0]) }
        } else {
            cursors?.journalBytes += count * CursorBytes.size
        }
        try mergeJournal(steps: 1 + count / limits.mergedCursorsPerStep)
    }

    private func journal(_ changes: [CursorChange], number: UInt64) -> [PostgresCommand] {
        guard !changes.isEmpty else { return [] }
        let bytes = CursorBytes.pack(changes)
        return [
            PostgresCommand(LogStatements.putJournal) { [hub] values in
                values.append(hub)
                values.append(number)
                values.append(bytes)
                values.append(Checksum.stored(bytes, [number]))
            }
        ]
    }

    // MARK: Counters

    /// The counters of one notification, by platform and kind.
    package func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        guard sequence >= place.countersFloor else { return [] }
        let number = CounterBlock.number(of: sequence)
        return try blocks([number])[number]?.counters(of: sequence) ?? []
    }

    /// The blocks that deltas change, as they are behind them; ascending.
    private func blocks(
        adding deltas: [CounterDelta]
    ) throws(StoreError) -> [CounterBlock] {
        let added = Dictionary(grouping: deltas) { CounterBlock.number(of: $0.sequence) }
        let numbers = added.keys.sorted()
        // Behind the last block there are no rows yet, and none is looked for.
        let stored = try blocks(numbers.filter { $0 <= lastCounted ?? 0 })
        return numbers.map { number in
            var block = stored[number] ?? CounterBlock(number: number)
            block.add(added[number] ?? [])
            return block
        }
    }

    private func blocks(
        _ numbers: [UInt64]
    ) throws(StoreError) -> [UInt64: CounterBlock] {
        guard !numbers.isEmpty else { return [:] }
        let read = try session.read([
            PostgresCommand(LogStatements.readCounters) { [hub] values in
                values.append(hub)
                values.append(numbers.map { $0 as UInt64? })
            }
        ])
        let blocks = try decoded { () throws(PostgresError) in try read[0].counterBlocks() }
        return Dictionary(uniqueKeysWithValues: blocks.map { ($0.number, $0) })
    }

    private func counters(_ blocks: [CounterBlock]) -> [PostgresCommand] {
        guard !blocks.isEmpty else { return [] }
        return [
            PostgresCommand(LogStatements.putCounters) { [hub] values in
                values.append(hub)
                values.append(blocks.map { $0.number as UInt64? })
                values.append(blocks.map(\.bytes))
                values.append(blocks.map { Checksum.stored($0.bytes, [$0.number]) as UInt64? })
            }
        ]
    }

    private func forgetting(below floor: UInt64) -> PostgresCommand {
        PostgresCommand(LogStatements.forgetCounters) { [hub] values in
            values.append(hub)
            values.append(CounterBlock.number(of: floor))
        }
    }
}
