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

/// A device's session on one hub of this shard, in eight bytes.
struct SessionPlace {
    private let hubNumber: Int32
    private let sessionNumber: Int32

    init(hub: Int, session: Int) {
        hubNumber = Int32(hub)
        sessionNumber = Int32(session)
    }

    var hub: Int { Int(hubNumber) }
    var session: Int { Int(sessionNumber) }
}

/// A point of time or none, in eight bytes.
struct OptionalInstant {
    private var nanoseconds = UInt64.max

    var value: Instant? {
        get { nanoseconds == .max ? nil : Instant(nanoseconds: nanoseconds) }
        set { nanoseconds = newValue?.nanoseconds ?? .max }
    }
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

/// One connection of a shard: framing, deadlines, rates and what waits to be written; 96 bytes.
///
/// Its name is in `HotConnection`.
struct ConnectionState {
    var phase: ConnectionPhase
    /// PINGs that came too soon, one behind the other; stops at the largest.
    var fastPings: UInt8 = 0
    /// Frames over the rate; stops at the largest.
    var refusals: UInt16 = 0
    /// Milliseconds without a frame after which the connection is given up; 0 before WELCOME.
    var promiseMilliseconds: UInt32 = 0
    /// The bytes of a frame that is not complete yet.
    var partial: [UInt8] = []
    /// Frames other than DELIVER and GAP that wait for the end of the turn.
    var control: [UInt8] = []
    /// Request ids without an answer.
    var outstanding: [UInt16] = []
    /// When HELLO, WELCOME, the next sign of life or the end of draining is due.
    var deadline: Instant
    private var frame = OptionalInstant()
    private var check = OptionalInstant()
    private var ping = OptionalInstant()
    var frames: RateBucket
    var bytes: RateBucket
    var changes: RateBucket

    /// A connection whose rates are untouched.
    init(phase: ConnectionPhase, deadline: Instant, now: Instant) {
        self.phase = phase
        self.deadline = deadline
        frames = RateBucket(now: now)
        bytes = RateBucket(now: now)
        changes = RateBucket(now: now)
    }

    /// When the frame in `partial` must be complete.
    var frameDeadline: Instant? {
        get { frame.value }
        set { frame.value = newValue }
    }

    /// When the timer wheel comes to this slot; nil when it is not in the wheel.
    var nextCheck: Instant? {
        get { check.value }
        set { check.value = newValue }
    }

    /// When the latest PING came.
    var lastPing: Instant? {
        get { ping.value }
        set { ping.value = newValue }
    }
}
