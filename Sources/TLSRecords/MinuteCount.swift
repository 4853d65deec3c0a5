/// Events within a minute that begins with the first of them; six bytes.
///
/// Time is counted in milliseconds and comes round after 49 days, when a minute may be taken for one
/// that has begun. Of more than 65,535 events no more are told apart.
struct MinuteCount {
    private static let minute: UInt32 = 60_000
    private var start: UInt32 = 0
    private var count: UInt16 = 0

    /// Counts an event; whether there are now more than `limit`.
    mutating func passes(_ limit: Int, at nanoseconds: UInt64) -> Bool {
        let milliseconds = UInt32(truncatingIfNeeded: nanoseconds / 1_000_000)
        if count == 0 || milliseconds &- start >= Self.minute {
            start = milliseconds
            count = 0
        }
        count = min(count, .max - 1) + 1
        return Int(count) > limit
    }
}
