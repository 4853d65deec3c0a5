/// The content of a GAP frame.
package struct LinkGap: Equatable, Sendable {
    /// The position before.
    package var from: UInt64
    /// The position after.
    package var to: UInt64
    /// Entries lost; 0xFFFFFFFF is unknown.
    package var lost: UInt32
    /// See `GapReason`; an unknown number counts as history lost.
    package var reason: UInt8

    /// A loss of its parts.
    package init(from: UInt64, to: UInt64, lost: UInt32, reason: UInt8) {
        self.from = from
        self.to = to
        self.lost = lost
        self.reason = reason
    }
}
