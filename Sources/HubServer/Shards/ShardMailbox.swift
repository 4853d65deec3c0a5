import Foundation
import HubModel
import HubTransport
import HubVocabulary
import Synchronization

/// One shard's mailbox, with the bound on feed items that the shard may leave unread.
final class ShardMailbox: Sendable {
    let mailbox: Mailbox<ShardMail>
    private let backlogs = Mutex<[HubName: FeedBacklog]>([:])
    /// Mail without room that must not be lost, in order; posted once the shard has taken its mail.
    ///
    /// Bounded by what it is: pages by their budget, the rest by sessions and operators.
    private let late = Mutex<[ShardMail]>([])

    init(capacity: Int = 1 << 20) throws(TransportError) {
        mailbox = try Mailbox(capacity: capacity)
    }

    /// Posts in order; what becomes of a feed item behind too many others is `FeedBacklog`'s.
    func post(_ message: ShardMessage, of hub: HubName) {
        guard case .feed(let item) = message else {
            let mail = ShardMail.hub(hub, message)
            guard message.isVital else {
                // Without room an answer is lost, and its session ends by its deadline.
                _ = mailbox.post(mail)
                return
            }
            // Behind what waits already. Posted under the lock: a shard that has emptied its
            // mailbox meanwhile looks at `late` only behind it.
            late.withLock { late in
                if !late.isEmpty || mailbox.post(mail) == .full { late.append(mail) }
            }
            return
        }
        backlogs.withLock { backlogs in
            var backlog = backlogs[hub, default: FeedBacklog()]
            let admission = backlog.admit(item)
            let result =
                switch admission {
                case .post: mailbox.post(.hub(hub, message))
                case .announce(let head): mailbox.post(.hub(hub, .lost(through: head)))
                case .leaveOut: PostResult.posted
                }
            if result == .full { backlog.failed(item, admission) }
            backlogs[hub] = backlog
        }
    }

    /// The shard has applied a batch with feed items of a hub, maybe none.
    func applied(_ count: Int, weighing weight: Int, of hub: HubName) {
        late.withLock { late in
            let left = late.firstIndex { mailbox.post($0) == .full } ?? late.count
            late.removeFirst(left)
        }
        backlogs.withLock { backlogs in
            guard var backlog = backlogs[hub] else { return }
            if let head = backlog.applied(count, weighing: weight) {
                // Only its own shard's thread empties a mailbox, and has just done so.
                _ = mailbox.post(.hub(hub, .lost(through: head)))
            }
            backlogs[hub] = backlog
        }
    }

    /// Forgets what waits of a hub that is no more, so that one with its name begins anew.
    func forget(_ hub: HubName) { backlogs.withLock { $0[hub] = nil } }

    /// Posts what must not be lost; blocks while there is no room, so never on a shard's thread.
    func insist(on mail: ShardMail) {
        while mailbox.post(mail) == .full { Thread.sleep(forTimeInterval: 0.01) }
    }
}

extension ShardMessage {
    /// Whether nothing makes up for its loss: no deadline ends the session that it is for.
    fileprivate var isVital: Bool {
        switch self {
        case .page, .revoked, .settings, .takenOver: true
        case .feed, .feedLost, .attached, .attachRefused, .outcome: false
        }
    }

    /// Says that feed items were left out.
    fileprivate static func lost(through head: FeedBacklog.Head) -> ShardMessage {
        .feedLost(head: head.sequence, check: head.check)
    }
}
