import HubModel

/// Those who ask the hub, as its machine knows them.
protocol HubCallers: AnyObject {
    /// The hub has given an answer.
    func takeAnswers()
    /// A process of the hub has ended, and answers no call any more.
    func hubEnded(_ life: Int)
    /// The records of a group may be on the disk although they were refused.
    func mayReappear(_ group: CommitGroup)
}
