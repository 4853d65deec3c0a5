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

    /// Counters since the shard began, and its sessions and connections of now.
    package init(
        core: ShardCounters,
        transport: TransportStatistics,
        live: Int,
        catchingUp: Int,
        connections: Int
    ) {
        self.core = core
        self.transport = transport
        self.live = live
        self.catchingUp = catchingUp
        self.connections = connections
    }
}
