import HubDirectory
import HubModel
import HubStore
import HubVocabulary

/// The store as the simulated writer uses it: it is slow, it refuses, and the process ends in the
/// middle of what it does.
struct SimulatedStore: WriterStore {
    unowned let machine: Machine
    let hub: SimulatedHub

    /// The process has not ended.
    private var isRunning: Bool { machine.hub === hub }

    var bounds: LogBounds { hub.store.bounds }

    func commit(_ group: CommitGroup) -> CommitResult? {
        guard isRunning else { return nil }
        if machine.world.strikes(.crashBeforeCommit, oneIn: 150) {
            machine.crash()
            return nil
        }
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
            machine.disk.setFaults(MemoryFaults(cursors: .unavailable(reason: "drawn")))
        }
        let crashes = machine.world.strikes(.crashAtCheckpoint, oneIn: 60)
        if crashes, machine.world.oneIn(2) { return machine.crash() }
        defer { if crashes { machine.crash() } }
        try hub.store.checkpoint(batch)
    }

    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        guard isRunning else { return false }
        return try hub.store.forgetKeys(before: time)
    }

    func probe() throws(StoreError) {
        guard isRunning else { return }
        try hub.store.probe()
    }

    func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        guard isRunning, machine.world.plan.trims else { return TidyResult() }
        machine.setFaults(hub, records: false)
        let crashes = machine.world.strikes(.crashAtTrim, oneIn: 100)
        if crashes, machine.world.oneIn(2) {
            machine.crash()
            return TidyResult()
        }
        defer { if crashes { machine.crash() } }
        var now = now
        if machine.world.mistake == .trimmedStillOwed {
            now.time = now.time.adding(seconds: 28 * 86_400)
        }
        let result = try hub.store.tidy(now: now, retention: retention)
        if let removed = result.removed { machine.trimmed(removed) }
        return result
    }
}
