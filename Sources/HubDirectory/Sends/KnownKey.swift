import HubModel

/// What is known of an idempotency key that is not new.
struct KnownKey {
    /// What the first request with the key became; nil when that was another notification.
    var outcome: StoredKey.Outcome?
    /// What must be durable before this may be told.
    var needs: AnswerNeeds
}
