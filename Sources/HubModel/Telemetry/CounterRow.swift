/// The counters of one notification on one platform, by name.
package struct CounterRow: Hashable, Comparable {
    /// Of the record that is counted for.
    package var sequence: UInt64
    /// A platform's number; 255 for the whole notification.
    package var platform: UInt8

    /// Makes one of its parts.
    package init(sequence: UInt64, platform: UInt8) {
        self.sequence = sequence
        self.platform = platform
    }

    package static func < (left: CounterRow, right: CounterRow) -> Bool {
        (left.sequence, left.platform) < (right.sequence, right.platform)
    }
}
