package import HubModel
package import HubVocabulary

/// The mail of hubs on its way to one shard, whose queue may be full.
///
/// Shared by all who post, under one lock: a shard that has emptied its queue meanwhile must not
/// look at what was put aside before it lies there.
package struct ShardPost<Order: Sendable>: Sendable {
    private var backlogs: [HubName: FeedBacklog] = [:]
    private let backlog: FeedBacklog
    /// Mail without room that must not be lost, in order; posted once the shard has taken its mail.
    ///
    /// Bounded by what it is: pages by their budget, the rest by sessions and operators.
    private var aside: [ShardMail<Order>] = []

    /// A post whose shard lets so much of each hub's feed wait.
    package init(backlog: FeedBacklog = FeedBacklog()) { self.backlog = backlog }

    /// Whether mail waits for room.
    package var hasMailAside: Bool { !aside.isEmpty }

    /// Posts in order; what becomes of a feed item behind too many others is `FeedBacklog`'s.
    package mutating func post(
        _ message: ShardMessage,
        of hub: HubName,
        into room: some MailRoom<Order>
    ) {
        let mail = ShardMail<Order>.hub(hub, message)
        guard case .feed(let item) = message else {
            if message.isVital {
                // Behind what waits already.
                if !aside.isEmpty || !room.take(mail) { aside.append(mail) }
            } else {
                // Without room an answer is lost, and its session ends by its deadline.
                _ = room.take(mail)
            }
            return
        }
        var backlog = backlogs[hub] ?? backlog
        let admission = backlog.admit(item)
        let isPosted =
            switch admission {
            // Nothing that was put aside is overtaken: it may open a session whose registrations
            // this item changes.
            case .post: aside.isEmpty && room.take(mail)
            case .announce(let head): aside.isEmpty && room.take(.hub(hub, .lost(through: head)))
            case .leaveOut: true
            }
        if !isPosted { backlog.failed(item, admission) }
        backlogs[hub] = backlog
    }

    /// The shard has applied a batch with feed items of a hub, maybe none.
    package mutating func applied(
        _ load: FeedLoad,
        of hub: HubName,
        room: some MailRoom<Order>
    ) {
        let left = aside.firstIndex { !room.take($0) } ?? aside.count
        aside.removeFirst(left)
        guard var backlog = backlogs[hub] else { return }
        if let head = backlog.applied(load.count, weighing: load.weight),
            !aside.isEmpty || !room.take(.hub(hub, .lost(through: head)))
        {
            backlog.failed(head)
        }
        backlogs[hub] = backlog
    }

    /// Forgets what waits of a hub that is no more, so that one with its name begins anew.
    package mutating func forget(_ hub: HubName) {
        backlogs[hub] = nil
        aside.removeAll { if case .hub(hub, _) = $0 { true } else { false } }
    }
}

extension ShardMessage {
    /// Whether nothing makes up for its loss: no deadline ends the session that it is for.
    ///
    /// A session that fell out of the feed waits for `attached` or `attachRefused`.
    fileprivate var isVital: Bool {
        switch self {
        case .page, .revoked, .settings, .takenOver, .attached, .attachRefused: true
        case .feed, .feedLost, .outcome: false
        }
    }

    /// Says that feed items were left out.
    fileprivate static func lost(through head: FeedBacklog.Head) -> ShardMessage {
        .feedLost(head: head.sequence, check: head.check)
    }
}
