import HubRelay
import HubVocabulary
import Testing

@Suite("Memory of foreign handles")
struct ForeignMemoryTests {
    private static func handle(_ number: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 7, count: 16)
        bytes.appendBigEndian(UInt64(number))
        bytes.appendBigEndian(UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
        return bytes
    }

    @Test("what was put in is known for its generation, and nothing else is")
    func knows() {
        var memory = ForeignMemory()
        #expect(!memory.contains(Self.handle(1), generation: 16))
        for number in 0..<2_000 { memory.insert(Self.handle(number), generation: 16) }
        for number in 0..<2_000 {
            #expect(!memory.contains(Self.handle(number), generation: 17))
            #expect(!memory.contains(Self.handle(number + 2_000), generation: 16))
        }
        // Only a full bucket forgets.
        let known = (0..<2_000).count { memory.contains(Self.handle($0), generation: 16) }
        #expect(known > 1_800)
    }

    @Test("at its limit it forgets instead of growing, and most of the last ones are known")
    func limit() {
        let most = 32_768
        var memory = ForeignMemory(placesMax: most)
        let count = most * 2
        for number in 0..<count { memory.insert(Self.handle(number), generation: 16) }
        let known = (0..<count).count { memory.contains(Self.handle($0), generation: 16) }
        #expect(known <= most)
        let last = (count - 10_000..<count).count {
            memory.contains(Self.handle($0), generation: 16)
        }
        #expect(last > 8_000)
    }
}
