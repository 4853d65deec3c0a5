import DeviceEmulator
import HubClient
import HubSender
import HubVocabulary
import Testing

@testable import ScenarioSupport

@Suite("An app's connection to its backend")
struct BackendClientTests {
    private static func run(
        _ reactions: [MuteHub.Reaction],
        answerBytesMax: Int = BackendClient.answerBytesMax,
        _ body: (MuteHub, BackendClient) async throws -> Void
    ) async throws {
        try await HostedHub.run { hub in
            let mute = try await MuteHub(like: hub, reactions)
            let file = try ConnectionFile(dataFolder: mute.folder.path)
            let client = try BackendClient(
                BackendFile(host: "localhost", port: Int(file.rest.port), ca: file.ca),
                answerBytesMax: answerBytesMax
            )
            do {
                try await body(mute, client)
            } catch {
                await client.close()
                throw error
            }
            await client.close()
            try await mute.close()
        }
    }

    @Test("one key goes with every attempt at the same thing; without a key there is one attempt")
    func keys() async throws {
        let answer = MuteHub.Reaction.reply(200, [:], body: "{}")
        try await Self.run([.silence, .status(503), answer, .silence, .status(500)]) {
            mute,
            client in
            let key = BackendClient.newKey()
            let exchange = try await client.ask(
                "POST",
                "/api/notifications",
                authorization: nil,
                json: "{}",
                key: key
            )
            #expect(exchange.status == 200)
            let keys = mute.requests.events.map { $0.headers["idempotency-key"] }
            #expect(keys == [key, key, key])
            await #expect(throws: PhoneFault.self) {
                _ = try await client.ask("GET", "/", authorization: nil)
            }
            #expect(mute.requests.events.count == 4)
            let last = try await client.ask("POST", "/", authorization: nil, json: "{}", key: key)
            #expect(last.status == 500)
            #expect(mute.requests.events.count == 4 + BackendPatience.standard.attemptsMax)
            #expect(BackendClient.newKey() != key)
        }
    }

    @Test("an answer is read up to the limit")
    func answerBytes() async throws {
        #expect(BackendClient.answerBytesMax == 16_777_216)
        try await Self.run(
            [.reply(200, [:], body: "1234567890"), .reply(200, [:], body: "12345678901")],
            answerBytesMax: 10
        ) { _, client in
            let fits = try await client.ask("GET", "/", authorization: nil)
            #expect(fits.answer.count == 10)
            await #expect(throws: PhoneFault.self) {
                _ = try await client.ask("GET", "/", authorization: nil)
            }
        }
    }

    @Test("what is told of a request holds no handle, no credentials and no secure payload")
    func masks() async throws {
        let handle = String(repeating: "0123456789abcdef", count: 4)
        try await Self.run([.reply(200, [:], body: "")]) { mute, client in
            let exchange = try await client.ask(
                "POST",
                "/api/register?handle=\(handle.uppercased())",
                authorization: "Bearer secret-token",
                json: #"{"Handle":"\#(handle)"}"#
            )
            let line = PhoneLine.request(PhoneLine.Request(exchange)).json
            #expect(!line.lowercased().contains(handle) && line.contains("01234567…"), "\(line)")
            #expect(!line.contains("secret-token"), "\(line)")
            let secure = try await client.ask(
                "POST",
                "/api/notifications",
                authorization: nil,
                json: #"{"kind":"secure","to":"bob","payload":"a canary"}"#
            )
            let told = PhoneLine.request(PhoneLine.Request(secure)).json
            #expect(!told.contains("canary") && told.contains("bob"), "\(told)")
            // What went over the wire is whole.
            #expect(mute.requests.events[0].line.contains(handle.uppercased()))
            #expect(mute.requests.events[0].body.contains(handle))
            #expect(mute.requests.events[1].body.contains("a canary"))
        }
    }

    @Test("handles are cut wherever they stand, and shorter runs of digits are not")
    func maskedTexts() {
        let handle = String(repeating: "a1", count: 32)
        for (text, expected) in [
            (handle, "a1a1a1a1…"), ("x=\(handle)&y", "x=a1a1a1a1…&y"),
            (String(handle.dropLast()), String(handle.dropLast())), ("", ""),
            ("ä\u{1F514}", "ä\u{1F514}"),
            ("\(handle) \(handle)", "a1a1a1a1… a1a1a1a1…"),
        ] {
            #expect(HandleMask.masked(text) == expected)
        }
    }

    @Test("every sign of a user's name reaches the backend as it is")
    func names() async throws {
        #expect(PercentCoding.encoded("a&b=c d%ä") == "a%26b%3Dc%20d%25%C3%A4")
        let signs = "_@#.-"
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            for sign in signs {
                let name = "bob\(sign)1"
                try backend.add(name)
                let sent = try await backend.send(
                    "Hi",
                    from: "alice",
                    to: PercentCoding.encoded(name)
                )
                #expect(sent.status == 200, "\(name) \(sent.text)")
            }
        }
    }
}
