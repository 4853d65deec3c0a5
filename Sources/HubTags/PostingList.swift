/// The slots that have one tag: a sorted array while they are few, a bitmap once they are many.
///
/// A bitmap of *m* bits costs as much memory as *m* / 32 array elements, which is where the form
/// changes; it changes back at half of that, so that a tag at the border doesn't flip all the time.
struct PostingList {
    /// The slots, ascending; empty while the list is dense.
    private(set) var sparse: [SlotIndex] = []
    /// Bit *s* stands for slot *s*; empty while the list is sparse.
    ///
    /// May end before the last slot.
    private(set) var words: [UInt64] = []
    /// How many slots the list has.
    private(set) var count = 0

    /// A list never becomes dense before it has this many slots.
    private static let denseCountMin = 32

    var isDense: Bool { !words.isEmpty }

    var memoryBytes: Int { sparse.capacity * 4 + words.capacity * 8 }

    /// No slots.
    init() {}

    /// Two slots, in any order: one alone is kept without a list.
    init(_ first: SlotIndex, _ second: SlotIndex) {
        sparse = first < second ? [first, second] : [second, first]
        count = 2
    }

    /// These slots, each above the one before, all below `universe`.
    init(ascending slots: ArraySlice<SlotIndex>, universe: Int) {
        sparse = Array(slots)
        count = slots.count
        if count > Self.denseCount(universe) { makeDense() }
    }

    func contains(_ slot: SlotIndex) -> Bool {
        if isDense { return words.hasBit(slot) }
        let position = sparse.lowerBound(of: slot)
        return position < sparse.count && sparse[position] == slot
    }

    /// The lowest slot of a list that has one.
    var first: SlotIndex {
        guard isDense else { return sparse[0] }
        var word = 0
        while words[word] == 0 { word += 1 }
        return SlotIndex(raw: UInt32(word * 64 + words[word].trailingZeroBitCount))
    }

    /// Adds `slot`, below `universe`; false when it was there.
    mutating func insert(_ slot: SlotIndex, universe: Int) -> Bool {
        if isDense, Int(slot.raw) / 64 >= words.count {
            // The bitmap would grow with the universe; is it still worth it?
            if count < Self.sparseCount(universe) {
                makeSparse()
            } else {
                words.extend(toInclude: slot)
            }
        }
        guard isDense else { return insertSparse(slot, universe: universe) }
        guard words.setBit(slot) else { return false }
        count += 1
        return true
    }

    /// Takes `slot` out; false when it wasn't there.
    mutating func remove(_ slot: SlotIndex, universe: Int) -> Bool {
        if isDense {
            guard words.clearBit(slot) else { return false }
            count -= 1
            if count < Self.sparseCount(universe) { makeSparse() }
            return true
        }
        let position = sparse.lowerBound(of: slot)
        guard position < sparse.count, sparse[position] == slot else { return false }
        sparse.remove(at: position)
        count -= 1
        return true
    }

    private mutating func insertSparse(_ slot: SlotIndex, universe: Int) -> Bool {
        if let last = sparse.last, slot > last {
            sparse.append(slot)
        } else {
            let position = sparse.lowerBound(of: slot)
            guard position == sparse.count || sparse[position] != slot else { return false }
            sparse.insert(slot, at: position)
        }
        count += 1
        if count > Self.denseCount(universe) { makeDense() }
        return true
    }

    private mutating func makeDense() {
        guard let last = sparse.last else { return }
        words.extend(toInclude: last)
        for slot in sparse { _ = words.setBit(slot) }
        sparse = []
    }

    private mutating func makeSparse() {
        sparse.reserveCapacity(count)
        words.appendSlots(count: count, to: &sparse)
        words = []
    }

    private static func denseCount(_ universe: Int) -> Int { max(denseCountMin, universe / 32) }

    private static func sparseCount(_ universe: Int) -> Int { denseCount(universe) / 2 }
}

extension [SlotIndex] {
    /// The position of the first element not below `slot`, in an ascending array.
    func lowerBound(of slot: SlotIndex) -> Int {
        var low = 0
        var length = count
        while length > 0 {
            let half = length &>> 1
            if self[low &+ half] < slot {
                low &+= half &+ 1
                length &-= half &+ 1
            } else {
                length = half
            }
        }
        return low
    }

    /// As ``lowerBound(of:)`` from `start` on, fast when the answer is near.
    func lowerBound(of slot: SlotIndex, from start: Int) -> Int {
        var low = start
        var step = 1
        while low &+ step <= count, self[low &+ step &- 1] < slot {
            low &+= step
            step &<<= 1
        }
        var high = Swift.min(low &+ step &- 1, count)
        while low < high {
            let middle = (low &+ high) &>> 1
            if self[middle] < slot { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
