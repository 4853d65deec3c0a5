package import HubModel
package import HubTables
package import HubVocabulary

// What the store is asked to do between groups.

extension Hub {
    /// Cursors and counters that are due to become durable: nothing, or all that changed.
    package func checkpointDue(now: Now) -> CheckpointBatch? {
        state.progress.checkpointDue(now: now)
    }

    /// All cursors and counters that changed since they were last taken; nil when none did.
    ///
    /// A batch that the store refused comes again, before everything else and unchanged.
    package func checkpoint(now: Now) -> CheckpointBatch? { state.progress.checkpoint(now: now) }

    /// A lane went on; `reply` hears true once that is durable, and false each time when the store
    /// refuses it, which will be due again.
    package func receive(
        _ report: LaneReport,
        _ reply: @escaping @Sendable (Result<Bool, Refusal>) -> Void
    ) {
        state.progress.receive(report, reply)
    }

    /// The store has the last batch.
    package func checkpointed() { state.progress.checkpointed() }

    /// The store refused a batch: it will be due again.
    package func checkpointFailed(_ batch: CheckpointBatch, _ error: StoreError) {
        state.progress.checkpointFailed(batch, error)
    }

    /// Idempotency keys that its start has left to be read, on whatever thread; nil for none.
    ///
    /// Until they come back, new keys are looked up in the store.
    package var unreadKeys: EarlierKeys? { state.sends.unread }

    /// The keys that its start had left are read.
    package func receive(_ keys: EarlierKeys) { state.sends.receive(keys) }

    /// The time before which the store may forget keys; nil while that is not due.
    package func keysDue(now: Now) -> Timestamp? { state.sends.forgettingDue(now: now) }

    /// The store has forgotten keys; when more are left it is due again at once.
    package func keysForgotten(hasMore: Bool, now: Now) {
        if hasMore { state.sends.hasMoreToForget(now: now) }
    }

    /// The store refused to forget keys: it will be due again.
    package func forgettingFailed(_ error: StoreError) {
        state.outbox.tell(.forgettingRefused(error))
    }

    /// Which records and departures the store may remove.
    package var retention: RecordRetention {
        var retention = RecordRetention(
            keptSeconds: limits.log.recordsKeptSeconds,
            purgedSeconds: limits.idempotency.idempotencyKeptSeconds
        )
        retention.departuresKeptSeconds = limits.feedback.departuresKeptSeconds
        retention.departuresMax = limits.feedback.departuresMax
        return retention
    }

    /// The store has done a step; `bounds` is the log's extent since then.
    package func tidied(_ result: TidyResult, bounds: LogBounds) {
        if let removed = result.removed { state.outbox.tell(.recordsRemoved(removed.count)) }
        for part in result.damagedLists { state.outbox.tell(.listsDamaged(part: part)) }
        let warned = settings.logBytesWarned
        for event in state.log.tidied(result, bounds: bounds, warnedAbove: warned) {
            state.outbox.tell(event)
        }
    }

    /// The store refused a step; it will be asked again.
    package func tidyingFailed(_ error: StoreError) { state.outbox.tell(.tidyingRefused(error)) }
}
