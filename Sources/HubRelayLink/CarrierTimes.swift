/// Pauses and deadlines of connections.
package struct CarrierTimes: Sendable {
    /// TCP, TLS and the first settings take this long at most.
    package var connect: Duration = .seconds(10)
    /// After such a silence a PING is sent.
    package var silence: Duration = .seconds(15)
    /// Without an answer to a PING the connection is dead.
    package var ping: Duration = .seconds(5)
    /// The pause after the first failure; it doubles with each.
    package var restLeast: Duration = .seconds(1)
    /// The longest pause.
    package var restMost: Duration = .seconds(60)
    /// A connection to a host that a registration chose ends after so long without a request.
    package var idle: Duration = .seconds(60)
    /// Looked-up addresses are used this long.
    package var lookUp: Duration = .seconds(60)

    /// The times of production.
    package init() {}
}
