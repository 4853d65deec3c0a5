import HubTestSupport
import HubTags
import Testing

@Suite("Tag set")
struct TagSetTests {
    private func strings(_ set: TagSet) -> [String] {
        var found: [String] = []
        set.forEach { tag in
            var bytes: [UInt8] = []
            for index in tag.indices { bytes.append(tag[index]) }
            found.append(String(decoding: bytes, as: UTF8.self))
        }
        return found
    }

    private func set(_ tags: String...) -> TagSet { TagSet(tags.map { Array($0.utf8) }) }

    @Test("keeps the first spelling, in the order first seen")
    func order() {
        let tags = set("World", "a", "WORLD", "Sports", "A", "sports")
        #expect(strings(tags) == ["World", "a", "Sports"])
        #expect(tags.count == 3)
        #expect(tags.range(at: 2) == 6..<12)
        #expect(tags.bytes == Array("WorldaSports".utf8))
    }

    @Test("finds a tag in any spelling and nothing else")
    func contains() {
        let tags = set("World", "username:mara", "é")
        for present in ["world", "WORLD", "UserName:Mara", "é"] {
            #expect(tags.index(of: Array(present.utf8).span) != nil, "\(present)")
        }
        for absent in ["", "worl", "worlds", "username:mar", "É"] {
            let isThere = tags.contains(Array(absent.utf8).span)
            #expect(!isThere, "\(absent)")
        }
        #expect(tags.index(of: Array("USERNAME:mara".utf8).span) == 1)
    }

    @Test("is equal to the same tags in another order and spelling")
    func equality() {
        #expect(set("a", "B") == set("b", "A"))
        #expect(set("a") != set("a", "b"))
        #expect(set("a", "c") != set("a", "b"))
        #expect(TagSet() == set())
    }

    @Test("joins and takes out")
    func algebra() {
        #expect(strings(set("a", "b").union(set("B", "c", "A", "d"))) == ["a", "b", "c", "d"])
        #expect(strings(set("a", "b", "c").subtracting(set("B", "x"))) == ["a", "c"])
        #expect(set("a").subtracting(set("A")).isEmpty)
        var tags = set("a")
        let repeated = tags.append(Array("A".utf8).span)
        let added = tags.append(Array("b".utf8).span)
        #expect(!repeated)
        #expect(added)
        #expect(strings(tags) == ["a", "b"])
    }

    @Test("agrees with a list of lower-cased strings", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tags = TagSet()
        var expected: [String] = []
        for _ in 0..<120 {
            let length = Int.random(in: 1...12, using: &random)
            let letters = Array("aAbB")
            let tag = String((0..<length).map { _ in letters.randomElement(using: &random) ?? "a" })
            tags.append(Array(tag.utf8).span)
            if !expected.contains(where: { $0.lowercased() == tag.lowercased() }) {
                expected.append(tag)
            }
        }
        #expect(strings(tags) == expected, "seed \(seed)")
        #expect(tags == TagSet(expected.shuffled(using: &random).map { Array($0.utf8) }))
    }
}
