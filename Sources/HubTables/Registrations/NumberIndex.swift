package import HubVocabulary

/// Numbers of registrations by the hash of a key: eight bytes an entry, several entries for one
/// hash allowed.
///
/// Only half of the hash is kept, so the caller compares the key itself of each number found. The
/// hash must be keyed, so that outsiders cannot prepare keys that meet.
package struct NumberIndex: ~Copyable {
    /// A registration and the hash of its key.
    package typealias Entry = (number: RegistrationNumber, hash: UInt64)

    /// 0 when empty, otherwise hash half << 32 | number; at most three quarters full, and at least half
    /// once it has grown.
    private var buckets = [UInt64](repeating: 0, count: 16)
    /// The sum of what was looked at ahead, so that the looks are not left out as useless.
    private var looked: UInt64 = 0
    /// How many entries there are.
    package private(set) var count = 0

    /// An empty index.
    package init() {}

    /// Bytes held, for tests.
    package var memoryBytes: Int { buckets.capacity * 8 }

    /// Steps that the farthest entry is from its home, for tests; looks at all of them.
    package var stepsMax: Int {
        buckets.indices.reduce(0) { most, bucket in
            buckets[bucket] == 0 ? most : max(most, steps(from: home(buckets[bucket]), to: bucket))
        }
    }

    /// Adds an entry, which must not be there.
    package mutating func insert(_ number: RegistrationNumber, hash: UInt64) {
        precondition(number.raw > 0, "registration 0 names nothing")
        if (count + 1) * 4 > buckets.count * 3 { grow() }
        place(Self.content(number, hash))
        count += 1
    }

    /// Adds entries that are not there yet; faster than one by one when they are many.
    ///
    /// Looks at the homes of all before it places the first, so that their ways to memory overlap.
    package mutating func insert(contentsOf entries: [Entry]) {
        while (count + entries.count) * 4 > buckets.count * 3 { grow() }
        for entry in entries { looked &+= buckets[home(entry.hash)] }
        for entry in entries { insert(entry.number, hash: entry.hash) }
    }

    /// Takes out an entry, which must be there.
    package mutating func remove(_ number: RegistrationNumber, hash: UInt64) {
        let content = Self.content(number, hash)
        var bucket = home(content)
        while buckets[bucket] != content {
            precondition(buckets[bucket] != 0, "registration \(number.raw) is not in the index")
            bucket = next(bucket)
        }
        vacate(bucket)
        count -= 1
    }

    /// The numbers with this half of the hash, ascending.
    package func numbers(hash: UInt64) -> [RegistrationNumber] {
        var found: [RegistrationNumber] = []
        var bucket = home(hash)
        while buckets[bucket] != 0 {
            if buckets[bucket] >> 32 == hash >> 32 {
                found.append(RegistrationNumber(UInt32(truncatingIfNeeded: buckets[bucket])))
            }
            bucket = next(bucket)
        }
        if found.count > 1 { found.sort() }
        return found
    }

    private static func content(_ number: RegistrationNumber, _ hash: UInt64) -> UInt64 {
        (hash >> 32) << 32 | UInt64(number.raw)
    }

    /// Where an entry belongs: the upper half of the hash as a share of all buckets.
    private func home(_ content: UInt64) -> Int {
        Int(truncatingIfNeeded: ((content >> 32) &* UInt64(buckets.count)) >> 32)
    }

    private func next(_ bucket: Int) -> Int { bucket + 1 == buckets.count ? 0 : bucket + 1 }

    /// Steps from one bucket to another.
    private func steps(from start: Int, to end: Int) -> Int {
        end >= start ? end - start : end - start + buckets.count
    }

    private mutating func place(_ content: UInt64) {
        var bucket = home(content)
        while buckets[bucket] != 0 { bucket = next(bucket) }
        buckets[bucket] = content
    }

    /// Empties a bucket and closes the gap, so that no probe ends early and no marks pile up.
    private mutating func vacate(_ bucket: Int) {
        var hole = bucket
        var other = next(bucket)
        while buckets[other] != 0 {
            if steps(from: home(buckets[other]), to: other) >= steps(from: hole, to: other) {
                buckets[hole] = buckets[other]
                hole = other
            }
            other = next(other)
        }
        buckets[hole] = 0
    }

    /// By half: twice as many would leave most of them empty most of the time.
    private mutating func grow() {
        let old = buckets
        buckets = [UInt64](repeating: 0, count: old.count + old.count / 2)
        for content in old where content != 0 { place(content) }
    }
}
