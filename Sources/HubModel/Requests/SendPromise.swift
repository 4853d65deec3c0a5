package import HubVocabulary

/// The answer to a send, and the part of its group that must be durable before it holds.
package enum SendPromise {
    /// Holds if the group's records are durable.
    case recorded(Result<HubReply, Refusal>)
    /// Holds if the group's changes are durable.
    case changed(Result<HubReply, Refusal>)
    /// Holds whatever becomes of the group.
    case known(Result<HubReply, Refusal>)
    /// The store could not say whether the key is new: holds whatever becomes of the group.
    case unread(Refusal)

    /// Whether those behind it may be in the same group: their records would be durable although
    /// this one is refused.
    package var mayBeFollowed: Bool {
        switch self {
        case .recorded, .known: true
        case .changed, .unread: false
        }
    }
}

extension SendPromise {
    /// Why the store could not take it, apart from the group's records.
    package func storeRefusal(changes: StoreError?) -> Refusal? {
        switch self {
        case .changed: changes?.refusal
        case .unread(let refusal): refusal
        case .recorded, .known: nil
        }
    }

    /// Returns what the caller is told once the group is settled.
    package func outcome(
        changes: StoreError?,
        records: StoreError?
    ) -> Result<AcceptedSend, Refusal> {
        let (said, error): (Result<HubReply, Refusal>, StoreError?) =
            switch self {
            case .recorded(let result): (result, records)
            case .changed(let result): (result, changes)
            case .known(let result): (result, nil)
            case .unread(let refusal): (.failure(refusal), nil)
            }
        if let error { return .failure(error.refusal) }
        return said.flatMap { reply in
            // A key that stands for anything else stands for another notification.
            guard case .accepted(let id, let sequence) = reply else {
                return .failure(.idempotencyConflict)
            }
            return .success(AcceptedSend(id: id, sequence: sequence))
        }
    }
}
