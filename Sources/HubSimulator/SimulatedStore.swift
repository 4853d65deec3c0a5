import HubDirectory
import HubMemory
import HubModel
import HubVocabulary

/// The store as the simulated writer uses it: it is slow, it refuses, and the process ends in the
/// middle of what it does.
struct SimulatedStore: WriterStore {
    unowned let machine: Machine
    let hub: SimulatedHub

    /// The process has not ended.
    private var isRunning: Bool { machine.runs(hub) }

    var bounds: LogBounds { hub.store.bounds }

    func commit(_ group: CommitGroup) -> CommitResult? {
        guard isRunning else { return nil }
        if machine.world.strikes(.crashBeforeCommit, oneIn: 150) {
            machine.crash(hub)
            return nil
        }
        if let cluster = machine.cluster { return cluster.commit(group, hub) }
        if machine.world.mistake == .groupForgotten, machine.world.oneIn(20) {
            return CommitResult()
        }
        if machine.world.strikes(.slowSync, oneIn: 20) {
            hub.inFlight = group
            let waits: [UInt64] = [5_000, 100_000, 900_000, 6_000_000]
            let wait = waits[Int(machine.world.below(4))]
            machine.world.after(wait, .committed(life: hub.life))
            return nil
        }
        return machine.write(group, hub)
    }

    func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        guard isRunning else { return }
        machine.setFaults(hub, records: false)
        if machine.world.strikes(.refusedCheckpoint, oneIn: 6) {
            guard machine.cluster == nil else { throw .unavailable(reason: "drawn") }
            machine.disk.setFaults(MemoryFaults(cursors: .unavailable(reason: "drawn")))
        }
        let crashes = machine.world.strikes(.crashAtCheckpoint, oneIn: 60)
        if crashes, machine.world.oneIn(2) { return machine.crash(hub) }
        defer { if crashes { machine.crash(hub) } }
        try watched { () throws(StoreError) in try hub.store.checkpoint(batch) }
    }

    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        guard isRunning else { return false }
        return try watched { () throws(StoreError) in try hub.store.forgetKeys(before: time) }
    }

    func probe() throws(StoreError) {
        guard isRunning else { return }
        try watched { () throws(StoreError) in try hub.store.probe() }
    }

    func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        guard isRunning, machine.world.plan.trims else { return TidyResult() }
        machine.setFaults(hub, records: false)
        let crashes = machine.world.strikes(.crashAtTrim, oneIn: 100)
        if crashes, machine.world.oneIn(2) {
            machine.crash(hub)
            return TidyResult()
        }
        defer { if crashes { machine.crash(hub) } }
        var now = now
        if machine.world.mistake == .trimmedStillOwed {
            now.time = now.time.adding(seconds: 28 * 86_400)
        }
        let result = try watched { [now] () throws(StoreError) in
            try hub.store.tidy(now: now, retention: retention)
        }
        if let removed = result.removed { machine.trimmed(removed) }
        return result
    }

    /// Has a node whose lead is over end.
    private func watched<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        if let node = hub.node { try machine.cluster?.checkReach(of: node) }
        do throws(StoreError) { return try body() } catch {
            if error == .fenced { machine.cluster?.lead(isLostOf: hub) }
            throw error
        }
    }
}
