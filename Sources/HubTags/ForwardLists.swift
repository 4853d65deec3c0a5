/// For each slot the tags it has, so that a registration can be taken out of their posting lists.
///
/// All lists lie in one array, in blocks of a few sizes; freed blocks of a size form a chain. When
/// the array has its greatest size, its blocks are moved together: then only living tags count.
struct ForwardLists: ~Copyable {
    private struct Header {
        /// Where the block begins; meaningless without one.
        var offset: UInt32 = 0
        var count: UInt16 = 0
        /// 0 without a block, otherwise its size class + 1.
        var block: UInt16 = 0
    }

    private static let chainEnd = UInt32.max
    /// Places for tags of all slots: their offsets have 32 bits.
    static let placesMax = Int(chainEnd) - 1

    private var headers: [Header] = []
    private var storage: [UInt32] = []
    /// By size class, the first free block; its first element is the offset of the next.
    private var freeBlocks: [UInt32] = []
    /// Places of all free blocks.
    private var freePlaces = 0
    private let placesMax: Int

    /// Lists of no slot, with so many places for tags at most.
    init(placesMax: Int = Self.placesMax) { self.placesMax = min(placesMax, Self.placesMax) }

    /// Places that no living block has taken.
    var placesLeft: Int { placesMax - storage.count + freePlaces }

    var memoryBytes: Int {
        headers.capacity * 8 + storage.capacity * 4 + freeBlocks.capacity * 4
    }

    /// How many tags the slot has; 0 for a slot never used.
    func count(of slot: SlotIndex) -> Int {
        Int(slot.raw) < headers.count ? Int(headers[Int(slot.raw)].count) : 0
    }

    func tag(at index: Int, of slot: SlotIndex) -> TagID {
        TagID(raw: storage[Int(headers[Int(slot.raw)].offset) + index])
    }

    /// Makes room for `count` tags in all.
    mutating func reserve(_ count: Int, for slot: SlotIndex) {
        precondition(count <= UInt16.max, "a registration has at most 65,535 tags")
        headers.extendSparingly(to: Int(slot.raw) + 1, with: Header())
        let block = Int(headers[Int(slot.raw)].block)
        guard count > 0, block == 0 || count > Self.capacity(of: block - 1) else { return }
        let sizeClass = Self.sizeClass(for: count)
        if !hasBlock(sizeClass) { compact() }
        let header = headers[Int(slot.raw)]
        let offset = takeBlock(sizeClass)
        for index in 0..<Int(header.count) {
            storage[Int(offset) + index] = storage[Int(header.offset) + index]
        }
        giveBack(header)
        headers[Int(slot.raw)].offset = offset
        headers[Int(slot.raw)].block = UInt16(sizeClass + 1)
    }

    /// Gives a slot without tags these, each once however often it is among them.
    mutating func fill(_ slot: SlotIndex, with tags: ArraySlice<UInt32>) {
        reserve(tags.count, for: slot)
        let start = Int(headers[Int(slot.raw)].offset)
        var end = start
        for tag in tags where !storage[start..<end].contains(tag) {
            storage[end] = tag
            end += 1
        }
        headers[Int(slot.raw)].count = UInt16(end - start)
    }

    /// Calls `body` with each slot and each of its tags, slots ascending.
    @inline(__always)
    func forEach(_ body: (SlotIndex, UInt32) -> Void) {
        for slot in headers.indices {
            let start = Int(headers[slot].offset)
            for place in start..<start &+ Int(headers[slot].count) {
                body(SlotIndex(raw: UInt32(slot)), storage[place])
            }
        }
    }

    mutating func append(_ tag: TagID, to slot: SlotIndex) {
        let count = count(of: slot)
        reserve(count + 1, for: slot)
        storage[Int(headers[Int(slot.raw)].offset) + count] = tag.raw
        headers[Int(slot.raw)].count += 1
    }

    /// Takes `tag`, which the slot must have, out; the last one takes its place.
    mutating func remove(_ tag: TagID, of slot: SlotIndex) {
        let header = headers[Int(slot.raw)]
        let last = Int(header.offset) + Int(header.count) - 1
        var position = Int(header.offset)
        while storage[position] != tag.raw { position += 1 }
        precondition(position <= last, "slot \(slot.raw) hasn't tag \(tag.raw)")
        storage[position] = storage[last]
        headers[Int(slot.raw)].count -= 1
    }

    mutating func removeAll(of slot: SlotIndex) {
        guard Int(slot.raw) < headers.count else { return }
        giveBack(headers[Int(slot.raw)])
        headers[Int(slot.raw)] = Header()
    }

    /// Whether a block of a size is free, or fits behind the others.
    private func hasBlock(_ sizeClass: Int) -> Bool {
        let isFree = sizeClass < freeBlocks.count && freeBlocks[sizeClass] != Self.chainEnd
        return isFree || storage.count + Self.capacity(of: sizeClass) <= placesMax
    }

    private mutating func takeBlock(_ sizeClass: Int) -> UInt32 {
        while freeBlocks.count <= sizeClass { freeBlocks.append(Self.chainEnd) }
        let capacity = Self.capacity(of: sizeClass)
        let free = freeBlocks[sizeClass]
        if free != Self.chainEnd {
            freeBlocks[sizeClass] = storage[Int(free)]
            freePlaces -= capacity
            return free
        }
        let offset = storage.count
        precondition(offset + capacity <= placesMax, "offsets have 32 bits")
        storage.extendSparingly(to: offset + capacity, with: 0)
        return UInt32(offset)
    }

    private mutating func giveBack(_ header: Header) {
        guard header.block > 0 else { return }
        let sizeClass = Int(header.block) - 1
        storage[Int(header.offset)] = freeBlocks[sizeClass]
        freeBlocks[sizeClass] = header.offset
        freePlaces += Self.capacity(of: sizeClass)
    }

    /// Moves the living blocks together, each as small as its tags allow.
    private mutating func compact() {
        var packed: [UInt32] = []
        for slot in headers.indices where headers[slot].block > 0 {
            let header = headers[slot]
            let count = Int(header.count)
            guard count > 0 else {
                headers[slot] = Header()
                continue
            }
            let sizeClass = Self.sizeClass(for: count)
            let start = Int(header.offset)
            headers[slot].offset = UInt32(packed.count)
            headers[slot].block = UInt16(sizeClass + 1)
            packed.append(contentsOf: storage[start..<start + count])
            packed.extendSparingly(to: packed.count + Self.capacity(of: sizeClass) - count, with: 0)
        }
        storage = packed
        freeBlocks = []
        freePlaces = 0
    }

    /// 2, 4, … 16 tags, then doubling.
    private static func capacity(of sizeClass: Int) -> Int {
        sizeClass < 8 ? 2 * (sizeClass + 1) : 16 << (sizeClass - 7)
    }

    private static func sizeClass(for count: Int) -> Int {
        guard count > 16 else { return (count + 1) / 2 - 1 }
        var sizeClass = 8
        while capacity(of: sizeClass) < count { sizeClass += 1 }
        return sizeClass
    }
}
