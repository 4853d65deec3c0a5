package import HubModel
package import HubVocabulary

/// The surroundings of a shard's loop: its connections, and the writers and readers of its hubs.
package protocol ShardSurroundings<Order> {
    /// An order of the owner of the shards.
    associatedtype Order: Sendable
    /// Its connections, to write to.
    associatedtype Output: ShardOutput

    /// The connections, to write to.
    var output: Output { get }

    /// Carries out an order.
    mutating func carryOut(_ order: Order, on core: inout ShardCore, now: Now)

    /// Queues a request for a hub's writer; false when there is no room.
    mutating func submit(_ request: DirectoryRequest, of hub: HubName) -> Bool

    /// Returns the records of a read that are among the hub's recent ones; nil when those begin
    /// later.
    func recentRecords(for query: LogQuery, of hub: HubName) -> [NotificationRecord]?

    /// Queues a read for a hub's reader of the log.
    mutating func read(_ query: LogQuery, of hub: HubName)

    /// The session that asked for a read has ended.
    func forgetRead(of device: DeviceID, sessionGeneration: UInt64, of hub: HubName)

    /// The shard has looked at a page of a hub's reader.
    func applied(_ page: LogPage, of hub: HubName)

    /// The shard has read mail with so many feed items of hubs.
    func applied(_ feeds: [HubName: FeedLoad])

    /// A followed notification of a hub is a step further on its way.
    mutating func tell(_ step: DeliveryStep, of hub: HubName)

    /// The connection no longer counts as unauthenticated.
    func markAuthenticated(_ connection: ConnectionID)

    /// Closes a connection after this call; `ShardCore.closed` follows.
    mutating func close(_ connection: ConnectionID, afterFlush: Bool)
}
