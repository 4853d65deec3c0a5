package import HubDelivery
package import HubTransport

/// Numbers of one shard at one moment.
package struct ShardReport: Sendable {
    /// The core's counters.
    package var core: ShardCounters
    /// The transport's counters.
    package var transport: TransportStatistics
    /// Sessions at the head of the log.
    package var live: Int
    /// Sessions behind it.
    package var catchingUp: Int
    /// Connections in any state.
    package var connections: Int
}
