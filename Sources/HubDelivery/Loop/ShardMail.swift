package import HubModel
package import HubVocabulary

/// Mail for a shard: of a hub's writer or reader, or an order of who runs the shard.
package enum ShardMail<Order: Sendable>: Sendable {
    case hub(HubName, ShardMessage)
    case order(Order)
}
