import HubModel
import HubVocabulary

/// The sends of one request; some may be durable already.
struct SendSequence: Sendable {
    /// Who is answered.
    let reply: @Sendable (Result<[Result<AcceptedSend, Refusal>], Refusal>) -> Void
    /// The notifications, in order.
    let drafts: [NotificationDraft]
    /// Of the first ones, in order.
    var outcomes: [Result<AcceptedSend, Refusal>] = []
    /// Of those behind them, which the present group holds.
    var promises: [SendPromise] = []

    /// Makes a sequence that has not begun.
    init(
        _ drafts: [NotificationDraft],
        reply: @escaping @Sendable (Result<[Result<AcceptedSend, Refusal>], Refusal>) -> Void
    ) {
        self.reply = reply
        self.drafts = drafts
        outcomes.reserveCapacity(drafts.count)
    }

    /// The first that no group has taken.
    var next: Int { outcomes.count + promises.count }

    /// Notes what has become of the group's part.
    ///
    /// When the store has refused something, what comes behind is refused as well: what a caller
    /// sends again then stays in its order.
    mutating func settle(changes: StoreError?, records: StoreError?) {
        var end = records?.refusal
        for promise in promises {
            outcomes.append(promise.outcome(changes: changes, records: records))
            end = end ?? promise.storeRefusal(changes: changes)
        }
        promises.removeAll()
        guard let end else { return }
        while outcomes.count < drafts.count { outcomes.append(.failure(end)) }
    }
}
