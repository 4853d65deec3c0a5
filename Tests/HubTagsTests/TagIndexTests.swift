import HubTestSupport
import HubTags
import Testing

@Suite("Tag index")
struct TagIndexTests {
    private func ids(
        _ index: inout TagIndex,
        _ tags: String...
    ) -> [TagID] {
        tags.map { index.intern(Array($0.utf8).span) }
    }

    private func select(
        _ index: inout TagIndex,
        _ text: String?,
        within base: TagID? = nil
    ) throws -> [UInt32] {
        var audience: [SlotIndex] = []
        let expression = try text.map { try TagExpression(parsing: Array($0.utf8)) }
        index.select(expression, within: base, into: &audience)
        return audience.map(\.raw)
    }

    @Test(
        "names each tag in use once, with its count, in stretches of any length",
        arguments: 1..<9
    )
    func everyTag(stretch: Int) {
        var index = TagIndex(seed: 1)
        let tags = ids(&index, "World", "sport", "user:1", "gone")
        index.insert(SlotIndex(raw: 3), tags: [tags[0], tags[1]])
        index.insert(SlotIndex(raw: 5), tags: [tags[0], tags[2]])
        index.insert(SlotIndex(raw: 9), tags: [tags[3]])
        index.remove(SlotIndex(raw: 9))
        var found: [String] = []
        var start: UInt32? = 0
        while let from = start {
            start = index.forEachTag(from: from, looking: stretch) { tag, count in
                var bytes: [UInt8] = []
                for place in tag.indices { bytes.append(tag[place]) }
                found.append("\(String(decoding: bytes, as: UTF8.self)) \(count)")
            }
        }
        #expect(found.sorted() == ["World 2", "sport 1", "user:1 1"])
    }

    @Test(
        "equals a naive model after random edits",
        arguments: [(7, 5), (40, 12), (300, 60), (3_000, 200)],
        0..<2 as Range<UInt64>
    )
    func model(size: (slots: Int, tags: Int), seed: UInt64) throws {
        var model = TagIndexModel(seed: seed, slots: size.slots, tags: size.tags)
        let edits = size.slots < 100 ? 20 : size.slots * 2
        var limits = TagLimits()
        limits.expressionTagsMixedMax = 20
        for round in 0..<(size.slots < 100 ? 60 : 6) {
            for _ in 0..<edits { model.edit() }
            for _ in 0..<20 {
                let nodes = Int.random(in: 0...8, using: &model.random)
                let formula: Formula? =
                    nodes == 0
                    ? nil : Formula.random(tags: size.tags, size: nodes, using: &model.random)
                var spelling = model.random
                let text = formula?.text(
                    { number in
                        spelling.chance(50) ? "topic:number\(number)" : "TOPIC:Number\(number)"
                    },
                    using: &model.random
                )
                let base = [nil, 0, 1].randomElement(using: &model.random) ?? nil
                let expression = try text.map {
                    try TagExpression(parsing: Array($0.utf8), limits: limits)
                }
                var audience: [SlotIndex] = []
                model.index.select(
                    expression,
                    within: base.map { model.classes[$0] },
                    into: &audience
                )
                let expected = model.expected(formula, within: base)
                let note =
                    "\(text ?? "everyone") within \(base ?? -1), seed \(seed), round \(round)"
                #expect(audience == expected, "\(note)")
            }
            checkCounts(&model, seed: seed)
        }
    }

    @Test(
        "goes on when all its places were taken once, as long as those of living tags fit",
        arguments: 0..<20 as Range<UInt64>
    )
    func fullOfHoles(seed: UInt64) {
        // Seven slots of at most seven tags need eight places each, and eight more while one grows.
        var model = TagIndexModel(seed: seed, slots: 7, tags: 5, membershipsMax: 64)
        for _ in 0..<500 { model.edit() }
        checkCounts(&model, seed: seed)
        for slot in 0..<7 as Range<UInt32> { model.index.remove(SlotIndex(raw: slot)) }
        let (fits, exceeds) = (
            model.index.hasRoom(forMemberships: 32), !model.index.hasRoom(forMemberships: 33)
        )
        #expect(fits && exceeds, "places that are given back are there again")
    }

