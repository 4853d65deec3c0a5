import Foundation
import HubTemplates
import HubTestSupport
import Testing

@Suite("Cuts of properties")
struct TemplateCutTests {
    /// Pieces that join to larger characters, or fall apart.
    private static let pieces = [
        "a", "b", "\r", "\n", "\u{301}", "\u{E9}", "\u{1F468}", "\u{200D}", "\u{1F1E9}",
        "\u{1F1EA}", "\u{1F3FD}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{915}", "\u{94D}",
    ]

    /// What the expressions render to, each a value of one body.
    private static func fill(_ expressions: [String], with bag: PropertyBag) throws -> [String] {
        let body = try JSONSerialization.data(withJSONObject: ["v": expressions])
        let filled = try TemplateTrial.fill(String(decoding: body, as: UTF8.self), with: bag)
        let object = try JSONSerialization.jsonObject(with: Data(filled.utf8))
        return try #require((object as? [String: [String]])?["v"])
    }

    @Test(
        "end where a Swift String ends, in any order of lengths",
        arguments: 0..<60 as Range<UInt64>
    )
    func characters(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = (0..<30).map { _ in random.pick(Self.pieces) }.joined()
        let lengths = (0..<40).map { _ in random.below(34) }
        let expected = lengths.map { Array(text.prefix($0).utf8) }
        let known = lengths.map { "$(p, \($0))" }
        let absent = lengths.map { "$(q:{\(text)}, \($0))" }
        for expressions in [known, absent] {
            let values = try Self.fill(expressions, with: TemplateTrial.bag("p", text))
            #expect(values.map { Array($0.utf8) } == expected, "seed \(seed), \(text)")
        }
    }

    @Test("count a property's characters once, whatever expressions cut it. [X-6]")
    func once() throws {
        let giant = "a" + String(repeating: "\u{301}", count: 30_000) + "bcdef"
        let bag = TemplateTrial.bag("p", giant)
        let joined = "{" + Array(repeating: ".(p,3)", count: 60).joined(separator: "+") + "}"
        func time(_ expressions: [String]) throws -> Duration {
            let durations = try (0..<3).map { _ in
                let start = ContinuousClock.now
                let values = try Self.fill(expressions, with: bag)
                let duration = ContinuousClock.now - start
                #expect(values.allSatisfy { $0.allSatisfy { $0 == "." } })
                return duration
            }
            return try #require(durations.min())
        }
        let one = try time([".(p,3)"])
        let many = try time(Array(repeating: joined, count: 16))
        #expect(many < one * 100, "960 expressions took \(many), one \(one)")
    }
}
