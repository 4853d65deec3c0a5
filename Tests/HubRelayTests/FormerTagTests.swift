import HubDirectory
import HubModel
import HubTags
import HubVocabulary
import Testing

/// Looks for registrations that had other tags when a record was accepted.
@Suite("Former tags of an audience")
struct FormerTagTests {
    /// The registrations with newer tags than a place has, and the numbers looked at for that.
    private struct Search: HubQuestion {
        struct Found: Equatable, Sendable {
            var numbers: [UInt32]
            var looks: Int
        }

        let sequence: UInt64
        var above: UInt32?
        var limit = 100

        func answer(_ hub: HubView) throws(Refusal) -> Found {
            var left = 1_000_000
            let numbers = hub.table.numbers(
                taggedBehind: sequence,
                above: above,
                limit: limit,
                looks: &left
            ) { _ in true }
            return Found(numbers: numbers.map(\.raw), looks: 1_000_000 - left)
        }
    }

    @Test("only where tags are newer are registrations looked at")
    func blocks() throws {
        let world = try RelayWorld()
        let all = try (0..<2_100).map { number in
            try world.register(HexText.digits(UInt64(number)), tags: ["a"])
        }
        let sequence = try world.send("hello", tags: "a")
        #expect(try world.ask(Search(sequence: sequence)) == Search.Found(numbers: [], looks: 0))
        for index in [3, 5, 2_099] {
            var content = all[index].content
            content.tags = TagSet([Array("b".utf8)])
            try world.put(all[index], content)
        }
        let changed = [3, 5, 2_099].map { all[$0].number.raw }
        let found = try world.ask(Search(sequence: sequence))
        #expect(found.numbers == changed)
        // The block between them is passed over.
        #expect((1...1_100).contains(found.looks), "\(found.looks)")
        #expect(try world.ask(Search(sequence: sequence, limit: 1)).numbers == [changed[0]])
        let rest = try world.ask(Search(sequence: sequence, above: changed[0]))
        #expect(rest.numbers == Array(changed.dropFirst()))
    }
}
