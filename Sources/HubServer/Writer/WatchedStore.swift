import HubDirectory
import HubModel
import HubVocabulary

/// A hub's store as its writer's loop uses it; `/healthz` hears how it fares.
struct WatchedStore: WriterStore {
    private let store: PromptStore
    private let health: StoreHealth

    init(storage: any HubStorage, health: StoreHealth) {
        store = PromptStore(storage: storage)
        self.health = health
    }

    var bounds: LogBounds { store.bounds }

    func commit(_ group: CommitGroup) -> CommitResult? {
        health.commitBegins()
        let result = store.commit(group)
        health.commitEnded(result?.records ?? result?.changes)
        return result
    }

    func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        do throws(StoreError) {
            try store.checkpoint(batch)
            health.checkpointEnded(nil)
        } catch {
            health.checkpointEnded(error)
            throw error
        }
    }

    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        try store.forgetKeys(before: time)
    }

    func probe() throws(StoreError) {
        health.commitBegins()
        do throws(StoreError) {
            try store.probe()
            health.commitEnded(nil)
        } catch {
            health.commitEnded(error)
            throw error
        }
    }

    func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        try store.tidy(now: now, retention: retention)
    }
}
