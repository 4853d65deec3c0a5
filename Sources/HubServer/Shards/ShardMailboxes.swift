import HubCore
import HubTransport

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
