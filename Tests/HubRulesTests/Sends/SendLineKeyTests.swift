import HubModel
import HubRules
import HubVocabulary
import Testing

@Suite("The key of a line")
struct SendLineKeyTests {
    private static let now = Timestamp(milliseconds: 1_777_885_923_123)

    private static func keyed(_ line: String) -> String {
        String(decoding: SendLine.line(Array(line.utf8), withKey: "f/12"), as: UTF8.self)
    }

    static let lines: [(String, String)] = [
        (#"{"body":{}}"#, #"{"body":{},"idempotencyKey":"f/12"}"#),
        (#" { "body" : "}" } "# + "\r", #" { "body" : "}" ,"idempotencyKey":"f/12"} "# + "\r"),
        (
            #"{"body":{"idempotencyKey":"inner"},"tags":"a"}"#,
            #"{"body":{"idempotencyKey":"inner"},"tags":"a","idempotencyKey":"f/12"}"#
        ),
        (
            #"{"tags":"idempotencyKey","body":[{"a":["b"]}]}"#,
            #"{"tags":"idempotencyKey","body":[{"a":["b"]}],"idempotencyKey":"f/12"}"#
        ),
    ]

    @Test("is its last member, and the line is a send with it", arguments: lines)
    func given(_ line: String, _ expected: String) throws {
        #expect(Self.keyed(line) == expected)
        let read = try SendLines.read(
            Array(Self.keyed(#"{"format":"baidu",\#(line.drop { $0 != "{" }.dropFirst())"#).utf8),
            headers: [],
            rule: "full",
            now: Self.now
        )
        #expect(try read[0].draft.get().idempotency != nil)
    }

    @Test(
        "is not given to a line that has one, or that is refused in any case",
        arguments: [
            #"{"body":{},"idempotencyKey":"own"}"#, #"{"idempotencyKey":7,"body":{}}"#,
            #"{"body":{},"idempotency\u004bey":"own"}"#, "{}", "{ }", "[]", "[{\"a\":1}]", "7",
            #"{"body":{}"#, #"{"body":{}} {}"#, #"{"body":{}}x"#, "", "{\"a\":\u{1}}",
        ]
    )
    func none(_ line: String) {
        #expect(Self.keyed(line) == line)
    }
}
