/// Numbers of registrations by the hash of a key: eight bytes an entry, several entries for one hash
/// allowed.
///
/// Only half of the hash is kept: whoever asks compares the key itself of what is found. The hash
/// must be keyed, so that outsiders cannot prepare keys that meet.
package struct NumberIndex: ~Copyable {
    /// 0 when empty, otherwise hash half << 32 | number; a power of two long, at most three quarters
    /// full.
    private var buckets = [UInt64](repeating: 0, count: 16)
    /// How many entries there are.
    package private(set) var count = 0

    /// An empty index.
    package init() {}

    /// Bytes held, for tests.
    package var memoryBytes: Int { buckets.capacity * 8 }

    /// Adds an entry, which must not be there.
    package mutating func insert(_ number: RegistrationNumber, hash: UInt64) {
        precondition(number.raw > 0, "registration 0 names nothing")
        if (count + 1) * 4 > buckets.count * 3 { grow() }
        place(Self.content(number, hash))
        count += 1
    }

    /// Takes out an entry, which must be there.
    package mutating func remove(_ number: RegistrationNumber, hash: UInt64) {
        let content = Self.content(number, hash)
        let mask = buckets.count - 1
        var bucket = Self.home(content, mask)
        while buckets[bucket] != content {
            precondition(buckets[bucket] != 0, "registration \(number.raw) is not in the index")
            bucket = (bucket + 1) & mask
        }
        vacate(bucket)
        count -= 1
    }

    /// The numbers with this half of the hash, ascending.
    package func numbers(hash: UInt64) -> [RegistrationNumber] {
        var found: [RegistrationNumber] = []
        let mask = buckets.count - 1
        var bucket = Self.home(hash, mask)
        while buckets[bucket] != 0 {
            if buckets[bucket] >> 32 == hash >> 32 {
                found.append(RegistrationNumber(UInt32(truncatingIfNeeded: buckets[bucket])))
            }
            bucket = (bucket + 1) & mask
        }
        if found.count > 1 { found.sort() }
        return found
    }

    private static func content(_ number: RegistrationNumber, _ hash: UInt64) -> UInt64 {
        (hash >> 32) << 32 | UInt64(number.raw)
    }

    private static func home(_ content: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: content >> 32) & mask
    }

    private mutating func place(_ content: UInt64) {
        let mask = buckets.count - 1
        var bucket = Self.home(content, mask)
        while buckets[bucket] != 0 { bucket = (bucket + 1) & mask }
        buckets[bucket] = content
    }

    /// Empties a bucket and closes the gap, so that no probe ends early and no marks pile up.
    private mutating func vacate(_ bucket: Int) {
        let mask = buckets.count - 1
        var hole = bucket
        var next = (bucket + 1) & mask
        while buckets[next] != 0 {
            let home = Self.home(buckets[next], mask)
            if (next &- home) & mask >= (next &- hole) & mask {
                buckets[hole] = buckets[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        buckets[hole] = 0
    }

    private mutating func grow() {
        let old = buckets
        buckets = [UInt64](repeating: 0, count: old.count * 2)
        for content in old where content != 0 { place(content) }
    }
}
