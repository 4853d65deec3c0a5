import HubModel
import HubVocabulary

/// Where a writer sends what shards must know.
protocol ShardPosting: Sendable {
    /// Hands a message to a shard; feed items may be left out when it is too far behind, and are
    /// then announced as lost.
    func post(_ message: ShardMessage, of hub: HubName, to shard: Int)

    /// How many shards there are.
    var shardCount: Int { get }
}
