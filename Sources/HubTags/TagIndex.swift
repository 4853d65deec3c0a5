/// Which registrations have which tags: tag bytes → interned tag → posting list.
///
/// A registration is a slot. The posting list of a tag is nothing, one slot in the tag's record
/// (`username:` tags), a sorted array, or a bitmap. Owned by one thread; deterministic, since the
/// seed changes only where spellings lie.
package struct TagIndex: ~Copyable, Sendable {
    /// Where the posting list of a tag is.
    enum Place: UInt8 {
        /// No tag has this number.
        case free
        /// The tag has no slots.
        case empty
        /// `value` is its only slot.
        case single
        /// `value` is the index in `lists`.
        case list
    }

    struct Record {
        var value: UInt32 = 0
        var pins: UInt16 = 0
        var place: Place = .free
        /// Whether the tag waits in `unused` to be looked at.
        var isWaiting = false
    }

    private var table: TagTable
    /// By tag number.
    private var records: [Record] = []
    private(set) var lists: [PostingList] = []
    private var freeLists: [UInt32] = []
    private var forward: ForwardLists
    /// The slots that hold a registration.
    private(set) var live: [UInt64] = []
    /// One more than the highest slot ever used.
    private(set) var universe = 0
    /// Tags seen without slots and pins since the last sweep.
    private var unused: [TagID] = []
    private var editedSinceIntern = false
    var workspace = Workspace()

    /// How many slots hold a registration.
    package private(set) var slotCount = 0

    /// An index without registrations; `seed` keys the hash and must be drawn at random in a hub.
    ///
    /// Tests have fewer memberships.
    package init(seed: UInt64, membershipsMax: Int = Self.membershipsMax) {
        table = TagTable(seed: seed)
        forward = ForwardLists(placesMax: membershipsMax)
    }

    /// How many tags are interned.
    package var tagCount: Int { table.count }

    /// Bytes of their spellings.
    package var spellingBytes: Int { table.spellingBytes }

    /// Bytes of memory the index holds, to within the allocator's rounding; for tests and gauges.
    package var memoryBytes: Int {
        var sum = table.memoryBytes + forward.memoryBytes + workspace.memoryBytes
        sum += records.capacity * MemoryLayout<Record>.stride
        sum += lists.capacity * MemoryLayout<PostingList>.stride
        sum += (freeLists.capacity + unused.capacity) * 4 + live.capacity * 8
        for list in lists { sum += list.memoryBytes }
        return sum
    }

    /// Tags of all slots together, at most; fewer fit when slots change often.
    package static let membershipsMax = ForwardLists.placesMax

    /// Whether a slot, or several, can get so many tags in all.
    package func hasRoom(forMemberships count: Int) -> Bool {
        // A block has at most twice the places that its tags need.
        forward.placesLeft >= 2 * count
    }

    // MARK: Tags

    /// The id of `tag`, a new one when it isn't known; the first spelling is kept.
    ///
    /// An id whose tag has neither slots nor pins is good until the first `intern` after an edit
    /// (`insert`, `replace`, `remove`, `add`): intern all tags of a registration, then edit. Any
    /// bytes up to 65,535 are accepted, so that the caller can have tags of its own beside those
    /// that ``TagRules`` allows.
    package mutating func intern(_ tag: Span<UInt8>) -> TagID {
        forgetUnused()
        if let number = table.number(of: tag) { return TagID(raw: number) }
        precondition(tag.count <= UInt16.max, "a tag has at most 65,535 bytes")
        let id = TagID(raw: table.add(tag))
        if Int(id.raw) == records.count { records.append(Record()) }
        records[Int(id.raw)] = Record(place: .empty)
        wait(id)
        return id
    }

    /// The id of `tag` when it is known.
    ///
    /// Allocates nothing.
    package func lookup(_ tag: Span<UInt8>) -> TagID? {
        table.number(of: tag).map(TagID.init(raw:))
    }

    /// Calls `body` with the spelling of the tag that was seen first.
    package func withSpelling<Result, Failure: Error>(
        of tag: TagID,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        requireKnown(tag)
        return try body(table.spelling(of: tag.raw))
    }

    /// Keeps the tag and its id, also without registrations, until as many calls of ``unpin(_:)``.
    package mutating func pin(_ tag: TagID) {
        requireKnown(tag)
        records[Int(tag.raw)].pins += 1
    }

    /// Takes back one ``pin(_:)``.
    package mutating func unpin(_ tag: TagID) {
        requireKnown(tag)
        records[Int(tag.raw)].pins -= 1
        wait(tag)
        editedSinceIntern = true
    }

    /// How many registrations have the tag.
    package func count(of tag: TagID) -> Int {
        requireKnown(tag)
        let record = records[Int(tag.raw)]
        return switch record.place {
        case .free, .empty: 0
        case .single: 1
        case .list: lists[Int(record.value)].count
        }
    }

    /// Calls `body` with the first spelling and the number of registrations of each tag that has
    /// any, in no telling order; looks at `count` numbers of tags from `start` on.
    ///
    /// Returns where to go on; nil when no numbers are left. Linear in `count`.
    package func forEachTag(
        from start: UInt32,
        looking count: Int,
        _ body: (Span<UInt8>, Int) -> Void
    ) -> UInt32? {
        let end = min(Int(start) + max(0, count), records.count)
        for number in min(Int(start), end)..<end {
            let tag = TagID(raw: UInt32(number))
            guard records[number].place != .free else { continue }
            let registrations = self.count(of: tag)
            if registrations > 0 { withSpelling(of: tag) { body($0, registrations) } }
        }
        return end < records.count ? UInt32(end) : nil
    }

    // MARK: Registrations

    /// Whether the slot holds a registration.
    package func contains(_ slot: SlotIndex) -> Bool { live.hasBit(slot) }

    /// Whether the registration in `slot` has the tag.
    package func has(_ tag: TagID, _ slot: SlotIndex) -> Bool {
        requireKnown(tag)
        let record = records[Int(tag.raw)]
        return switch record.place {
        case .free, .empty: false
        case .single: record.value == slot.raw
        case .list: lists[Int(record.value)].contains(slot)
        }
    }

    /// Calls `body` with every tag of the registration in `slot`, in no particular order.
    package func forEachTag(of slot: SlotIndex, _ body: (TagID) -> Void) {
        for index in 0..<forward.count(of: slot) { body(forward.tag(at: index, of: slot)) }
    }

    /// Enters a registration with these tags into a free slot; a tag given twice counts once.
    package mutating func insert(_ slot: SlotIndex, tags: [TagID]) {
        occupy(slot)
        forward.reserve(tags.count, for: slot)
        for tag in tags { add(tag, to: slot) }
        editedSinceIntern = true
    }

    private mutating func occupy(_ slot: SlotIndex) {
        precondition(!contains(slot), "slot \(slot.raw) holds a registration")
        universe = max(universe, Int(slot.raw) + 1)
        live.extend(toInclude: slot)
        _ = live.setBit(slot)
        slotCount += 1
    }

    /// Takes the registration out of the index and frees its slot; nothing for a free slot.
    package mutating func remove(_ slot: SlotIndex) {
        guard live.clearBit(slot) else { return }
        for index in 0..<forward.count(of: slot) { unpost(forward.tag(at: index, of: slot), slot) }
        forward.removeAll(of: slot)
        slotCount -= 1
        editedSinceIntern = true
    }

    /// Gives a registration, known or new, exactly these tags; posting lists of tags it keeps stay
    /// untouched.
    package mutating func replace(_ slot: SlotIndex, tags: [TagID]) {
        guard contains(slot) else { return insert(slot, tags: tags) }
        let before = (0..<forward.count(of: slot)).map { forward.tag(at: $0, of: slot) }
        for tag in before where !tags.contains(tag) { remove(tag, from: slot) }
        for tag in tags { add(tag, to: slot) }
        editedSinceIntern = true
    }

    /// Gives the registration in `slot` one more tag; nothing when it has it.
    package mutating func add(_ tag: TagID, to slot: SlotIndex) {
        precondition(contains(slot), "slot \(slot.raw) holds no registration")
        guard post(tag, slot) else { return }
        forward.append(tag, to: slot)
        editedSinceIntern = true
    }

    /// Takes one tag from the registration in `slot`; nothing when it hasn't got it.
    package mutating func remove(_ tag: TagID, from slot: SlotIndex) {
        guard has(tag, slot) else { return }
        unpost(tag, slot)
        forward.remove(tag, of: slot)
        editedSinceIntern = true
    }

    // MARK: Posting lists

    /// Where the posting list of a known tag is.
    func record(of tag: TagID) -> Record { records[Int(tag.raw)] }

    private mutating func post(_ tag: TagID, _ slot: SlotIndex) -> Bool {
        requireKnown(tag)
        let record = records[Int(tag.raw)]
        switch record.place {
        case .free, .empty:
            records[Int(tag.raw)].place = .single
            records[Int(tag.raw)].value = slot.raw
        case .single:
            guard record.value != slot.raw else { return false }
            let list = PostingList(SlotIndex(raw: record.value), slot)
            records[Int(tag.raw)].place = .list
            records[Int(tag.raw)].value = place(list)
        case .list:
            return lists[Int(record.value)].insert(slot, universe: universe)
        }
        return true
    }

    private mutating func unpost(_ tag: TagID, _ slot: SlotIndex) {
        let record = records[Int(tag.raw)]
        guard record.place == .list else {
            records[Int(tag.raw)].place = .empty
            wait(tag)
            return
        }
        let list = Int(record.value)
        let wasThere = lists[list].remove(slot, universe: universe)
        precondition(wasThere, "slot \(slot.raw) isn't in the posting list of tag \(tag.raw)")
        guard lists[list].count == 1 else { return }
        records[Int(tag.raw)].place = .single
        records[Int(tag.raw)].value = lists[list].first.raw
        lists[list] = PostingList()
        freeLists.append(record.value)
    }

    private mutating func place(_ list: PostingList) -> UInt32 {
        if let free = freeLists.popLast() {
            lists[Int(free)] = list
            return free
        }
        lists.append(list)
        return UInt32(lists.count - 1)
    }

    // MARK: Loading

    /// Finds the ids of a batch's tags, new ones for those that are not known.
    mutating func load(_ batch: inout TagBatch) {
        table.intern(&batch)
        precondition(table.numbersEnd == table.count, "an index that is loaded never lost a tag")
        let missing = table.numbersEnd - records.count
        records.append(contentsOf: repeatElement(Record(place: .empty), count: missing))
    }

    /// Enters a registration into a free slot, but not yet into posting lists.
    mutating func load(_ slot: SlotIndex, tags: ArraySlice<UInt32>) {
        occupy(slot)
        forward.fill(slot, with: tags)
    }

    /// Makes the posting lists of all registrations, which have none yet.
    ///
    /// Counts each tag's registrations, gives each tag a stretch of one array, and fills them all in
    /// one walk, in which slots ascend.
    mutating func makeLists() {
        precondition(lists.isEmpty, "an index that is loaded has no posting lists")
        var ends = [UInt32](repeating: 0, count: records.count)
        forward.forEach { _, tag in ends[Int(tag)] &+= 1 }
        var sum: UInt32 = 0
        var long = 0
        for tag in ends.indices {
            if ends[tag] > 1 { long += 1 }
            // Where the tag's stretch begins, which the walk moves to its end.
            (ends[tag], sum) = (sum, sum + ends[tag])
        }
        var slots = [SlotIndex](repeating: SlotIndex(raw: 0), count: Int(sum))
        forward.forEach { slot, tag in
            slots[Int(ends[Int(tag)])] = slot
            ends[Int(tag)] &+= 1
        }
        lists.reserveCapacity(long)
        var start = 0
        for tag in ends.indices {
            let stretch = slots[start..<Int(ends[tag])]
            start = stretch.endIndex
            enter(stretch, as: TagID(raw: UInt32(tag)))
        }
    }

    /// Makes the posting list of a tag that has none.
    private mutating func enter(_ slots: ArraySlice<SlotIndex>, as tag: TagID) {
        guard let first = slots.first else { return }
        precondition(records[Int(tag.raw)].place == .empty, "tag \(tag.raw) has registrations")
        if slots.count == 1 {
            records[Int(tag.raw)].place = .single
            records[Int(tag.raw)].value = first.raw
        } else {
            let list = PostingList(ascending: slots, universe: universe)
            records[Int(tag.raw)].place = .list
            records[Int(tag.raw)].value = place(list)
        }
    }

    // MARK: Tags without registrations

    private mutating func wait(_ tag: TagID) {
        guard !records[Int(tag.raw)].isWaiting else { return }
        records[Int(tag.raw)].isWaiting = true
        unused.append(tag)
    }

    /// Frees the ids of tags that no registration has and no pin keeps, as the next `intern` would.
    package mutating func forgetUnused() {
        if editedSinceIntern { sweep() }
    }

    /// Frees the ids of the waiting tags that still have neither slots nor pins.
    private mutating func sweep() {
        editedSinceIntern = false
        for tag in unused {
            records[Int(tag.raw)].isWaiting = false
            guard records[Int(tag.raw)].place == .empty, records[Int(tag.raw)].pins == 0
            else { continue }
            records[Int(tag.raw)].place = .free
            table.remove(tag.raw)
        }
        unused.removeAll(keepingCapacity: true)
    }

    private func requireKnown(_ tag: TagID) {
        precondition(
            Int(tag.raw) < records.count && records[Int(tag.raw)].place != .free,
            "tag id \(tag.raw) isn't in use: it was kept past the edit that freed it"
        )
    }
}
