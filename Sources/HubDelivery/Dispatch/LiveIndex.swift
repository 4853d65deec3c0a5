import HubModel
import HubTags
import HubVocabulary

/// The registrations of one shard's live sessions by their tags, and the audience that was selected
/// last.
struct LiveIndex: ~Copyable {
    private var tags: TagIndex
    private(set) var slots: [IndexedSlot] = []
    private var free: [UInt32] = []
    private let nativeTags: [TagID]
    private let templateTag: TagID
    /// The audience that was selected last.
    private(set) var audience: [SlotIndex] = []

    /// An index without registrations.
    init(seed: UInt64) {
        tags = TagIndex(seed: seed)
        // Class tags begin with a control character, which no tag may hold.
        var nativeTags: [TagID] = []
        for platform in Platform.allCases {
            let name: [UInt8] = [1, UInt8(ascii: "n"), platform.rawValue]
            nativeTags.append(tags.intern(name.span))
        }
        let templateName: [UInt8] = [1, UInt8(ascii: "t")]
        templateTag = tags.intern(templateName.span)
        tags.pin(templateTag)
        for tag in nativeTags { tags.pin(tag) }
        self.nativeTags = nativeTags
    }

    subscript(slot: SlotIndex) -> IndexedSlot { slots[Int(slot.raw)] }

    // MARK: Selection

    /// Selects all registrations of a class that an expression means; nil means all.
    mutating func select(_ expression: TagExpression?, of format: NotificationFormat) {
        audience.removeAll(keepingCapacity: true)
        tags.select(expression, within: classTag(of: format), into: &audience)
    }

    /// Selects these registrations.
    mutating func select(_ slots: [SlotIndex]) { audience = slots.sorted { $0.raw < $1.raw } }

    /// The first place in the audience, behind one, whose registration gets another parcel.
    func endOfRun(from start: Int) -> Int {
        let first = self[audience[start]]
        var end = start + 1
        while end < audience.count, self[audience[end]].isAlike(first) { end += 1 }
        return end
    }

    /// The class tag that native sends of a platform, or template sends, are restricted to.
    private func classTag(of format: NotificationFormat) -> TagID {
        switch format {
        case .native(let platform): nativeTags[Int(platform.rawValue)]
        case .template: templateTag
        }
    }

    // MARK: Registrations

    /// Adds a registration with its tags.
    mutating func insert(_ entry: IndexedSlot, of item: SessionRegistration) -> SlotIndex {
        let slot: SlotIndex
        if let last = free.popLast() {
            slots[Int(last)] = entry
            slot = SlotIndex(raw: last)
        } else {
            slot = SlotIndex(raw: UInt32(slots.count))
            slots.appendSparingly(entry)
        }
        var found = [classTag(of: item.isTemplate ? .template : .native(item.platform))]
        item.tags.forEach { tag in found.append(tags.intern(tag)) }
        tags.insert(slot, tags: found)
        return slot
    }

    /// Removes a registration.
    mutating func remove(_ slot: SlotIndex) {
        tags.remove(slot)
        free.append(slot.raw)
    }

    /// The tags of a registration, as they were first spelled here.
    func tags(of slot: SlotIndex) -> TagSet {
        let entry = self[slot]
        let base = classTag(of: entry.template != 0 ? .template : .native(entry.platform))
        var found: [TagID] = []
        var bytes = 0
        tags.forEachTag(of: slot) { tag in
            guard tag != base else { return }
            found.append(tag)
            bytes += tags.withSpelling(of: tag) { $0.count }
        }
        var spelled = TagSet()
        spelled.reserveCapacity(tags: found.count, bytes: bytes)
        for tag in found { tags.withSpelling(of: tag) { _ = spelled.append($0) } }
        return spelled
    }
}
