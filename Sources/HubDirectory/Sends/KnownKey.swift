import HubModel

/// An idempotency key that is not new.
struct KnownKey {
    /// The result of the first request with the key; nil when that was another notification.
    var outcome: StoredKey.Outcome?
    /// The part of a group that must be durable before this may be told.
    var needs: AnswerNeeds
}
