package import HubVocabulary

/// The sends of one command, some of which may be durable already.
package struct SendSequence {
    package let token: RequestToken
    package let drafts: [NotificationDraft]
    /// Of the first ones, in order.
    package var outcomes: [Result<AcceptedSend, Refusal>] = []
    /// Of those behind them, which the present group holds.
    package var promises: [SendPromise] = []

    package init(_ drafts: [NotificationDraft], token: RequestToken) {
        self.drafts = drafts
        self.token = token
        outcomes.reserveCapacity(drafts.count)
    }

    /// The first that no group has taken.
    package var next: Int { outcomes.count + promises.count }
}
