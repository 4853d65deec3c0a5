import HubDirectory
import HubModel
import HubStore
import HubVocabulary

// What the writer's loop does when all is committed: checkpoints, keys that no longer count, and
// records that are owed to nobody.
extension Simulation {
    /// Ends a turn of the writer.
    func finishTurn(_ hub: SimulatedHub) {
        if let batch = hub.directory.checkpointDue(now: now) {
            setFaults(hub, records: false)
            if strikes(.refusedCheckpoint, oneIn: 6) {
                disk.setFaults(MemoryFaults(cursors: .unavailable(reason: "drawn")))
            }
            let crashes = strikes(.crashAtCheckpoint, oneIn: 60)
            if crashes, oneIn(2) { return crash() }
            do throws(StoreError) {
                try hub.store.checkpoint(batch)
            } catch {
                hub.directory.checkpointFailed(batch, error)
            }
            if crashes { return crash() }
        }
        if let time = hub.directory.keysDue(now: now) {
            do throws(StoreError) {
                let hasMore = try hub.store.forgetKeys(before: time)
                hub.directory.keysForgotten(hasMore: hasMore, now: now)
            } catch {
                hub.directory.forgettingFailed(error)
            }
        }
        guard tidy(hub) else { return }
        if hub.directory.hasWork { wakeWriter() }
    }

    /// One step of the store's housekeeping, when one is due; false when the process ended on the
    /// way.
    private func tidy(_ hub: SimulatedHub) -> Bool {
        guard plan.trims, time >= hub.nextTidying else { return true }
        hub.nextTidying = time + HubDirectory.tidyingMilliseconds * 1_000
        setFaults(hub, records: false)
        let crashes = strikes(.crashAtTrim, oneIn: 100)
        if crashes, oneIn(2) {
            crash()
            return false
        }
        do throws(StoreError) {
            let result = try hub.store.tidy(now: now, retention: hub.directory.retention)
            if let removed = result.removed {
                count(10, removed.count)
                if trace != nil { tell("records \(removed) leave the log") }
                ledger.trim(removed, now: now.time, kept: plan.core.recordsKeptSeconds)
            }
            if !crashes { hub.directory.tidied(result, bounds: hub.store.bounds) }
        } catch {
            hub.directory.tidyingFailed(error)
        }
        if crashes { crash() }
        return !crashes
    }
}
