import HubDelivery
import HubModel
import HubVocabulary

/// One shard's thread, and the queue in front of it.
final class SimulatedShard {
    var loop: ShardLoop<Never>
    let output: WireOutput
    let mailbox: SimulatedMailbox
    var post: ShardPost<Never>
    var alarm = Alarm()
    /// When it wants to look at its deadlines, in microseconds; nil for never.
    var tickDue: UInt64?
    var stalledUntil: UInt64 = 0
    /// Feed items that it has not read.
    var feedWaiting: Int { mailbox.feedItems - feedApplied }
    var feedApplied = 0
    /// How far it has told the directory that it is.
    var reported: UInt64
    /// The place up to which it knows that all is purged, and since when.
    var purgedThrough: UInt64
    var purgedAt: UInt64 = 0
    /// Links by the slot of their connection.
    var links: [Int?] = []
    var generations: UInt32 = 0
    /// Mail that is not where it should be, by a mistake of the wiring.
    var mislaid: [ShardMessage] = []

    init(
        _ core: consuming ShardCore,
        output: WireOutput,
        purgedThrough: UInt64,
        head: UInt64,
        plan: SimulationPlan
    ) {
        loop = ShardLoop(core)
        self.output = output
        self.purgedThrough = purgedThrough
        reported = head
        mailbox = SimulatedMailbox(capacity: plan.bounds.mailMax)
        post = ShardPost(backlog: FeedBacklog(itemsMax: plan.bounds.feedItemsMax))
    }

    /// Asks for a look at deadlines.
    func requestTick(at time: UInt64) { tickDue = min(tickDue ?? .max, time) }
}
