/// Check values of the newest records, so that a connecting device seldom costs a read of the log.
package struct CheckWindow {
    /// Records remembered.
    private static let size = 65_536

    private var ring: [UInt32] = []
    /// The place that was read from the log last: after a restart many devices ask for the same.
    private var read: (sequence: UInt64, check: UInt32)?
    private var last: UInt64 = 0

    /// Remembers nothing yet.
    package init() {}

    /// Remembers the record at `sequence`; a hole in the numbers forgets the older ones.
    package mutating func append(_ check: UInt32, at sequence: UInt64) {
        if sequence != last + 1 { ring.removeAll(keepingCapacity: true) }
        if ring.count < Self.size {
            if ring.isEmpty { first = sequence }
            ring.append(check)
        } else {
            ring[Int((sequence - first) % UInt64(Self.size))] = check
        }
        last = sequence
    }

    /// The sequence number in the ring's first place, one round of the ring after another.
    private var first: UInt64 = 0

    /// Remembers what the log said about a place.
    package mutating func remember(_ check: UInt32, at sequence: UInt64) {
        read = (sequence, check)
    }

    /// The check value at a place, if it is remembered.
    package func check(at sequence: UInt64) -> UInt32? {
        if let read, read.sequence == sequence { return read.check }
        guard !ring.isEmpty, sequence <= last, sequence + UInt64(ring.count) > last else {
            return nil
        }
        return ring[Int((sequence - first) % UInt64(Self.size))]
    }
}
