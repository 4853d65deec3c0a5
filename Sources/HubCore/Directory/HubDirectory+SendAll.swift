// Many sends of one request: records in their order, over as many groups as they need.

/// A notification that has its place in the log.
package struct AcceptedSend: Hashable, Sendable {
    /// Its id.
    package var id: NotificationID
    /// Its place.
    package var sequence: UInt64

    /// Makes one of its parts.
    package init(id: NotificationID, sequence: UInt64) {
        self.id = id
        self.sequence = sequence
    }
}

/// What becomes of a send once the store has spoken about its group.
enum SendPromise {
    /// Holds if the group's records are durable.
    case recorded(Result<HubReply, Refusal>)
    /// Holds if the group's changes are durable.
    case changed(Result<HubReply, Refusal>)
    /// Holds whatever becomes of the group.
    case known(Result<HubReply, Refusal>)
}

/// The sends of one command, some of which may be durable already.
struct SendSequence {
    let token: RequestToken
    let drafts: [NotificationDraft]
    /// Of the first ones, in order.
    var outcomes: [Result<AcceptedSend, Refusal>] = []
    /// Of those behind them, which the present group holds.
    var promises: [SendPromise] = []

    init(_ drafts: [NotificationDraft], token: RequestToken) {
        self.drafts = drafts
        self.token = token
        outcomes.reserveCapacity(drafts.count)
    }

    /// The first that no group has taken.
    var next: Int { outcomes.count + promises.count }
}

extension HubDirectory {
    /// Gives as many drafts as the group has room for their places behind its other records.
    func plan(_ sequence: SendSequence, now: Now) {
        var sequence = sequence
        while sequence.next < sequence.drafts.count, records.count < Self.groupMax {
            sequence.promises.append(promise(sequence.drafts[sequence.next], now: now))
        }
        answers.append(.sentAll(sequence))
    }

    private func promise(_ draft: NotificationDraft, now: Now) -> SendPromise {
        do throws(Refusal) {
            let properties = try properties(of: draft)
            if let known = repeated(draft.idempotency, now: now) { return known }
            let record = append(limited(draft), properties, now: now)
            return .recorded(.success(.accepted(record.id, sequence: record.sequence)))
        } catch {
            return .known(.failure(error))
        }
    }

    /// Notes what has become of the group's part, and answers when it was the last.
    ///
    /// When the store has refused it, what comes behind is refused as well: what a caller sends again
    /// then stays in its order.
    func settle(_ sequence: SendSequence, changes: StoreError?, records: StoreError?) {
        var sequence = sequence
        let promises = sequence.promises
        sequence.promises.removeAll()
        for promise in promises {
            sequence.outcomes.append(promise.outcome(changes: changes, records: records))
        }
        if let records {
            while sequence.next < sequence.drafts.count {
                sequence.outcomes.append(.failure(records.refusal))
            }
        }
        if sequence.next < sequence.drafts.count {
            queue.prepend(.sendRest(sequence))
        } else {
            actions.append(.reply(sequence.token, .success(.acceptedAll(sequence.outcomes))))
        }
    }
}

extension SendPromise {
    fileprivate func outcome(
        changes: StoreError?,
        records: StoreError?
    ) -> Result<AcceptedSend, Refusal> {
        let (said, error): (Result<HubReply, Refusal>, StoreError?) =
            switch self {
            case .recorded(let result): (result, records)
            case .changed(let result): (result, changes)
            case .known(let result): (result, nil)
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
