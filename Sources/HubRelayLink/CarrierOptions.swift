/// How a carrier reaches services: what it trusts, and hosts that stand elsewhere.
package struct CarrierOptions: Sendable {
    /// The authorities that certificates must come from.
    package enum Trust: Sendable {
        /// The authorities of the system.
        case system
        /// Those of a PEM file, instead of the system's.
        case file(String)
    }

    /// Where a host's requests go instead, as a numeric address.
    package struct Place: Hashable, Sendable {
        /// A numeric address.
        package var address: String
        /// A port.
        package var port: Int

        /// Makes a place.
        package init(address: String, port: Int) {
            self.address = address
            self.port = port
        }
    }

    /// The authorities that certificates must come from.
    package var trust = Trust.system
    /// Hosts that stand elsewhere, as fakes do; TLS still asks for the host's name.
    package var places: [String: Place] = [:]
    /// Hosts that an operator runs and that may have private addresses.
    package var privateHosts: Set<String> = []
    /// Connections to one host at most, each with as many requests as the service allows.
    package var connectionsMax = 4
    /// Hosts with connections at most, beside those that have requests; registrations choose some.
    package var hostsMax = 1_000
    /// Requests of one connection at most, if the service allows more.
    package var streamsMax = 1_000
    /// Pauses and deadlines of connections.
    package var times = CarrierTimes()
    /// Finds a host's addresses, 4 or 16 bytes each; nil for the system's resolver.
    package var lookUp: (@Sendable (String) async throws(CarrierFailure) -> [[UInt8]])?
    /// Told of connections.
    package var onEvent: @Sendable (CarrierEvent) -> Void = { _ in }

    /// The options of production.
    package init() {}
}
