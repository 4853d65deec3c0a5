import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

@Suite("Limits of the sender")
struct SenderLimitTests {
    private static let notification = OutgoingNotification.template(["a": "b"])

    private static func run(
        _ reactions: [MuteHub.Reaction],
        retries: RetryPolicy = .never,
        answerBytesMax: Int = SenderClient.answerBytesMax,
        listPagesMax: Int = SenderClient.listPagesMax,
        _ body: (MuteHub, SenderClient) async throws -> Void
    ) async throws {
        try await HostedHub.run { hub in
            let mute = try await MuteHub(like: hub, reactions)
            let file = try ConnectionFile(dataFolder: mute.folder.path)
            let sender = try SenderClient(
                ConnectionString(parsing: file.connectionStrings.full),
                hub: file.hub,
                caPath: file.ca,
                retries: retries,
                answerBytesMax: answerBytesMax,
                listPagesMax: listPagesMax
            )
            do {
                try await body(mute, sender)
            } catch {
                await sender.close()
                throw error
            }
            await sender.close()
            try await mute.close()
        }
    }

    private static func failure(
        _ body: () async throws(SenderError) -> Void
    ) async -> SenderError? {
        do throws(SenderError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("that the hub refused for a time is told, also when it is away at the last attempt")
    func refusedThenAway() async throws {
        try await Self.run(
            [.reply(503, ["Connection": "close"], body: "")],
            retries: RetryPolicy(patience: .seconds(6))
        ) { mute, sender in
            async let failure = Self.failure { () async throws(SenderError) in
                _ = try await sender.send(Self.notification)
            }
            _ = try await mute.requests.wait(for: "an attempt") { !$0.isEmpty }
            try await mute.close()
            guard case .refused(let refused) = await failure else {
                Issue.record("\(String(describing: await failure))")
                return
            }
            #expect(refused.status == 503)
        }
    }

    @Test("an answer is read up to the limit, and a longer one is none")
    func answerBytes() async throws {
        #expect(SenderClient.answerBytesMax == 4_194_304)
        let location = ["Location": "/hub/messages/1"]
        try await Self.run(
            [
                .reply(201, location, body: "1234567890"),
                .reply(201, location, body: "12345678901"),
            ],
            answerBytesMax: 10
        ) { _, sender in
            let sent = try await sender.send(Self.notification)
            #expect(sent.id == "1")
            let failure = await Self.failure { () async throws(SenderError) in
                _ = try await sender.send(Self.notification)
            }
            guard case .unanswered = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
    }

    @Test("a list is read up to its pages, and one with more is an error")
    func listPages() async throws {
        let more = MuteHub.Reaction.reply(200, ["x-ms-continuationtoken": "t"], body: "")
        try await Self.run([more, .reply(200, [:], body: ""), more], listPagesMax: 2) {
            mute,
            sender in
            let found = try await sender.registrations(tag: "a")
            #expect(found.isEmpty)
            #expect(mute.requests.events.count == 2)
            let failure = await Self.failure { () async throws(SenderError) in
                _ = try await sender.registrations(tag: "a")
            }
            let expected = SenderError.answerMalformed(reason: "the list has more than 2 pages")
            #expect(failure == expected)
            #expect(mute.requests.events.count == 4)
        }
    }

    @Test("a Location without an id is an answer that is none", arguments: ["", "?", "/", "?a=b"])
    func location(_ text: String) async throws {
        try await Self.run([.reply(201, ["Location": text], body: "")]) { _, sender in
            let failures = [
                await Self.failure { () async throws(SenderError) in
                    _ = try await sender.send(Self.notification)
                },
                await Self.failure { () async throws(SenderError) in
                    _ = try await sender.reserveRegistrationID()
                },
            ]
            for failure in failures {
                guard case .answerMalformed = failure else {
                    Issue.record("\(String(describing: failure))")
                    continue
                }
            }
        }
    }

    @Test("without patience there is one attempt, with it several under one key")
    func patience() async throws {
        try await Self.run([.status(503)]) { mute, sender in
            _ = await Self.failure { () async throws(SenderError) in
                _ = try await sender.send(Self.notification)
            }
            #expect(mute.requests.events.count == 1)
        }
        var long = RetryPolicy(patience: .seconds(99))
        long.pauseFirst = .seconds(100)
        long.pauseMax = .seconds(100)
        try await Self.run([.status(503)], retries: long) { mute, sender in
            _ = await Self.failure { () async throws(SenderError) in
                _ = try await sender.send(Self.notification)
            }
            #expect(mute.requests.events.count == 1, "the next one began behind the patience")
        }
        long.patience = .seconds(100)
        long.pauseFirst = .milliseconds(10)
        try await Self.run([.status(503), .created, .status(503)], retries: long) { mute, sender in
            let sent = try await sender.send(Self.notification)
            #expect(sent.id == "1-2-3")
            let keys = mute.requests.events.map { $0.headers["idempotency-key"] ?? "" }
            #expect(keys.count == 2 && keys[0] == keys[1])
            // A test send has no key, so it is not repeated.
            _ = await Self.failure { () async throws(SenderError) in
                _ = try await sender.test(Self.notification)
            }
            #expect(mute.requests.events.count == 3)
        }
    }

    @Test("behind its deadline a client asks nothing, and the hub is known to have nothing")
    func deadline() async throws {
        try await Self.run([.created], retries: .standard) { mute, sender in
            let failure = await Self.failure { () async throws(SenderError) in
                _ = try await sender.until(.now).send(Self.notification)
            }
            guard case .unreached = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(mute.requests.events.isEmpty)
            let later = sender.until(.now + .seconds(60))
            let sent = try await later.send(Self.notification)
            #expect(sent.id == "1-2-3")
        }
    }

    @Test("an earlier attempt without an answer is remembered when a later one is refused")
    func earlier() async throws {
        let patient = RetryPolicy(patience: .seconds(10))
        try await Self.run([.silence, .status(403)], retries: patient) { _, sender in
            let failure = await Self.failure { () async throws(SenderError) in
                _ = try await sender.send(Self.notification)
            }
            guard case .refused(let refused) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(refused.status == 403 && refused.followsUnanswered)
        }
    }
}

@Suite("What an app has dealt with")
struct TakenTests {
    @Test("is noted also when it is said behind the device's end, and is not shown again")
    func behindClose() async throws {
        try await HostedHub.run { hub in
            let store = MemoryDeviceStore()
            let device = try DeviceClient(hub.connection, store: store)
            device.register(RegistrationChoice(platform: .apple, tags: ["World"]))
            let sender = try SenderClient(hub.connection)
            var got: ReceivedNotification?
            for await event in device.events {
                if case .registered = event {
                    let body = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
                    _ = try await sender.send(.native(.apple, body: body, tags: "World"))
                }
                if case .notification(let notification) = event {
                    got = notification
                    break
                }
            }
            let notification = try #require(got)
            #expect(store.waiting.count == 1)
            await device.close()
            #expect(store.waiting.count == 1)
            device.taken(notification)
            #expect(store.waiting.isEmpty)
            await sender.close()
        }
    }
}
