import Foundation
import HubDelivery
import HubModel
import HubTransport
import HubVocabulary
import Synchronization

/// One shard's mailbox, and what becomes of mail that it has no room for.
final class ShardMailbox: Sendable {
    let mailbox: Mailbox<ShardMail<ShardOrder>>
    private let state = Mutex(ShardPost<ShardOrder>())

    init(capacity: Int = 1 << 20) throws(TransportError) {
        mailbox = try Mailbox(capacity: capacity)
    }

    /// Posts in order.
    func post(_ message: ShardMessage, of hub: HubName) {
        state.withLock { $0.post(message, of: hub, into: Room(mailbox: mailbox)) }
        mailbox.wakeIfDue()
    }

    /// The shard has read a batch with feed items of these hubs, maybe none.
    func applied(_ feeds: [HubName: FeedLoad], of hubs: some Sequence<HubName>) {
        state.withLock { state in
            for hub in hubs {
                state.applied(feeds[hub] ?? FeedLoad(), of: hub, room: Room(mailbox: mailbox))
            }
        }
        mailbox.wakeIfDue()
    }

    /// Forgets what waits of a hub that is no more, so that one with its name begins anew.
    func forget(_ hub: HubName) { state.withLock { $0.forget(hub) } }

    /// Posts what must not be lost; blocks while there is no room, so never on a shard's thread.
    func insist(on order: ShardOrder) {
        while mailbox.post(.order(order)) == .full { Thread.sleep(forTimeInterval: 0.01) }
    }
}

/// A mailbox as the post sees it; one that is closed takes everything.
private struct Room: MailRoom {
    let mailbox: Mailbox<ShardMail<ShardOrder>>

    /// Without connections a shard reads its feed when something else wakes it.
    func take(_ mail: ShardMail<ShardOrder>) -> Bool {
        let isFeed = if case .hub(_, .feed) = mail { true } else { false }
        return mailbox.put(mail, isPatient: isFeed) != .full
    }
}
