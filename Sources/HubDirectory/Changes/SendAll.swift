package import HubModel
package import HubVocabulary

/// Puts notifications at their places in the log, in this order, over as many groups as they need.
///
/// Waiting requests of others have their turn between these. When the store refuses one, those
/// behind it are refused.
package struct SendAll: HubRequest {
    /// Bytes that one of many drafts takes beside its body, about.
    package static let draftBytes = 512

    /// The drafts, in order.
    package let drafts: [NotificationDraft]

    /// Sends drafts.
    package init(_ drafts: [NotificationDraft]) { self.drafts = drafts }

    /// Nothing bounds how many small ones there are but their bytes.
    package var bodyBytes: Int { drafts.reduce(0) { $0 + $1.weight + Self.draftBytes } }

    /// All of them: their caller waits for the last.
    package var notifications: Int { drafts.count }

    /// Returns the request with the one who waits for what became of each, in their order.
    package func call(
        _ reply: @escaping @Sendable (Result<[Result<AcceptedSend, Refusal>], Refusal>) -> Void
    ) -> HubCall {
        HubCall(.sendAll(SendSequence(drafts, reply: reply)), reply)
    }
}

extension HubState {
    /// Gives as many drafts as the group has room for their places behind its other records.
    ///
    /// Those whose keys are known need no room, but may need a look at the store: they are as many
    /// at most, so that what others ask has its turn.
    func plan(_ sequence: SendSequence, now: Now) {
        var sequence = sequence
        let groupMax = terms.limits.log.groupMax
        while sequence.next < sequence.drafts.count, group.records.count < groupMax,
            sequence.promises.count < groupMax
        {
            let promise = promise(sequence.drafts[sequence.next], now: now)
            sequence.promises.append(promise)
            guard promise.mayBeFollowed else { break }
        }
        group.answers.append(.sendAll(sequence))
    }

    private func promise(_ draft: NotificationDraft, now: Now) -> SendPromise {
        do throws(Refusal) { try draft.requireProperties() } catch {
            return SendPromise(.failure(error), needs: .nothing)
        }
        do throws(StoreError) {
            if let known = try sends.find(draft.idempotency, now: now.time) {
                return SendPromise(known.send, needs: known.needs)
            }
        } catch {
            outbox.tell(.readRefused(error))
            return SendPromise(.failure(error.refusal), needs: .nothing, isUnread: true)
        }
        let record = append(settings.limited(draft))
        let accepted = AcceptedSend(id: record.id, sequence: record.sequence)
        return SendPromise(.success(accepted), needs: .records)
    }
}
