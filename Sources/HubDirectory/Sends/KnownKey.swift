import HubModel
import HubVocabulary

/// An idempotency key that is not new.
struct KnownKey {
    /// The result of the first request with the key; nil when that was another notification.
    var outcome: StoredKey.Outcome?
    /// The part of a group that must be durable before this may be told.
    var needs: AnswerNeeds

    /// The answer to a send with the same key.
    var send: Result<AcceptedSend, Refusal> {
        guard case .sent(let id, let sequence) = outcome else {
            return .failure(.idempotencyConflict)
        }
        return .success(AcceptedSend(id: id, sequence: sequence))
    }

    /// The answer to a send for later with the same key.
    var schedule: Result<ScheduleID, Refusal> {
        guard case .scheduled(let id) = outcome else { return .failure(.idempotencyConflict) }
        return .success(id)
    }
}
