/// The bounded queue in front of a shard.
package protocol MailRoom<Order> {
    /// An order of the owner of the shards.
    associatedtype Order: Sendable

    /// Adds mail behind what waits; false when it is full.
    func take(_ mail: ShardMail<Order>) -> Bool
}
