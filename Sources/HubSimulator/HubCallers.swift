import HubModel

/// Those who ask the hub, as its machine knows them.
protocol HubCallers: AnyObject {
    /// The hub has given an answer.
    func takeAnswers()
    /// The hub has ended, and answers no call any more.
    func hubEnded()
    /// The records of a group may be on the disk although they were refused.
    func mayReappear(_ group: CommitGroup)
}