    private func checkCounts(_ model: inout TagIndexModel, seed: UInt64) {
        let live = model.registrations.count { $0 != nil }
        let slotCount = model.index.slotCount
        #expect(slotCount == live, "seed \(seed)")
        for tag in 0..<model.tags {
            let known = model.index.lookup(Array("topic:NUMBER\(tag)".utf8).span)
            let count = known.map { model.index.count(of: $0) } ?? 0
            #expect(count == model.count(of: tag), "tag \(tag), seed \(seed)")
        }
        for (number, tags) in model.registrations.enumerated() {
            var found: Set<Int> = []
            model.index.forEachTag(of: SlotIndex(raw: UInt32(number))) { tag in
                let spelled = model.index.withSpelling(of: tag) { spelling in
                    var bytes: [UInt8] = []
                    for position in spelling.indices { bytes.append(spelling[position]) }
                    return String(decoding: bytes, as: UTF8.self)
                }
                if let tag = Int(spelled.dropFirst(12)) { found.insert(tag) }
            }
            #expect(found == tags ?? [], "slot \(number), seed \(seed)")
        }
    }

    @Test("keeps the first spelling and finds a tag in every other")
    func spelling() {
        var index = TagIndex(seed: 1)
        let first = index.intern(Array("World".utf8).span)
        let second = index.intern(Array("WORLD".utf8).span)
        let found = index.lookup(Array("world".utf8).span)
        let absent = index.lookup(Array("worlds".utf8).span)
        let spelled = index.withSpelling(of: first) { $0[1] }
        #expect(first == second)
        #expect(found == first)
        #expect(absent == nil)
        #expect(spelled == UInt8(ascii: "o"))
    }

    @Test("appends behind what the audience holds")
    func appends() {
        var index = TagIndex(seed: 1)
        index.insert(SlotIndex(raw: 3), tags: [])
        var audience = [SlotIndex(raw: 9)]
        index.select(nil, within: nil, into: &audience)
        #expect(audience.map(\.raw) == [9, 3])
    }

    @Test("addresses registrations without tags by negation and by broadcast only")
    func untagged() throws {
        var index = TagIndex(seed: 1)
        index.insert(SlotIndex(raw: 0), tags: [])
        index.insert(SlotIndex(raw: 1), tags: ids(&index, "a"))
        let everyone = try select(&index, nil)
        let without = try select(&index, "!a")
        let either = try select(&index, "a || !a")
        let nobody = try select(&index, "b")
        let notB = try select(&index, "!b")
        let contradiction = try select(&index, "a && !a")
        #expect(everyone == [0, 1])
        #expect(without == [0])
        #expect(either == [0, 1])
        #expect(nobody == [])
        #expect(notB == [0, 1])
        #expect(contradiction == [])
    }

    @Test("forgets a slot entirely before it is used again")
    func slotReuse() throws {
        var index = TagIndex(seed: 1)
        let slot = SlotIndex(raw: 5)
        index.insert(slot, tags: ids(&index, "a", "b"))
        index.remove(slot)
        index.remove(slot)
        let gone = index.contains(slot)
        index.insert(slot, tags: ids(&index, "c"))
        let a = try select(&index, "a || b")
        let c = try select(&index, "c")
        #expect(!gone)
        #expect(a == [])
        #expect(c == [5])
    }

    @Test("gives the id of an unused tag to another, and never that of a pinned one")
    func idReuse() {
        var index = TagIndex(seed: 1)
        let pinned = index.intern(Array("pinned".utf8).span)
        index.pin(pinned)
        let slot = SlotIndex(raw: 0)
        let old = ids(&index, "a", "b")
        index.insert(slot, tags: old)
        // Interned before the edit, so good until the first intern behind it.
        let kept = ids(&index, "b", "c")
        index.remove(slot)
        index.insert(slot, tags: kept)
        let fresh = ids(&index, "d")
        let a = index.lookup(Array("a".utf8).span)
        let stillPinned = index.lookup(Array("pinned".utf8).span)
        #expect(fresh[0] == old[0])
        #expect(kept[0] == old[1])
        #expect(a == nil)
        #expect(stillPinned == pinned)
        index.unpin(pinned)
        _ = ids(&index, "e")
        let unpinned = index.lookup(Array("pinned".utf8).span)
        let tagCount = index.tagCount
        #expect(unpinned == nil)
        #expect(tagCount == 3, "b, c and e")
    }

