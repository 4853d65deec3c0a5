import HubTestSupport
import HubTags
import Testing

@Suite("Loading of a tag index")
struct TagLoadingTests {
    private struct Size {
        var registrations: Int
        var tags: Int
        var most: Int
    }

    /// A registration: its slot and its tags as they are spelled.
    private struct Given {
        var slot: SlotIndex
        var tags: [[UInt8]]
    }

    private func given(_ size: Size, using random: inout SeededGenerator) -> [Given] {
        var slot: UInt32 = 0
        var all: [Given] = []
        for _ in 0..<size.registrations {
            slot += UInt32(1 + (random.chance(10) ? random.below(90) : 0))
            var tags = (0..<random.below(size.most + 1)).map { _ in
                let number = random.skewed(below: size.tags)
                // Some are longer than a few words, some shorter than one.
                let text = number % 5 == 0 ? "t\(number)" : "topic:\(number):of the whole world"
                return Array((random.chance(50) ? text : text.uppercased()).utf8)
            }
            if let first = tags.first, random.chance(20) { tags.append(first) }
            all.append(Given(slot: SlotIndex(raw: slot), tags: tags))
        }
        if random.chance(30) { all.shuffle(using: &random) }
        return all
    }

    private func addedOneByOne(_ given: [Given], seed: UInt64) -> TagIndex {
        var index = TagIndex(seed: seed)
        for one in given {
            let ids = one.tags.map { index.intern($0.span) }
            index.insert(one.slot, tags: ids)
        }
        return index
    }

    private func loaded(_ given: [Given], seed: UInt64) -> TagIndex {
        var index = TagIndex(seed: seed)
        var loading = TagLoading()
        for one in given {
            for tag in one.tags { loading.add(tag.span) }
            loading.end(one.slot, in: &index)
        }
        loading.finish(&index)
        return index
    }

    /// Every tag in use with its count, every registration with its tags, and who is selected by
    /// some expressions.
    private func contents(
        _ index: inout TagIndex,
        _ given: [Given],
        tags: Int,
        random: SeededGenerator
    ) throws -> [String] {
        var found = ["\(index.slotCount) slots, \(index.tagCount) tags"]
        _ = index.forEachTag(from: 0, looking: .max / 2) { tag, count in
            found.append("\(text(tag)) \(count)")
        }
        for one in given {
            var own: [String] = []
            index.forEachTag(of: one.slot) { tag in
                index.withSpelling(of: tag) { own.append(text($0)) }
            }
            found.append("\(one.slot.raw): \(own.sorted())")
        }
        var random = random
        var limits = TagLimits()
        limits.expressionTagsMixedMax = 20
        for _ in 0..<20 {
            let formula = Formula.random(
                tags: tags,
                size: Int.random(in: 1...6, using: &random),
                using: &random
            )
            let words = formula.text(
                { $0 % 5 == 0 ? "t\($0)" : "topic:\($0)" },
                using: &random
            )
            var audience: [SlotIndex] = []
            index.select(
                try TagExpression(parsing: Array(words.utf8), limits: limits),
                within: nil,
                into: &audience
            )
            found.append("\(words): \(audience.map(\.raw))")
        }
        return found
    }

    private func text(_ span: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        for place in span.indices { bytes.append(span[place]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "gives what adding one by one gives, and the same after further changes",
        arguments: [(0, 1, 1), (1, 3, 4), (40, 9, 12), (700, 150, 10), (3_000, 2_000, 60)],
        UInt64(1)...2
    )
    func equals(_ size: (Int, Int, Int), seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let size = Size(registrations: size.0, tags: size.1, most: size.2)
        let given = given(size, using: &random)
        var expected = addedOneByOne(given, seed: seed)
        var index = loaded(given, seed: seed)
        let asked = SeededGenerator(seed: seed &+ 1)
        let before = try contents(&index, given, tags: size.tags, random: asked)
        #expect(
            try before == contents(&expected, given, tags: size.tags, random: asked),
            "seed \(seed), \(size)"
        )
        for one in given where random.chance(60) {
            if random.chance(50) {
                index.remove(one.slot)
                expected.remove(one.slot)
                continue
            }
            let tag = Array("topic:\(random.below(size.tags + 5)):of the whole world".utf8)
            let ids = (index.intern(tag.span), expected.intern(tag.span))
            index.replace(one.slot, tags: [ids.0])
            expected.replace(one.slot, tags: [ids.1])
        }
        let after = try contents(&index, given, tags: size.tags, random: asked)
        #expect(
            try after == contents(&expected, given, tags: size.tags, random: asked),
            "seed \(seed), \(size)"
        )
    }

    @Test("costs no more memory than adding one by one")
    func memory() {
        var random = SeededGenerator(seed: 3)
        let given = given(Size(registrations: 20_000, tags: 9_000, most: 12), using: &random)
        let expected = addedOneByOne(given, seed: 1).memoryBytes
        let found = loaded(given, seed: 1).memoryBytes
        #expect(found <= expected)
    }
}
