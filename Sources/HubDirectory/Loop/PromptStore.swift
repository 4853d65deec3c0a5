package import HubModel
package import HubVocabulary

/// A store that answers a commit at once, as a writer's loop uses it.
package struct PromptStore: WriterStore {
    private let storage: any HubStorage

    /// The store over what keeps a hub.
    package init(storage: any HubStorage) { self.storage = storage }

    package var bounds: LogBounds { storage.bounds }

    package func commit(_ group: CommitGroup) -> CommitResult? {
        storage.commit(changes: group.changes, records: group.records)
    }

    package func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        try storage.checkpoint(batch)
    }

    package func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        try storage.forgetKeys(before: time)
    }

    package func probe() throws(StoreError) { try storage.probe() }

    package func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        try storage.tidy(now: now, retention: retention)
    }
}
