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
    /// The store could not say whether the key is new: holds whatever becomes of the group.
    case unread(Refusal)

    /// Whether those behind it may be in the same group: their records would be durable although
    /// this one is refused.
    fileprivate var mayBeFollowed: Bool {
        switch self {
        case .recorded, .known: true
        case .changed, .unread: false
        }
    }
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
    ///
    /// Those whose keys are known need no room, but may need a look at the store: they are as many
    /// at most, so that what others ask has its turn.
    func plan(_ sequence: SendSequence, now: Now) {
        var sequence = sequence
        while sequence.next < sequence.drafts.count, records.count < limits.groupMax,
            sequence.promises.count < limits.groupMax
        {
            let promise = promise(sequence.drafts[sequence.next], now: now)
            sequence.promises.append(promise)
            guard promise.mayBeFollowed else { break }
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
    /// What is left waits behind what others asked before. When the store has refused something, what
    /// comes behind is refused as well: what a caller sends again then stays in its order.
    func settle(_ sequence: SendSequence, changes: StoreError?, records: StoreError?) {
        var sequence = sequence
        let promises = sequence.promises
        sequence.promises.removeAll()
        var end = records?.refusal
        for promise in promises {
            sequence.outcomes.append(promise.outcome(changes: changes, records: records))
            end = end ?? promise.storeRefusal(changes: changes)
        }
        if let end, !limits.planted.has(.restBehindRefusal) {
            while sequence.next < sequence.drafts.count { sequence.outcomes.append(.failure(end)) }
        }
        if sequence.next < sequence.drafts.count {
            queue.append(.sendRest(sequence))
        } else {
            actions.append(.reply(sequence.token, .success(.acceptedAll(sequence.outcomes))))
        }
    }
}

extension SendPromise {
    /// Why the store could not take it, apart from the group's records.
    fileprivate func storeRefusal(changes: StoreError?) -> Refusal? {
        switch self {
        case .changed: changes?.refusal
        case .unread(let refusal): refusal
        case .recorded, .known: nil
        }
    }

    fileprivate func outcome(
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
