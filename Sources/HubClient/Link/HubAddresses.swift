import HubTransport

/// The addresses that the hub's name stands for.
struct HubAddresses {
    /// As they were resolved last.
    var known: [SocketAddress]
    /// Whether a thread asks for them.
    var isAsking = false
    /// When they may be asked for again, in nanoseconds.
    var againAt: UInt64 = 0
}
