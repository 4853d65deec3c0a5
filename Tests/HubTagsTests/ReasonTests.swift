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

    @Test(
        "each tag is held against the set, in the way in which it is wanted",
        arguments: [
            ("a", "a", "a+"), ("a && !b", "a", "a+ !b+"), ("a && !b", "a,b", "a+ !b-"),
            ("!(a || b) && c", "b", "!a+ !b- c-"), ("!!a", "a", "a+"),
            ("a || A || b", "a", "a+ b-"),
            ("a && !(b && !(c || a))", "a,c", "a+ !b+ c+"), ("a || !a", "b", "a- !a+"),
        ]
    )
    func terms(_ text: String, _ tags: String, _ expected: String) throws {
        let expression = try TagExpression(parsing: Array(text.utf8))
        let set = TagSet(tags.split(separator: ",").map { Array($0.utf8) })
        let told = expression.terms(tags: set).map {
            String(decoding: $0.text, as: UTF8.self) + ($0.holds ? "+" : "-")
        }
        #expect(told.joined(separator: " ") == expected)
    }

    @Test("with each term as it is wanted an expression holds, with none it does not")
    func monotone() throws {
        for text in ["a && !b", "!(a || b) && c", "a && (b || !(c && d))", "!a || !b"] {
            let expression = try TagExpression(parsing: Array(text.utf8))
            let terms = expression.terms(tags: TagSet())
            let all = TagSet(terms.filter(\.isWanted).map(\.tag))
            let none = TagSet(terms.filter { !$0.isWanted }.map(\.tag))
            #expect(expression.matches(tags: all), "\(text)")
            #expect(!expression.matches(tags: none), "\(text)")
        }
    }
}
