package import TLSRecords

/// Every limit of the transport; one value per reactor.
///
/// Going over one is an ordinary outcome: the connection is closed and counted, nothing grows.
package struct TransportLimits: Sendable, Equatable {
    /// How long things may take; those that end a connection are rounded up to 50 ms.
    package struct Timers: Sendable, Equatable {
        /// Milliseconds from accept or connect to the end of the TLS handshake.
        package var handshakeMilliseconds: UInt64 = 10_000
        /// Milliseconds a connection has to send its last bytes and see the peer's end.
        package var closeMilliseconds: UInt64 = 3_000
        /// Milliseconds without progress after which unread output ends a connection.
        package var unreadMilliseconds: UInt64 = 30_000
        /// Milliseconds between ticks.
        package var tickMilliseconds: UInt64 = 100
        /// Milliseconds the loop rests between two turns; 0 for a loop that is woken by what happens.
        ///
        /// A load generator that rests lets the other side send without paying for waking it.
        package var restMilliseconds: UInt64 = 0
        /// Milliseconds without accepting after the process ran out of descriptors.
        package var acceptPauseMilliseconds: UInt64 = 250
        /// Milliseconds after which the kernel gives up a connection whose bytes are not confirmed.
        package var userTimeoutMilliseconds: Int32 = 30_000
    }

    /// Connections of one reactor at once, in any state; also the size of its table.
    package var connections = 65_536
    /// Accepted connections whose TLS handshake is not finished; the oldest gives way to one more.
    package var handshakes = 4_096
    /// Accepted connections that the handler has not marked as authenticated; the oldest gives way.
    package var unauthenticated = 16_384
    /// The same per peer address (IPv6: per /64 prefix).
    package var unauthenticatedPerAddress = 64
    /// Whether loopback peers count towards the limit per address.
    ///
    /// Source: rules C.6.
    package var limitsLoopback = false
    /// Connections accepted in one turn of the loop, so that a storm cannot starve the open ones.
    package var acceptsPerTurn = 64
    /// Waiting connections the kernel holds for one listener.
    package var backlog: Int32 = 4_096

    /// Bytes of the header that a balancer puts in front of a stream, at most.
    ///
    /// With so many it fits into the smallest segment of IPv4, which is never cut.
    package static let proxyHeaderBytesMax = 536
    /// Addresses of fronts that a leader remembers; with one more it forgets all, until they are heard
    /// of again.
    package static let frontsMax = 256

    /// Plaintext bytes that one connection may be given in one turn.
    package var turnBytes = 65_536
    /// Plaintext bytes of all connections that are kept before they are sealed within a turn.
    package var turnBytesTotal = 1_048_576
    /// Sealed bytes a connection may hold for a peer that does not read; only answers of TLS
    /// itself can add to what one turn left over.
    package var unsentBytes = 196_608
    /// Bytes not yet on the wire that the kernel takes for a connection before it is full.
    package var kernelUnsentBytes: Int32 = 131_072

    /// How long things may take.
    package var timers = Timers()
    /// The most that the records of a connection may cost when they are sealed without OpenSSL.
    package var records = RecordLimits()

    /// The defaults.
    package static let standard = TransportLimits()

    /// Creates the defaults.
    package init() {}
}
