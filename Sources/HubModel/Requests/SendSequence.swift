package import HubVocabulary

/// The sends of one command; some may be durable already.
package struct SendSequence {
    /// Who is answered.
    package let token: RequestToken
    /// The notifications, in order.
    package let drafts: [NotificationDraft]
    /// Of the first ones, in order.
    package var outcomes: [Result<AcceptedSend, Refusal>] = []
    /// Of those behind them, which the present group holds.
    package var promises: [SendPromise] = []

    /// Makes a sequence that has not begun.
    package init(_ drafts: [NotificationDraft], token: RequestToken) {
        self.drafts = drafts
        self.token = token
        outcomes.reserveCapacity(drafts.count)
    }

    /// The first that no group has taken.
    package var next: Int { outcomes.count + promises.count }
}