    @Test("doesn't grow however many tags and registrations come and go")
    func memory() {
        var index = TagIndex(seed: 7)
        var random = SeededGenerator(seed: 7)
        var peak = 0
        for round in 0..<40 {
            for slot in 0..<200 as Range<UInt32> {
                var tags: [TagID] = []
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    let length = Int.random(in: 8...60, using: &random)
                    let bytes = (0..<length).map { _ in
                        UInt8.random(in: 0x61...0x7A, using: &random)
                    }
                    tags.append(index.intern(bytes.span))
                }
                index.replace(SlotIndex(raw: slot), tags: tags)
            }
            if round == 7 { peak = index.memoryBytes }
        }
        let afterwards = index.memoryBytes
        #expect(afterwards <= peak * 5 / 4, "\(peak) bytes grew to \(afterwards)")
        for slot in 0..<200 as Range<UInt32> { index.remove(SlotIndex(raw: slot)) }
        _ = index.intern(Array("last".utf8).span)
        let tagCount = index.tagCount
        #expect(tagCount == 1)
    }

    @Test("holds the same registrations whatever its seed")
    func seeds() throws {
        var expected: [UInt32]?
        for seed in 0..<5 as Range<UInt64> {
            var index = TagIndex(seed: seed)
            var random = SeededGenerator(seed: 3)
            for slot in 0..<500 as Range<UInt32> {
                let tags = (0..<5).map { _ in "t\(random.skewed(below: 40))" }
                index.insert(
                    SlotIndex(raw: slot),
                    tags: tags.map { index.intern(Array($0.utf8).span) }
                )
            }
            let found = try select(&index, "(t0 || t7) && !t3")
            #expect(found == expected ?? found, "seed \(seed)")
            expected = found
        }
    }

    @Test("turns lists dense and sparse again without losing a slot", arguments: [0, 1, 2])
    func forms(seed: UInt64) throws {
        var index = TagIndex(seed: seed)
        var random = SeededGenerator(seed: seed)
        var expected: Set<UInt32> = []
        // Many slots early, so that the list is a bitmap when the universe grows around it.
        for slot in 0..<100 as Range<UInt32> {
            index.insert(SlotIndex(raw: slot), tags: ids(&index, "a"))
            expected.insert(slot)
        }
        for slot in stride(from: 100 as UInt32, to: 40_000, by: 1) {
            let isMember = slot == 39_999 || random.chance(slot < 20_000 ? 0 : 8)
            index.insert(SlotIndex(raw: slot), tags: isMember ? ids(&index, "a") : [])
            if isMember { expected.insert(slot) }
        }
        var found = try select(&index, "a")
        #expect(found == expected.sorted(), "seed \(seed)")
        for slot in expected.sorted().shuffled(using: &random) {
            index.remove(SlotIndex(raw: slot))
            expected.remove(slot)
            guard expected.count % 97 == 0 || expected.count < 4 else { continue }
            found = try select(&index, "a")
            #expect(found == expected.sorted(), "seed \(seed), \(expected.count) left")
        }
    }

    @Test("traps on an id kept past the edit that freed it")
    func staleID() async {
        await #expect(processExitsWith: .failure) {
            var index = TagIndex(seed: 1)
            let slot = SlotIndex(raw: 0)
            let tags = ["a", "b"].map { index.intern(Array($0.utf8).span) }
            index.insert(slot, tags: tags)
            index.remove(slot)
            // Frees both ids and takes the one of "b" again.
            _ = index.intern(Array("c".utf8).span)
            index.insert(slot, tags: [tags[0]])
        }
    }
}
