/// Where a connection lives: the shard that owns it and its id there.
package struct ConnectionAddress: Hashable, Sendable {
    /// Index of the shard.
    package var shard: Int
    /// The connection on that shard.
    package var connection: ConnectionID

    /// Makes an address of its parts.
    package init(shard: Int, connection: ConnectionID) {
        self.shard = shard
        self.connection = connection
    }
}
