@testable import HubHarness
import HubModel
import HubRules
import HubTags
import HubVocabulary
import Testing

@Suite("Patches of installations")
struct InstallationPatchTests {
    private typealias Given = GivenInstallation

    /// One operation.
    private static func op(_ verb: String, _ path: String, _ value: String? = nil) -> String {
        #"[{"op":"\#(verb)","path":"\#(path)"\#(value.map { #","value":\#($0)"# } ?? "")}]"#
    }

    private static let full = Given.apple(
        #""userId":"mara","tags":["World","Sports"],"pushVariables":{"nick":"M"},"#
            + #""templates":{"Daily news":{"body":"{\"a\":\"b\"}","headers":{"apns-priority":"5"}}}"#
    )

    @Test(
        "each path does what the reference says",
        arguments: [
            (op("add", "/pushChannel", #""CD02""#), #""pushChannel":"CD02""#),
            (op("replace", "/pushchannel", #""CD02""#), #""pushChannel":"CD02""#),
            (op("ADD", "/userId", #""ada""#), #""userId":"ada""#),
            (
                op("replace", "/expirationTime", #""2026-08-02T09:12:00Z""#),
                "2026-08-02T09:12:00.000Z"
            ),
            (op("add", "/tags", #""x""#), #""tags":["World","Sports","x"]"#),
            (op("add", "/tags", #"["x","WORLD"]"#), #""tags":["World","Sports","x"]"#),
            (op("add", "/tags/x"), #""tags":["World","Sports","x"]"#),
            (op("add", "/tags/-", #""x""#), #""tags":["World","Sports","x"]"#),
            (op("replace", "/tags", #""a,b, c""#), #""tags":["a","b","c"]"#),
            (op("replace", "/tags", #""[\"a\",\"b\"]""#), #""tags":["a","b"]"#),
            (op("replace", "/tags/world", #""x""#), #""tags":["Sports","x"]"#),
            (op("remove", "/tags/WORLD"), #""tags":["Sports"]"#),
            (op("remove", "/tags/unknown"), #""tags":["World","Sports"]"#),
            (op("add", "/pushVariables/town", #""Rome""#), #"{"nick":"M","town":"Rome"}"#),
            (op("replace", "/pushVariables/NICK", #""N""#), #"{"NICK":"N"}"#),
            (op("add", "/pushVariables", #"{"a":"b"}"#), #""pushVariables":{"a":"b"}"#),
            (
                op("add", "/templates/new", #"{"body":"{\"x\":\"y\"}","tags":["t"]}"#),
                #""new":{"body":"{\"x\":\"y\"}","tags":["t"]}"#
            ),
            (
                op("add", "/templates/new", #""{\"body\":\"{}\",\"name\":\"new\"}""#),
                #""new":{"body":"{}","tags":["new"]}"#
            ),
            (
                op("replace", "/templates/Daily news/body", #""{\"c\":\"d\"}""#),
                #""body":"{\"c\":\"d\"}""#
            ),
            (
                op("add", "/templates/Daily news/headers/APNS-Priority", #""10""#),
                #""headers":{"APNS-Priority":"10"}"#
            ),
            (
                op("replace", "/templates/Daily news/headers", #""{\"apns-topic\":\"t\"}""#),
                #""headers":{"apns-topic":"t"}"#
            ),
            (op("add", "/templates/Daily news/expiry", #""0""#), #""expiry":"0""#),
            (
                op("add", "/templates/Daily news/tags/extra"),
                #""tags":["extra"]}}}"#
            ),
            (op("add", "/templates/a~1b~0c", #"{"body":"{}"}"#), #""a/b~c":{"body":"{}""#),
        ]
    )
    func paths(patch: String, expected: String) throws {
        let text = try Given.patched(Self.full, patch)
        #expect(text.contains(expected), "\(patch): \(text)")
    }

    @Test(
        "what is removed is gone, and so is what was not there",
        arguments: [
            ("/userId", #""userId""#), ("/tags", #""tags":["World""#),
            ("/pushVariables", "pushVariables"), ("/pushVariables/nick", "pushVariables"),
            ("/templates", "templates"), ("/templates/Daily news", "templates"),
            ("/templates/Daily news/headers", "headers"),
            ("/templates/Daily news/headers/apns-priority", "headers"),
        ]
    )
    func removals(path: String, gone: String) throws {
        #expect(try Given.patched(Self.full, "[]").contains(gone), "\(path)")
        let once = try Given.patched(Self.full, Self.op("remove", path))
        #expect(!once.contains(gone), "\(path): \(once)")
        let twice = try Given.patched(once, Self.op("remove", path))
        #expect(twice == once, "\(path)")
    }

    @Test("the expiry is removed and set to never alike")
    func expiry() throws {
        let lapsing = Given.apple(#""expirationTime":"2026-08-02T09:12:00Z""#)
        for patch in [
            Self.op("remove", "/expirationTime"), Self.op("add", "/expirationTime", "null"),
            Self.op("add", "/expirationTime", #""0001-01-01T00:00:00""#),
        ] {
            #expect(try Given.patched(lapsing, patch) == Given.stored())
        }
    }

    @Test("secondary tiles and everything in them")
    func tiles() throws {
        var text = #"{"installationId":"i-1","platform":"wns","pushChannel":"https://p.example/1"}"#
        for patch in [
            Self.op("add", "/secondaryTiles/t", #"{"pushChannel":"https://p.example/2"}"#),
            Self.op("add", "/secondaryTiles/u", #""{\"pushChannel\":\"https://p.example/3\"}""#),
            Self.op("add", "/secondaryTiles/t/tags/rain"),
            Self.op("add", "/SecondaryTiles/t/templates/n", #"{"body":"<toast/>"}"#),
            Self.op("replace", "/secondaryTiles/t/pushChannel", #""https://p.example/4""#),
            Self.op("replace", "/secondaryTiles/t/templates/n/tags", #""x,y""#),
            Self.op("remove", "/secondaryTiles/u"), Self.op("remove", "/secondaryTiles/none"),
        ] {
            text = try Given.patched(text, patch)
        }
        #expect(
            text.hasSuffix(
                #""secondaryTiles":{"t":{"pushChannel":"https://p.example/4","tags":["rain"],"#
                    + #""templates":{"n":{"body":"<toast/>","tags":["x","y"]}}}}}"#
            ),
            "\(text)"
        )
        #expect(!(try Given.patched(text, Self.op("remove", "/secondaryTiles")).contains("Tiles")))
    }

    @Test("the parts of a browser's subscription")
    func subscription() throws {
        let given =
            #"{"installationId":"i-1","platform":"browser","pushChannel":"#
            + #"{"endpoint":"https://p.example/1","p256dh":"AQ","auth":"Ag"}}"#
        let patch =
            #"[{"op":"add","path":"/pushChannel/endpoint","value":"https://p.example/2"},"#
            + #"{"op":"replace","path":"/pushChannel/p256dh","value":"Aw"},"#
            + #"{"op":"replace","path":"/pushChannel/auth","value":"BA"}]"#
        let text = try Given.patched(given, patch)
        #expect(text.contains(#"{"endpoint":"https://p.example/2","p256dh":"Aw","auth":"BA"}"#))
    }

    @Test(
        "what cannot be carried out is refused by name",
        arguments: [
            ("{}", "patch: must be a JSON array of operations"),
            ("[7]", "operation 1: must be a JSON object"),
            (op("move", "/tags"), "operation 1 op: must be add, remove or replace"),
            (op("add", "tags"), "operation 1 path: must be a path such as /tags"),
            (op("add", "/unknown", "1"), "/unknown: is no path of an installation"),
            (op("add", "/", "1"), "/: is no path of an installation"),
            (op("add", "/tags/a/b", "1"), "/tags/a/b: is no path of an installation"),
            (op("remove", "/pushChannel"), "/pushChannel: cannot be removed"),
            (op("add", "/pushChannel/endpoint", #""x""#), "/pushChannel/endpoint: is no path"),
            (op("replace", "/platform", #""gcm""#), "/platform: cannot be changed"),
            (op("replace", "/installationId", #""x""#), "/installationId: cannot be changed"),
            (op("add", "/pushChannelExpired", "false"), "/pushChannelExpired: is set by the hub"),
            (op("add", "/userId", "7"), "/userId: must be a string"),
            (op("add", "/pushChannel"), "/pushChannel: the value is missing"),
            (op("add", "/tags"), "/tags: the value is missing"),
            (op("add", "/tags", "7"), "/tags: must be an array of strings"),
            (op("add", "/templates/x", #""no""#), "/templates/x: the value must be an object"),
            (op("add", "/templates/x/expiry", #""0""#), "/templates/x/expiry: there is no such"),
            (op("remove", "/templates/Daily news/body"), "/templates/Daily news/body: cannot be"),
            (op("add", "/secondaryTiles/t/tags/x"), "/secondaryTiles/t/tags/x: there is no such"),
        ]
    )
    func refusals(patch: String, detail: String) {
        let refused = Given.refused { _ = try Given.patched(Self.full, patch) }
        #expect(refused.hasPrefix("400 \(detail)"), "\(patch): \(refused)")
    }

    @Test(
        "what a patch leaves is checked like a document that is put",
        arguments: [
            (op("add", "/templates/", #"{"body":"{}"}"#), "/templates: the name of number 2 must"),
            (
                op("add", "/templates/\(String(repeating: "n", count: 201))", #"{"body":"{}"}"#),
                "/templates: the name of number 2 must have 1 to 200 bytes"
            ),
            (op("add", "/tags/a b"), "/tags: An invalid tag(s) 'a b' was supplied, number"),
            (op("add", "/tags/"), "/tags: An invalid tag(s) '' was supplied, number"),
            (op("add", "/pushVariables/", #""x""#), "/pushVariables: the name of number 2"),
            (op("add", "/userId", #""a b""#), "/userId: must have 1 to 110 bytes"),
        ]
    )
    func leavings(patch: String, detail: String) {
        let refused = Given.refused {
            let changed = try Given.patch(patch).apply(
                to: Given.document(Self.full),
                limits: .standard
            )
            _ = try InstallationDraft(changed, limits: .standard)
        }
        #expect(refused.hasPrefix("400 \(detail)"), "\(patch): \(refused)")
    }

    @Test("the last operation that fits is carried out, one more is refused")
    func limit() throws {
        func patch(_ count: Int) -> String {
            let one = #"{"op":"remove","path":"/userId"}"#
            return "[" + Array(repeating: one, count: count).joined(separator: ",") + "]"
        }
        _ = try Given.patch(patch(1_000))
        #expect(
            Given.refused { _ = try Given.patch(patch(1_001)) }
                == "400 operations of one patch: at most 1000 are allowed."
        )
    }
}
