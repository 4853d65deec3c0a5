import HubDelivery
import HubMetrics
import HubModel
import HubTransport
import HubVocabulary

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

    /// Every shard's numbers at about the same moment; a shard that has ended has none.
    func reports() async -> [ShardReport] {
        var reports: [ShardReport] = []
        for shard in all {
            let report = await withCheckedContinuation { continuation in
                // Unread or refused, the request answers nil by itself.
                _ = shard.mailbox.post(.order(.inspect(ReportRequest(continuation))))
            }
            if let report { reports.append(report) }
        }
        return reports
    }
}
