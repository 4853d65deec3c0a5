import HubVocabulary

/// Deadlines by connection slot, to a tenth of a second.
///
/// The owner remembers when a slot comes up next and arms it again only for something earlier; when
/// it comes up, the true deadline, which may have moved on, is compared. Moving a deadline back
/// therefore costs nothing.
struct TimerWheel {
    private static let tickNanoseconds: UInt64 = 100_000_000
    private static let bucketCount = 1_024

    private var buckets: [[ConnectionSlot]]
    private var current: UInt64

    /// An empty wheel.
    init(now: Instant) {
        buckets = Array(repeating: [], count: Self.bucketCount)
        current = now.nanoseconds / Self.tickNanoseconds
    }

    /// Puts a slot where its deadline is, or as far ahead as the wheel reaches; when it will come up.
    mutating func arm(_ slot: ConnectionSlot, at deadline: Instant) -> Instant {
        let due = deadline.nanoseconds / Self.tickNanoseconds + 1
        let tick = min(max(due, current + 1), current + UInt64(Self.bucketCount) - 1)
        buckets[Int(tick % UInt64(Self.bucketCount))].append(slot)
        return Instant(nanoseconds: tick * Self.tickNanoseconds)
    }

    /// Takes out the slots whose bucket has come up.
    mutating func due(now: Instant) -> [ConnectionSlot] {
        let tick = now.nanoseconds / Self.tickNanoseconds
        guard tick > current else { return [] }
        var slots: [ConnectionSlot] = []
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
