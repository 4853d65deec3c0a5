import HubDirectory
import HubModel
import HubStore
import HubVocabulary

/// The store as the simulated writer uses it: it is slow, it refuses, and the process ends in the
/// middle of what it does.
struct SimulatedStore: WriterStore {
    unowned let simulation: Simulation
    let hub: SimulatedHub

    /// The process has not ended.
    private var isRunning: Bool { simulation.hub === hub }

    var bounds: LogBounds { hub.store.bounds }

    func commit(_ group: CommitGroup) -> CommitResult? {
        guard isRunning else { return nil }
        if simulation.world.strikes(.crashBeforeCommit, oneIn: 150) {
            simulation.crash()
            return nil
        }
        if simulation.world.mistake == .groupForgotten, simulation.world.oneIn(20) {
            return CommitResult()
        }
        if simulation.world.strikes(.slowSync, oneIn: 20) {
            hub.inFlight = group
            let waits: [UInt64] = [5_000, 100_000, 900_000, 6_000_000]
            let wait = waits[Int(simulation.world.below(4))]
            simulation.world.after(wait, .committed(life: hub.life))
            return nil
        }
        return simulation.write(group, hub)
    }

    func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        guard isRunning else { return }
        simulation.setFaults(hub, records: false)
        if simulation.world.strikes(.refusedCheckpoint, oneIn: 6) {
            simulation.disk.setFaults(MemoryFaults(cursors: .unavailable(reason: "drawn")))
        }
        let crashes = simulation.world.strikes(.crashAtCheckpoint, oneIn: 60)
        if crashes, simulation.world.oneIn(2) { return simulation.crash() }
        defer { if crashes { simulation.crash() } }
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
        guard isRunning, simulation.world.plan.trims else { return TidyResult() }
        simulation.setFaults(hub, records: false)
        let crashes = simulation.world.strikes(.crashAtTrim, oneIn: 100)
        if crashes, simulation.world.oneIn(2) {
            simulation.crash()
            return TidyResult()
        }
        defer { if crashes { simulation.crash() } }
        var now = now
        if simulation.world.mistake == .trimmedStillOwed {
            now.time = now.time.adding(seconds: 28 * 86_400)
        }
        let result = try hub.store.tidy(now: now, retention: retention)
        if let removed = result.removed { simulation.trimmed(removed) }
        return result
    }
}
