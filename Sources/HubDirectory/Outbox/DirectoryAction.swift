package import HubModel
import HubVocabulary

/// An order from a directory to its owner, which carries orders out in their sequence.
package enum DirectoryAction: Sendable {
    /// Answers a caller; everything the answer says is durable.
    case answer(HubAnswer)
    /// Goes to every shard, before any answer or message of the same group.
    case feed(FeedItem)
    /// Goes to one shard.
    case message(shard: Int, ShardMessage)
    /// Goes to every shard.
    case broadcast(ShardMessage)
    /// A bulk job is to be carried out; none is handed out before this one is at its end.
    case runJob(BulkJob)
    /// Counted and logged.
    case event(DirectoryEvent)
}
