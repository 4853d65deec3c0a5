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

    /// Returns what has lapsed by now; nil when nothing has.
    func lapse(now: Instant) -> ConnectionLapse? {
        if let frame = frame.value, frame <= now { return .failed(.frameTimeout) }
        switch phase {
        case .closing: return .closed
        case .awaitingHello, .attaching: return deadline <= now ? .failed(.handshakeTimeout) : nil
        case .ready: return deadline <= now ? .failed(.idleTimeout) : nil
        case .draining, .leaving: return deadline <= now ? .over : nil
        }
    }

    /// Counts a frame against the rates; false when it was one too many.
    mutating func admit(bytes count: Int, _ limits: SessionLimits, now: Instant) -> Bool {
        let isAllowed =
            frames.take(
                1,
                perSecond: limits.rates.framesPerSecond,
                burst: limits.rates.framesBurst,
                now: now
            )
            && bytes.take(
                UInt32(clamping: count),
                perSecond: limits.rates.bytesPerSecond,
                burst: limits.rates.bytesBurst,
                now: now
            )
        guard !isAllowed else { return true }
        refusals = min(refusals, .max - 1) + 1
        return Int(refusals) <= limits.rates.refusalsMax
    }

    /// Counts a PING; false when too many came too soon, one behind the other.
    mutating func admitPing(now: Instant) -> Bool {
        let isFast = lastPing.map {
            now.milliseconds(since: $0) < UInt64(WireLimits.pingSecondsMin) * 1_000
        }
        fastPings = isFast == true ? min(fastPings, .max - 1) + 1 : 0
        lastPing = now
        return Int(fastPings) <= WireLimits.pingTooFastMax
    }

    /// A request has its answer.
    mutating func finish(_ reference: UInt16) {
        outstanding.removeAll { $0 == reference }
        // Most devices ask once; an empty array with room costs each of them memory for good.
        if outstanding.isEmpty { outstanding = [] }
    }
}
