/// What a fan-out measured; times in microseconds unless the name says otherwise.
package struct FanoutResult: Codable, Equatable, Sendable {
    /// Percentiles of a latency.
    package struct Latency: Codable, Equatable, Sendable {
        /// The middle.
        package var p50: Double
        /// 90 of 100 are at most this.
        package var p90: Double
        /// 99 of 100 are at most this.
        package var p99: Double
        /// The longest.
        package var max: Double
    }

    /// Devices that subscribe to the tag.
    package var devices: Int
    /// Devices that subscribe to another tag and must receive nothing.
    package var controls: Int
    /// Notifications measured, without those of the warm-up.
    package var notifications: Int
    /// Notifications sent at once.
    package var burst: Int
    /// Mean size of a payload in bytes.
    package var payloadBytes: Double
    /// Mean size of an entry on the link in bytes, without frame header and TLS.
    package var wireBytes: Double
    /// Deliveries that were expected.
    package var expected: Int
    /// Deliveries that came, each counted once.
    package var delivered: Int
    /// Deliveries that did not come.
    package var lost: Int
    /// Deliveries that came again.
    package var duplicated: Int
    /// Deliveries to devices that did not subscribe, or of notifications that nobody here sent.
    package var misrouted: Int
    /// Sends that were not answered `201`.
    package var sendsFailed: Int
    /// Connections that ended while it ran.
    package var disconnected: Int
    /// From the first send to the last delivery, in seconds.
    package var seconds: Double
    /// Deliveries in a second.
    package var deliveriesPerSecond: Double
    /// From the answer `201` to receipt on a device; below zero counts as zero.
    package var sinceAnswer: Latency
    /// From the begin of the send to receipt on a device.
    package var sinceSend: Latency
    /// CPU of the hub's process for each delivery; nil when it cannot be read.
    package var serverCPUPerDelivery: Double?
    /// CPU of the hub's process for each connection: handshake, HELLO and registration.
    package var serverCPUPerConnection: Double?
    /// Resident anonymous memory of the hub for each idle connection, in bytes.
    package var serverBytesPerConnection: Double?
    /// From the first connection to the last registration, in seconds.
    package var rampSeconds: Double
    /// The first fault that a device reported.
    package var firstFault: String?

    /// Whether nothing was lost, doubled or misrouted.
    package var isExact: Bool {
        lost == 0 && duplicated == 0 && misrouted == 0 && sendsFailed == 0
    }
}
