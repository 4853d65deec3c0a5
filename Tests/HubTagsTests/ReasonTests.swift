import HubTags
import Testing

@Suite("Why an expression does not hold")
struct ReasonTests {
    @Test(
        "the smallest part that fails is named, nothing when it holds",
        arguments: [
            ("a", "a", nil), ("a", "b", "a"), ("a || b", "c", "a || b"), ("a&&b", "a", "b"),
            ("a && b && c", "b,c", "a"), ("!a", "a", "!a"), ("!a", "b", nil),
            ("a && !(b || c)", "a,c", "!(b || c)"), ("(a || b) && c", "c", "a || b"),
            ("a && (b || (c && d))", "a,c", "b || c && d"),
            ("!(a && b) && c", "a,b,c", "!(a && b)"),
            ("!!a", "b", "a"), ("A && B", "a", "B"),
            ("(a && b) || (c && d)", "a,d", "a && b || c && d"),
        ] as [(String, String, String?)]
    )
    func parts(_ text: String, _ tags: String, _ expected: String?) throws {
        let expression = try TagExpression(parsing: Array(text.utf8))
        let set = TagSet(tags.split(separator: ",").map { Array($0.utf8) })
        let part = expression.failingPart(tags: set).map { String(decoding: $0, as: UTF8.self) }
        #expect(part == expected)
        #expect(expression.matches(tags: set) == (expected == nil))
        // Its own spelling is an expression again, and it is false too.
        guard let part else { return }
        let again = try TagExpression(parsing: Array(part.utf8))
        #expect(!again.matches(tags: set))
    }
}
