import HubCluster
import HubModel

// The way of a group to the database and back.
extension Cluster {
    /// For how long a group waits that was not sent, and one that was.
    private static let waiting: UInt64 = 10_000_000
    private static let resolving: UInt64 = 20_000_000

    /// Takes a group of a process; nil when the answer comes later, or never.
    func commit(_ group: CommitGroup, _ hub: SimulatedHub) -> CommitResult? {
        guard let node = hub.node else { return nil }
        guard node.log?.isOver == false else { return .refused(group, .fenced) }
        let isReached = reaches(node)
        guard !isReached || world.strikes(.slowSync, oneIn: 20) else { return store(group, hub) }
        let isInDoubt = !isReached && world.oneIn(2)
        let patience = isInDoubt ? Self.resolving : Self.waiting
        node.sent = SentGroup(isInDoubt: isInDoubt, givesUpAt: world.time + patience)
        if isInDoubt, world.time >= database.awayUntil, world.oneIn(2) {
            guard let result = store(group, hub) else { return nil }
            node.sent.lost = result
        }
        hub.inFlight = group
        let waits: [UInt64] = [5_000, 100_000, 900_000, 6_000_000]
        world.after(waits[Int(world.below(4))], .committed(life: hub.life))
        return nil
    }

    /// The answer to a group, when the database has it and the process can hear it.
    func answer(to group: CommitGroup, _ hub: SimulatedHub) -> CommitResult? {
        guard let node = hub.node else { return nil }
        if node.sent.outcome == nil {
            if reaches(node) {
                node.sent.outcome = resolve(group, hub, node)
            } else if world.time < node.sent.givesUpAt {
                let next = min(max(node.cutUntil, database.awayUntil), node.sent.givesUpAt)
                world.events.add(.committed(life: hub.life), at: next)
            } else {
                node.sent.outcome = giveUp(group, hub, node)
            }
        }
        guard let outcome = node.sent.outcome, machine.runs(hub) else { return nil }
        guard node.frozenUntil <= world.time else {
            world.events.add(.committed(life: hub.life), at: node.frozenUntil)
            return nil
        }
        node.sent = SentGroup()
        return outcome
    }

    /// Finds out what became of a group, and has it stored where it was not.
    private func resolve(
        _ group: CommitGroup,
        _ hub: SimulatedHub,
        _ node: SimulatedNode
    ) -> CommitResult? {
        if let lost = node.sent.lost {
            guard database.row.holder != node.log?.run else { return lost }
            // Another leads, who has it: that is not this one's to say.
            node.log?.isOver = true
            lead(isLostOf: hub)
            return .refused(group, .fenced)
        }
        // A process that ends in the middle of it leaves nothing on the way.
        hub.inFlight = nil
        defer { hub.inFlight = group }
        return store(group, hub)
    }

    private func giveUp(
        _ group: CommitGroup,
        _ hub: SimulatedHub,
        _ node: SimulatedNode
    ) -> CommitResult {
        guard node.sent.isInDoubt else {
            return .refused(group, .unavailable(reason: "the database is away"))
        }
        if node.sent.lost == nil { leaveOnTheWay(group, node) }
        node.log?.isOver = true
        lead(isLostOf: hub)
        return .refused(group, .fenced)
    }

    /// Has the database and the copy take a group; nil when the process ended on the way.
    private func store(_ group: CommitGroup, _ hub: SimulatedHub) -> CommitResult? {
        world.count(3, group.changes.count << 8 | group.records.count)
        machine.tell(group)
        hub.node?.log?.group = group
        let result = hub.store.commit(changes: group.changes, records: group.records)
        guard machine.runs(hub) else { return nil }
        if (result.records ?? result.changes) == .fenced { lead(isLostOf: hub) }
        if world.strikes(.crashAfterCommit, oneIn: 150) {
            machine.crash(hub)
            return nil
        }
        return result
    }

    /// Refuses what a node asks that does not reach the database.
    func checkReach(of node: SimulatedNode) throws(StoreError) {
        guard reaches(node) else { throw .unavailable(reason: "the database is away") }
    }
}

extension CommitResult {
    /// The refusal of all parts of a group.
    fileprivate static func refused(_ group: CommitGroup, _ error: StoreError) -> CommitResult {
        CommitResult(
            changes: group.changes.isEmpty ? nil : error,
            records: group.records.isEmpty ? nil : error
        )
    }
}
