package import HubCore
package import HubTransport
import Synchronization

/// What reaches a shard's thread from others.
enum ShardMail: Sendable {
    case hub(HubName, ShardMessage)
    /// Begin to drain: GOAWAY to every device, then an end.
    case drain(spreadMilliseconds: UInt32, deadlineMilliseconds: UInt64)
    /// Another certificate from the next handshake on.
    case certificate(ServerTLS)
    /// The shard's numbers, handed over on its thread.
    case inspect(@Sendable (ShardReport) -> Void)
}

/// Numbers of one shard at one moment.
package struct ShardReport: Sendable {
    /// What the core counted.
    package var core: ShardCounters
    /// What the transport counted.
    package var transport: TransportStatistics
    /// Sessions at the head of the log, and behind it.
    package var live: Int
    package var catchingUp: Int
    /// Connections in any state.
    package var connections: Int
}

/// One shard's mailbox, with the bound on feed items that the shard may leave unread.
final class ShardMailbox: Sendable {
    /// Feed items of one hub that may wait; more are left out and announced. Source: rules A.4.
    static let feedItemsMax = 4_096

    private struct Backlog {
        var waiting = 0
        /// The head of the feed items that were left out; nil when none was.
        var lostHead: UInt64?
    }

    let mailbox: Mailbox<ShardMail>
    private let backlogs = Mutex<[HubName: Backlog]>([:])

    init() throws(TransportError) { mailbox = try Mailbox(capacity: 1 << 20) }

    /// Posts in order; a feed item behind too many others is dropped and, when the shard has caught
    /// up, announced by `.feedLost`.
    func post(_ message: ShardMessage, of hub: HubName) {
        guard case .feed(let item) = message else {
            _ = mailbox.post(.hub(hub, message))
            return
        }
        backlogs.withLock { backlogs in
            var backlog = backlogs[hub, default: Backlog()]
            defer { backlogs[hub] = backlog }
            if backlog.waiting >= Self.feedItemsMax
                || (backlog.lostHead != nil && backlog.waiting > 0)
            {
                backlog.lostHead = item.head
                return
            }
            if backlog.lostHead != nil {
                // This item is left out too; the shard reads everything from the log.
                backlog.lostHead = nil
                _ = mailbox.post(.hub(hub, .feedLost(head: item.head)))
                return
            }
            backlog.waiting += 1
            _ = mailbox.post(.hub(hub, message))
        }
    }

    /// The shard has applied feed items of a hub.
    func applied(_ count: Int, of hub: HubName) {
        backlogs.withLock { backlogs in
            backlogs[hub]?.waiting -= count
            guard let backlog = backlogs[hub], backlog.waiting == 0, let head = backlog.lostHead
            else { return }
            backlogs[hub]?.lostHead = nil
            _ = mailbox.post(.hub(hub, .feedLost(head: head)))
        }
    }
}

/// Every shard's mailbox.
struct ShardMailboxes: ShardPosting {
    let all: [ShardMailbox]

    init(count: Int) throws(TransportError) {
        var all: [ShardMailbox] = []
        for _ in 0..<count { all.append(try ShardMailbox()) }
        self.all = all
    }

    var shardCount: Int { all.count }

    func post(_ message: ShardMessage, of hub: HubName, to shard: Int) {
        all[shard].post(message, of: hub)
    }
}
