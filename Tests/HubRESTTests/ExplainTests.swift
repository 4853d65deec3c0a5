import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubTags
import HubVocabulary
import Testing

@Suite("Explanations over REST")
struct ExplainTests {
    private static let id = "019df1c0d7e37b5a917d5c0a9be83f10"

    @Test("name the reason, each registration, and what belongs to it")
    func document() async throws {
        let harness = RESTHarness()
        let time = Timestamp(milliseconds: 1_777_885_923_123)
        harness.hub.change { state in
            state.reply = Explain.Reply([
                Explanation(
                    registration: Array("1-2-3".utf8),
                    platform: .apple,
                    slot: 0,
                    reason: .waiting(offlineSince: time)
                ),
                Explanation(
                    registration: Array("4-5-6".utf8),
                    platform: .gcm,
                    slot: 256,
                    reason: .tagsDiffer(part: Array("!(a || b)".utf8)),
                    tagsThen: TagsThen(
                        TagSet([Array("a".utf8)]),
                        since: 4,
                        until: 9,
                        terms: [
                            TagTerm(tag: Array("a".utf8), isWanted: false, isThere: true),
                            TagTerm(tag: Array("b".utf8), isWanted: false, isThere: false),
                        ]
                    )
                ),
            ])
        }
        let uri = "/news/$belfry/explain?notification=\(Self.id)&registration=1-2-3"
        let reply = try await harness.send(.get, uri, token: "Manage")
        #expect(reply.status == 200, "\(reply.body)")
        let parts = [
            #"{"notification":"\#(Self.id)","reason":"waiting","registrations":["#,
            #"{"lastSeen":"2026-05-04T09:12:03.123Z","platform":"apple","reason":"waiting","#,
            #""registration":"1-2-3","sentence":"It waits for the device, which is away"#,
            #" since 2026-05-04T09:12:03.123Z.","slot":0},"#,
            #"{"part":"!(a || b)","platform":"gcm","reason":"tagsDiffer","#,
            #""registration":"4-5-6","sentence":"The tags that the registration had then do"#,
            #" not satisfy '!(a || b)'.","slot":256,"tags":["a"],"tagsSince":4,"#,
            #""tagsUntil":9,"terms":[{"holds":false,"term":"!a"},{"holds":true,"#,
            #""term":"!b"}]}],"#,
            #""sentence":"It waits for the device, which is away"#,
            #" since 2026-05-04T09:12:03.123Z."}"#,
        ]
        #expect(reply.body == parts.joined())
        guard let asked = harness.hub.last(Explain.self) else {
            Issue.record("another command")
            return
        }
        #expect(asked.name == NotificationName(id: FakeHub.sent))
        #expect(asked.subject == .registration(id: Array("1-2-3".utf8)))
    }

    @Test(
        "take a device's id in its spellings, or its handle",
        arguments: [
            ("00000000000000010000000000000002", ExplainSubject.device(DeviceID(high: 1, low: 2))),
            ("00000000-0000-0001-0000-000000000002", .device(DeviceID(high: 1, low: 2))),
            (
                String(repeating: "ab", count: 32),
                .handle(Array(String(repeating: "AB", count: 32).utf8))
            ),
        ]
    )
    func devices(_ text: String, _ expected: ExplainSubject) async throws {
        let harness = RESTHarness()
        let uri = "/news/$belfry/explain?notification=\(Self.id)&device=\(text)"
        #expect(try await harness.send(.get, uri).status == 200)
        guard let subject = harness.hub.last(Explain.self)?.subject else {
            Issue.record("another command")
            return
        }
        #expect(subject == expected)
    }

    @Test(
        "refuse what names nothing, or two things",
        arguments: [
            ("", "notification: is missing."), ("notification=x", "notification: is no id"),
            ("notification=ID", "registration: or 'installation' or 'device' is needed"),
            ("notification=ID&device=12", "device: is no id of a device."),
            ("notification=ID&installation=1&registration=2", "and only one of them"),
        ]
    )
    func refusals(_ query: String, _ detail: String) async throws {
        let harness = RESTHarness()
        let uri = "/news/$belfry/explain?" + query.replacing("ID", with: Self.id)
        let reply = try await harness.send(.get, uri)
        #expect(reply.status == 400)
        #expect(reply.body.contains(detail), "\(reply.body)")
    }
}
