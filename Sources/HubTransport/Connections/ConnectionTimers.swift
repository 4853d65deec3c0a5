/// Deadlines on the monotonic clock, for all connections of a reactor; in nanoseconds.
struct ConnectionTimers {
    /// Connections that are not open yet.
    var opening = DeadlineQueue()
    /// Connections that send their last bytes.
    var closing = DeadlineQueue()
    /// Connections whose peers do not read.
    var unread = DeadlineQueue()
    /// A tick that the handler asked for.
    var requestedTick: UInt64?
    /// When the reactor ends whatever is left; nil while it goes on.
    var stop: UInt64?
    private var regularTick: UInt64 = 0

    /// When something is due; `.max` for never.
    func next(hasConnections: Bool) -> UInt64 {
        let queued = min(opening.next ?? .max, closing.next ?? .max, unread.next ?? .max)
        let due = min(queued, requestedTick ?? .max, stop ?? .max)
        return hasConnections ? min(due, regularTick) : due
    }

    /// Whether a tick is due; the next regular one comes so many milliseconds later.
    mutating func takeTick(at now: UInt64, hasConnections: Bool, every milliseconds: UInt64) -> Bool
    {
        let isRequested = requestedTick.map { $0 <= now } ?? false
        guard isRequested || (hasConnections && regularTick <= now) else { return false }
        if isRequested { requestedTick = nil }
        regularTick = now + milliseconds * 1_000_000
        return true
    }
}
