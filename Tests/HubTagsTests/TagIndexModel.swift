import HubTestSupport
import HubTags

/// An index and beside it the same registrations in the plainest form, edited in step.
struct TagIndexModel: ~Copyable {
    var index: TagIndex
    var random: SeededGenerator
    /// By slot; nil for a free one.
    var registrations: [Set<Int>?]
    let tags: Int
    /// Every registration has one of two class tags, which expressions can't name.
    var classOf: [Int]
    private(set) var classes: [TagID] = []

    init(
        seed: UInt64,
        slots: Int,
        tags: Int,
        membershipsMax: Int = TagIndex.membershipsMax
    ) {
        random = SeededGenerator(seed: seed)
        index = TagIndex(seed: random.next(), membershipsMax: membershipsMax)
        registrations = Array(repeating: nil, count: slots)
        classOf = Array(repeating: 0, count: slots)
        self.tags = tags
        for name in ["\u{1}n", "\u{1}t"] {
            let tag = index.intern(Array(name.utf8).span)
            index.pin(tag)
            classes.append(tag)
        }
    }

    /// A spelling of a tag, a different one each time it is asked.
    mutating func spelling(_ tag: Int) -> String {
        let text = "topic:Number\(tag)"
        return random.chance(50) ? text : random.chance(50) ? text.lowercased() : text.uppercased()
    }

    mutating func intern(_ tag: Int) -> TagID {
        let text = Array(spelling(tag).utf8)
        return index.intern(text.span)
    }

    mutating func randomTags() -> Set<Int> {
        let count = random.chance(10) ? 0 : Int.random(in: 0...12, using: &random)
        var chosen: Set<Int> = []
        for _ in 0..<count { chosen.insert(random.skewed(below: tags)) }
        return chosen
    }

    /// One random change of one random registration.
    mutating func edit() {
        let number = Int.random(in: 0..<registrations.count, using: &random)
        let slot = SlotIndex(raw: UInt32(number))
        guard let before = registrations[number] else {
            let chosen = randomTags()
            classOf[number] = random.chance(20) ? 1 : 0
            var ids = chosen.sorted().map { intern($0) }
            if let repeated = ids.first, random.chance(20) { ids.append(repeated) }
            index.insert(slot, tags: ids + [classes[classOf[number]]])
            registrations[number] = chosen
            return
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            index.remove(slot)
            registrations[number] = nil
        case 4..<6:
            let chosen = randomTags()
            let ids = chosen.sorted().map { intern($0) }
            index.replace(slot, tags: ids + [classes[classOf[number]]])
            registrations[number] = chosen
        case 6..<8:
            let tag = random.skewed(below: tags)
            index.add(intern(tag), to: slot)
            registrations[number]?.insert(tag)
        default:
            guard let tag = before.sorted().randomElement(using: &random) else { return }
            index.remove(intern(tag), from: slot)
            registrations[number]?.remove(tag)
        }
    }

    /// What the plain form says a selection must give.
    func expected(_ formula: Formula?, within base: Int?) -> [SlotIndex] {
        var found: [SlotIndex] = []
        for (number, tags) in registrations.enumerated() {
            guard let tags, base == nil || base == classOf[number] else { continue }
            guard formula?.holds({ tags.contains($0) }) ?? true else { continue }
            found.append(SlotIndex(raw: UInt32(number)))
        }
        return found
    }

    /// How many registrations have the tag.
    func count(of tag: Int) -> Int {
        registrations.count { $0?.contains(tag) ?? false }
    }
}
