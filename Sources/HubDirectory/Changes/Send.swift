package import HubModel
package import HubVocabulary

/// Puts a notification at its place in the log.
package struct Send: HubChange {
    /// The draft.
    package let draft: NotificationDraft

    /// Sends a draft.
    package init(_ draft: NotificationDraft) { self.draft = draft }

    /// Bytes of the draft, about.
    package var bodyBytes: Int { draft.weight }

    /// One.
    package var notifications: Int { 1 }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<AcceptedSend> {
        do throws(Refusal) {
            try draft.requireProperties()
            let known = try hub.outbox.reading { () throws(StoreError) in
                try hub.sends.find(draft.idempotency, now: now.time)
            }
            if let known { return PlannedAnswer(known.send, needs: known.needs) }
            let record = hub.append(hub.settings.limited(draft))
            let accepted = AcceptedSend(id: record.id, sequence: record.sequence)
            return PlannedAnswer(.success(accepted), needs: .records)
        } catch {
            return PlannedAnswer(.failure(error), needs: .nothing)
        }
    }
}
