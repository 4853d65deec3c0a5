import HubModel
import HubVocabulary

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
            try requireProperties(draft)
            if let known = repeated(draft.idempotency, now: now) { return known }
            let record = append(settingsBook.limited(draft), now: now)
            return .recorded(.success(.accepted(record.id, sequence: record.sequence)))
        } catch {
            return .known(.failure(error))
        }
    }

    /// Notes the outcomes of the group's part, and answers when it was the last.
    ///
    /// The remaining drafts wait behind earlier requests of others. When the store has refused one,
    /// the later ones are refused too, so that a caller that sends them again keeps their order.
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
