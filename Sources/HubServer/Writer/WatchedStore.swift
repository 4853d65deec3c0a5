import HubDirectory
import HubModel
import HubVocabulary

/// A hub's store as its writer's loop uses it; `/healthz` hears how it fares.
struct WatchedStore: WriterStore {
    let storage: any HubStorage
    let health: StoreHealth

    var bounds: LogBounds { storage.bounds }

    func commit(_ group: CommitGroup) -> CommitResult? {
        health.commitBegins()
        let result = storage.commit(changes: group.changes, records: group.records)
        health.commitEnded(result.records ?? result.changes)
        return result
    }

    func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        do throws(StoreError) {
            try storage.checkpoint(batch)
            health.checkpointEnded(nil)
        } catch {
            health.checkpointEnded(error)
            throw error
        }
    }

    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        try storage.forgetKeys(before: time)
    }

    func probe() throws(StoreError) {
        health.commitBegins()
        do throws(StoreError) {
            try storage.probe()
            health.commitEnded(nil)
        } catch {
            health.commitEnded(error)
            throw error
        }
    }

    func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        try storage.tidy(now: now, retention: retention)
    }
}
