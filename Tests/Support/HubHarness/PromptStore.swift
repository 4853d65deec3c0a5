import HubDirectory
import HubModel
import HubStore
import HubVocabulary

/// A store in memory as a writer's loop uses it, which answers at once.
struct PromptStore: WriterStore {
    let storage: MemoryStore

    var bounds: LogBounds { storage.bounds }

    func commit(_ group: CommitGroup) -> CommitResult? {
        storage.commit(changes: group.changes, records: group.records)
    }

    func checkpoint(_ batch: CheckpointBatch) throws(StoreError) { try storage.checkpoint(batch) }

    func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        try storage.forgetKeys(before: time)
    }

    func probe() throws(StoreError) { try storage.probe() }

    func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        try storage.tidy(now: now, retention: retention)
    }
}
