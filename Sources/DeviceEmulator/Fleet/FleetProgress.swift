/// The counts of a fleet.
package struct FleetProgress: Equatable, Codable, Sendable {
    /// Devices with an open session.
    package var connected = 0
    /// Slots that the hub confirmed, repeats not counted.
    package var registered = 0
    /// Notifications received.
    package var received = 0
    /// Bytes of their entries on the link, without TLS.
    package var wireBytes = 0
    /// Bytes of their payloads.
    package var payloadBytes = 0
    /// Connections that ended, and not by the fleet itself.
    package var disconnected = 0
    /// Losses that the hub announced.
    package var gaps = 0
    /// Faults that devices reported.
    package var faults = 0
    /// The first fault, as one readable line.
    package var firstFault: String?

    /// Nothing yet.
    package init() {}

    mutating func add(_ other: FleetProgress) {
        connected += other.connected
        registered += other.registered
        received += other.received
        wireBytes += other.wireBytes
        payloadBytes += other.payloadBytes
        disconnected += other.disconnected
        gaps += other.gaps
        faults += other.faults
        firstFault = firstFault ?? other.firstFault
    }
}
