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
