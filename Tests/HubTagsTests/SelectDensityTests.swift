import HubTags
import Testing

@Suite("Selecting from bitmaps of any density")
struct SelectDensityTests {
    /// Slots that have the tag `t`: so many of each 64, from a bit that moves on, so that first and
    /// last bits of words are among them.
    private static func members(_ perWord: Int, words: Int) -> [UInt32] {
        var members: [UInt32] = []
        for word in 0..<words {
            let bits = (0..<perWord).map { (word * 7 + $0) % 64 }
            for bit in bits.sorted() { members.append(UInt32(word * 64 + bit)) }
        }
        return members
    }

    private static func select(_ text: String, _ index: inout TagIndex) throws -> [UInt32] {
        var audience: [SlotIndex] = []
        let expression = try TagExpression(parsing: Array(text.utf8))
        index.select(expression, within: nil, into: &audience)
        return audience.map(\.raw)
    }

    private static func id(_ tag: String, _ index: inout TagIndex) -> TagID {
        let bytes = Array(tag.utf8)
        return index.intern(bytes.span)
    }

    @Test("gives every slot once, in order, with 1 to 64 of them in each word", arguments: 1...64)
    func density(perWord: Int) throws {
        let words = 20
        let members = Self.members(perWord, words: words)
        let isMember = Set(members)
        var index = TagIndex(seed: 9)
        for slot in 0..<UInt32(words * 64) {
            var tags = [Self.id("all", &index)]
            if isMember.contains(slot) { tags.append(Self.id("t", &index)) }
            if slot % 2 == 0 { tags.append(Self.id("even", &index)) }
            if slot % 300 == 1 { tags.append(Self.id("rare", &index)) }
            index.insert(SlotIndex(raw: slot), tags: tags)
        }
        let all = Array(0..<UInt32(words * 64))
        #expect(try Self.select("t", &index) == members)
        let others = all.filter { !isMember.contains($0) }
        #expect(try Self.select("all && !t", &index) == others)
        let evenMembers = members.filter { $0 % 2 == 0 }
        #expect(try Self.select("t && even", &index) == evenMembers)
        let either = all.filter { $0 % 2 == 0 || isMember.contains($0) }
        #expect(try Self.select("t || even", &index) == either)
        let rare = all.filter { $0 % 300 == 1 }
        let rareOnes = rare.filter { $0 % 2 == 0 || isMember.contains($0) }
        #expect(try Self.select("(t || even) && rare", &index) == rareOnes)
        let odd = all.filter { $0 % 2 == 1 }
        let wanted = odd.filter { isMember.contains($0) || $0 % 300 == 1 }
        #expect(try Self.select("(t || rare) && all && !even", &index) == wanted)
    }
}
