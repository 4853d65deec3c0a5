import HubVocabulary
import HubWire

/// A point of time or none, in eight bytes.
struct OptionalInstant {
    private var nanoseconds = UInt64.max

    var value: Instant? {
        get { nanoseconds == .max ? nil : Instant(nanoseconds: nanoseconds) }
        set { nanoseconds = newValue?.nanoseconds ?? .max }
    }
}

/// One connection of a shard: framing, deadlines, rates and what waits to be written; 88 bytes.
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

    /// A connection whose rates are untouched.
    init(phase: ConnectionPhase, deadline: Instant, now: Instant) {
        self.phase = phase
        self.deadline = deadline
        frames = RateBucket(now: now)
        bytes = RateBucket(now: now)
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
