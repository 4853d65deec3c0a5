import HubWire

/// What a shard knows of a TLS stream when its handshake is done.
package struct PeerIdentity: Sendable {
    /// 16 bytes, IPv4 mapped; for limits by address only.
    package var address: DeviceID
    /// Whether the peer is on this machine.
    package var isLoopback: Bool
    /// 32 bytes of the TLS exporter, equal on both ends of this connection only.
    package var exporter: [UInt8]
    /// The device id that a verified client certificate proves; nil without one.
    package var certificateDevice: DeviceID?

    /// Makes an identity.
    package init(
        address: DeviceID,
        isLoopback: Bool,
        exporter: [UInt8],
        certificateDevice: DeviceID?
    ) {
        self.address = address
        self.isLoopback = isLoopback
        self.exporter = exporter
        self.certificateDevice = certificateDevice
    }
}

/// A device's session on one hub of this shard.
struct SessionPlace {
    var hub: Int
    var session: Int
}

/// HELLO's part that WELCOME needs when the directory has answered.
struct PendingHello {
    var hub: Int
    var device: DeviceID
    var isNew: Bool
    var keyGeneration: UInt32
    var capabilities: Capabilities
    var window: FlightWindow
    var keepAlive: UInt16
}

/// States of a connection; the diagram is in Protocol/README.md.
enum ConnectionPhase {
    /// The slot belongs to nobody.
    case vacant
    /// TLS is up; only HELLO is accepted. Who the peer is matters no longer than that.
    indirect case awaitingHello(PeerIdentity)
    /// HELLO was proven; the directory is asked; nothing is accepted.
    indirect case attaching(PendingHello)
    /// A session.
    case ready(SessionPlace)
    /// GOAWAY was sent: acknowledgements are still read.
    case draining(SessionPlace)
    /// A fatal ERROR is written or the peer left; bytes are ignored until the transport closes.
    case closing
}

/// One connection of a shard: framing, deadlines, rates and what waits to be written.
struct ConnectionState {
    var id: ConnectionID
    var phase: ConnectionPhase = .vacant
    /// The bytes of a frame that is not complete yet.
    var partial: [UInt8] = []
    /// When that frame must be complete.
    var frameDeadline: Instant?
    /// When HELLO, WELCOME, the next sign of life or the end of draining is due.
    var deadline: Instant
    /// Frames other than DELIVER and GAP that wait for the end of the turn.
    var control: [UInt8] = []
    /// Milliseconds without a frame after which the connection is given up; 0 before WELCOME.
    var promiseMilliseconds: UInt64 = 0
    /// When the timer wheel comes to this slot; nil when it is not in the wheel.
    var nextCheck: Instant?
    /// Request ids without an answer.
    var outstanding: [UInt16] = []
    var frames: RateBucket
    var bytes: RateBucket
    var changes: RateBucket
    var refusals = 0
    var fastPings = 0
    var lastPing: Instant?
}
