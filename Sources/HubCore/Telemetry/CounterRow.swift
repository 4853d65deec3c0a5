/// The counters of one notification on one platform, by name.
struct CounterRow: Hashable, Comparable {
    var sequence: UInt64
    /// A platform's number; 255 for the whole notification.
    var platform: UInt8

    static func < (left: CounterRow, right: CounterRow) -> Bool {
        (left.sequence, left.platform) < (right.sequence, right.platform)
    }
}
