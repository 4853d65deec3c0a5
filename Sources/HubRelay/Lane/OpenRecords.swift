import HubVocabulary

/// The records that a lane is sending, in the log's order.
struct OpenRecords {
    private(set) var records: [OpenRecord] = []
    /// The small records that each registration waits for; the large ones are asked.
    private var small: [UInt32: WaitingRecords] = [:]
    /// The places of the large records.
    private(set) var large: [Int] = []
    /// In small records below this place all registrations have had their turn.
    private var freshStart = 0
    private(set) var smallMatches = 0

    /// Bytes that they take in memory, about.
    var weight: Int { records.reduce(0) { $0 + $1.weight } + small.count * 64 }

    var largeCount: Int { large.count }
    var smallCount: Int { records.count - large.count }

    /// The places of small records whose registrations may not all have had their turn.
    mutating func freshPlaces() -> Range<Int> {
        while freshStart < records.count,
            records[freshStart].isLarge || records[freshStart].isPassed
        {
            freshStart += 1
        }
        return freshStart..<records.count
    }

    func index(of sequence: UInt64) -> Int? {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low < records.count && records[low].sequence == sequence ? low : nil
    }

    subscript(_ index: Int) -> OpenRecord {
        // No copy: each would count its sets as shared.
        _read { yield records[index] }
        _modify { yield &records[index] }
    }

    /// Opens a record behind all others.
    mutating func append(_ record: OpenRecord) {
        precondition(records.last.map { $0.sequence < record.sequence } ?? true)
        if record.isLarge {
            large.append(records.count)
        } else {
            smallMatches += record.left.count
            for number in record.left.numbers { wait(number, record.sequence) }
        }
        records.append(record)
    }

    /// The earliest open record that a registration waits for.
    func earliest(of registration: UInt32) -> UInt64? {
        let first = small[registration]?.first
        for index in large {
            let sequence = records[index].sequence
            if let first, first < sequence { return first }
            if records[index].left.contains(registration) { return sequence }
        }
        return first
    }

    /// Whether a registration had its turn in a record and still waits for it.
    func hasPassed(_ registration: UInt32) -> Bool {
        let waits = small[registration]?.contains { sequence in
            index(of: sequence).map { records[$0].hasPassed(registration) } ?? false
        }
        return waits ?? false || large.contains { records[$0].hasPassed(registration) }
    }

    /// A large record ended at once: registrations that it held up have their turn in the others.
    mutating func rewind() {
        for index in records.indices { records[index].rewind() }
        freshStart = 0
    }

    mutating func finish(_ registration: UInt32, at index: Int) {
        if !records[index].isLarge, records[index].left.contains(registration) {
            forget(registration, records[index].sequence)
        }
        records[index].finish(registration)
    }

    /// Ends all but some registrations of a record; returns how many ended.
    mutating func finishAll(at index: Int, but busy: [UInt32]) -> Int {
        if !records[index].isLarge {
            let kept = Set(busy)
            for number in records[index].left.numbers where !kept.contains(number) {
                forget(number, records[index].sequence)
            }
        }
        return records[index].finishAll(but: busy)
    }

    /// Ends the registrations of an audience but for some; returns how many ended.
    ///
    /// A large record that has few left is a small one from then on.
    mutating func finish(
        _ audience: RegistrationSet,
        at index: Int,
        but busy: [UInt32],
        _ limits: LaneLimits
    ) -> Int {
        let (sequence, wasLarge) = (records[index].sequence, records[index].isLarge)
        let before = wasLarge ? [] : records[index].left.numbers
        let ended = records[index].finish(audience, but: busy, limits)
        for number in before where !records[index].left.contains(number) {
            forget(number, sequence)
        }
        if wasLarge, !records[index].isLarge {
            large.removeAll { $0 == index }
            freshStart = min(freshStart, index)
            smallMatches += records[index].left.count
            for number in records[index].left.numbers { wait(number, sequence) }
        }
        return ended
    }

    private mutating func wait(_ registration: UInt32, _ sequence: UInt64) {
        if let index = small.index(forKey: registration) {
            small.values[index].insert(sequence)
        } else {
            small[registration] = WaitingRecords(sequence)
        }
    }

    private mutating func forget(_ registration: UInt32, _ sequence: UInt64) {
        smallMatches -= 1
        guard let index = small.index(forKey: registration) else { return }
        if small.values[index].remove(sequence) { small.remove(at: index) }
    }

    /// Closes the finished records; returns whether there were any.
    mutating func close() -> Bool {
        guard records.contains(where: \.left.isEmpty) else { return false }
        freshStart = records[..<freshStart].count { !$0.left.isEmpty }
        records.removeAll { $0.left.isEmpty }
        large = records.indices.filter { records[$0].isLarge }
        return true
    }
}
