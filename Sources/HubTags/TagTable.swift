/// The spellings of the tags in use and their numbers: open addressing over the tag bytes.
///
/// A bucket holds the upper half of a tag's hash beside its number, so that a probe touches the
/// spelling only where those 32 bits agree. Spellings lie in one array; when more than half of it
/// belongs to tags that are gone, it is written anew, so memory follows the tags in use.
struct TagTable: ~Copyable {
    /// Below this many bytes of spellings writing them anew isn't worth it.
    private static let compactionBytesMin = 4_096

    private let hash: TagHash
    /// 0 when empty, otherwise hash half << 32 | number + 1; a power of two long, at most three quarters
    /// full.
    private var buckets: [UInt64]
    /// By number.
    private var entries: [SpellingPlace] = []
    private var freeNumbers: [UInt32] = []
    private var spellings: [UInt8] = []
    private var deadBytes = 0
    /// How many tags there are.
    private(set) var count = 0
    /// Bytes of their spellings.
    var spellingBytes: Int { spellings.count - deadBytes }

    init(seed: UInt64) {
        hash = TagHash(seed: seed)
        buckets = Array(repeating: 0, count: 16)
    }

    /// One more than the highest number ever given.
    var numbersEnd: Int { entries.count }

    /// Bytes held, for tests and gauges.
    var memoryBytes: Int {
        buckets.capacity * 8 + entries.capacity * 8 + freeNumbers.capacity * 4 + spellings.capacity
    }

    func isFree(_ number: UInt32) -> Bool { entries[Int(number)].isFree }

    /// The number of `tag`, or nil when it has none; allocates nothing.
    func number(of tag: Span<UInt8>) -> UInt32? {
        number(of: tag, half: hash.value(of: tag) &>> 32)
    }

    private func number(of tag: Span<UInt8>, half: UInt64) -> UInt32? {
        var bucket = Int(truncatingIfNeeded: half) & (buckets.count &- 1)
        while true {
            let content = buckets[bucket]
            if content == 0 { return nil }
            if content &>> 32 == half {
                let number = UInt32(truncatingIfNeeded: content) &- 1
                if TagRules.equal(spelling(of: number), tag) { return number }
            }
            bucket = (bucket &+ 1) & (buckets.count &- 1)
        }
    }

    /// Finds the numbers of all tags of a batch; those that have none are added.
    ///
    /// Each pass asks for what the next one needs, of one tag after the other: nothing that is
    /// waited for decides what is asked for next, so the processor asks for many at once.
    mutating func intern(_ batch: inout TagBatch) {
        for index in 0..<batch.count {
            batch.probes[index].half = hash.value(of: batch.tag(at: index)) &>> 32
        }
        let mask = buckets.count &- 1
        for index in 0..<batch.count {
            let home = Int(truncatingIfNeeded: batch.probes[index].half) & mask
            batch.probes[index].content = buckets[home]
        }
        for index in 0..<batch.count where batch.probes[index].content != 0 {
            let number = UInt32(truncatingIfNeeded: batch.probes[index].content) &- 1
            batch.probes[index].spelling = entries[Int(number)]
        }
        for index in 0..<batch.count {
            let found = numberAtHome(of: batch.tag(at: index), batch.probes[index])
            batch.numbers.append(found)
        }
        for index in 0..<batch.count where batch.numbers[index] == .max {
            let number = internOne(batch.tag(at: index), half: batch.probes[index].half)
            batch.numbers[index] = number
        }
    }

    private mutating func internOne(_ tag: Span<UInt8>, half: UInt64) -> UInt32 {
        number(of: tag, half: half) ?? add(tag, half: half)
    }

    /// The number of the tag in the home bucket when it is this one, otherwise `UInt32.max`.
    private func numberAtHome(of tag: Span<UInt8>, _ probe: TagBatch.Probe) -> UInt32 {
        guard probe.content &>> 32 == probe.half, probe.content != 0,
            TagRules.equal(spellings.span.extracting(probe.spelling.range), tag)
        else { return .max }
        return UInt32(truncatingIfNeeded: probe.content) &- 1
    }

    /// Gives `tag`, which must not have one, the lowest-kept free number or a new one.
    mutating func add(_ tag: Span<UInt8>) -> UInt32 {
        add(tag, half: hash.value(of: tag) &>> 32)
    }

    private mutating func add(_ tag: Span<UInt8>, half: UInt64) -> UInt32 {
        if (count + 1) * 4 > buckets.count * 3 { grow() }
        let entry = SpellingPlace(offset: spellings.count, length: tag.count)
        for index in tag.indices { spellings.append(tag[index]) }
        let number: UInt32
        if let free = freeNumbers.popLast() {
            number = free
            entries[Int(number)] = entry
        } else {
            number = UInt32(entries.count)
            entries.append(entry)
        }
        place(number, half: half)
        count += 1
        return number
    }

    /// Forgets the tag with this number; the number may be given again.
    mutating func remove(_ number: UInt32) {
        precondition(!isFree(number), "tag \(number) was removed before")
        vacate(bucketOf(number))
        deadBytes += entries[Int(number)].length
        entries[Int(number)] = .free
        freeNumbers.append(number)
        count -= 1
        if deadBytes * 2 > spellings.count, spellings.count > Self.compactionBytesMin { compact() }
    }

    /// The bytes first seen for the tag with this number.
    @_lifetime(borrow self)
    func spelling(of number: UInt32) -> Span<UInt8> {
        spellings.span.extracting(entries[Int(number)].range)
    }

    private mutating func place(_ number: UInt32, half: UInt64) {
        var bucket = Int(truncatingIfNeeded: half) & (buckets.count - 1)
        while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        buckets[bucket] = half &<< 32 | UInt64(number + 1)
    }

    private func bucketOf(_ number: UInt32) -> Int {
        let half = hash.value(of: spelling(of: number)) &>> 32
        let content = half &<< 32 | UInt64(number + 1)
        var bucket = Int(truncatingIfNeeded: half) & (buckets.count - 1)
        while buckets[bucket] != content { bucket = (bucket + 1) & (buckets.count - 1) }
        return bucket
    }

    /// Empties a bucket and closes the gap, so that no probe ends early and no tombstones pile up.
    private mutating func vacate(_ bucket: Int) {
        let mask = buckets.count - 1
        var hole = bucket
        var next = (bucket + 1) & mask
        while buckets[next] != 0 {
            let home = Int(truncatingIfNeeded: buckets[next] &>> 32) & mask
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
        buckets = Array(repeating: 0, count: old.count * 2)
        for content in old where content != 0 {
            place(UInt32(truncatingIfNeeded: content) &- 1, half: content &>> 32)
        }
    }

    private mutating func compact() {
        var packed: [UInt8] = []
        packed.reserveCapacity(spellings.count - deadBytes)
        for number in entries.indices where !entries[number].isFree {
            let spelling = spellings[entries[number].range]
            entries[number] = SpellingPlace(offset: packed.count, length: spelling.count)
            packed.append(contentsOf: spelling)
        }
        spellings = packed
        deadBytes = 0
    }
}
