/// Deadlines by connection slot, to a tenth of a second.
///
/// A slot is in the wheel at most once; when its bucket comes up the owner compares its true
/// deadline, which may have moved on, and arms it again. Moving a deadline therefore costs nothing.
struct TimerWheel {
    private static let tickNanoseconds: UInt64 = 100_000_000
    private static let bucketCount = 1_024

    private var buckets: [[UInt32]]
    private var current: UInt64

    /// An empty wheel.
    init(now: Instant) {
        buckets = Array(repeating: [], count: Self.bucketCount)
        current = now.nanoseconds / Self.tickNanoseconds
    }

    /// Puts a slot where its deadline is, or as far ahead as the wheel reaches.
    mutating func arm(_ slot: UInt32, at deadline: Instant) {
        let due = deadline.nanoseconds / Self.tickNanoseconds + 1
        let tick = min(max(due, current + 1), current + UInt64(Self.bucketCount) - 1)
        buckets[Int(tick % UInt64(Self.bucketCount))].append(slot)
    }

    /// Takes out the slots whose bucket has come up.
    mutating func due(now: Instant) -> [UInt32] {
        let tick = now.nanoseconds / Self.tickNanoseconds
        guard tick > current else { return [] }
        var slots: [UInt32] = []
        let steps = min(tick - current, UInt64(Self.bucketCount))
        for step in 1...steps {
            let bucket = Int((current + step) % UInt64(Self.bucketCount))
            slots.append(contentsOf: buckets[bucket])
            buckets[bucket].removeAll(keepingCapacity: true)
        }
        current = tick
        return slots
    }
}
