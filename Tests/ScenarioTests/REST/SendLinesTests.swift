import Foundation
import HubClient
import HubSender
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Many sends in one request, over real sockets", .timeLimit(.minutes(3)))
struct SendLinesScenarioTests {
    static func notification(_ text: String, _ tag: TagQuery) -> OutgoingNotification {
        .native(.apple, NewsFormat.payload(.apple, text), to: tag)
    }

    private static func texts(_ names: [String]) -> [String] {
        names.map { NewsFormat.payload(.apple, $0) }
    }

    @Test("are all there, in order, for a hub that was killed behind its answer")
    func killed() async throws {
        var hub = try await RunningHub.startRestartable()
        var phones: [Phone] = []
        for tag in ["user-0", "user-1"] {
            let choice = RegistrationChoice(platform: .apple, tags: [tag])
            phones.append(try await Phone.subscribed(hub.connection, choice))
        }
        let sender = try SenderClient(hub.connection)
        // More than one group of the writer, to both in turn, with one in the middle that is refused.
        var notifications = (0..<300).map {
            Self.notification("\($0)", $0.isMultiple(of: 2) ? "user-0" : "user-1")
        }
        notifications[150] = Self.notification("150", "user-0 &&")
        let outcomes = await sender.send(notifications)
        await sender.close()
        try await hub.kill()
        hub = try await hub.startedAgain()
        // It does not repeat requests, and the connections of the first may seem open yet.
        let other = try SenderClient(hub.connection)
        #expect(outcomes.count == 300)
        var ids: Set<String> = []
        for (number, outcome) in outcomes.enumerated() {
            switch outcome {
            case .success(let sent):
                ids.insert(sent.id)
                #expect(sent.location.contains("/messages/\(sent.id)?"), "\(sent.location)")
            case .failure(let error): #expect(number == 150 && error.status == 400, "\(error)")
            }
        }
        #expect(ids.count == 299)
        // The same again is the same.
        #expect(
            await other.send(notifications).map { try? $0.get().id }
                == outcomes.map { try? $0.get().id }
        )
        for (number, phone) in phones.enumerated() {
            _ = try await other.send(Self.notification("the end", "user-\(number)".expression))
            phone.reconnect()
            try await phone.receive(containing: "the end")
            let own = (0..<300).filter { $0 % 2 == number && $0 != 150 }.map { "\($0)" }
            #expect(phone.texts == Self.texts(own + ["the end"]), "phone \(number)")
            await phone.close()
        }
        await other.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("say of each line what became of it, also to one handle and of any bytes")
    func lines() async throws {
        try await HostedHub.run { hub in
            let apple = RegistrationChoice(platform: .apple, tags: ["World"])
            let phone = try await Phone.subscribed(hub.connection, apple)
            let windows = RegistrationChoice(platform: .windows, tags: ["World"])
            let other = try await Phone.subscribed(hub.connection, windows)
            let caller = try RESTCaller(hub.connection)
            let token = try caller.token(hub.connection.connectionStrings.send)
            let body = """
                {"format":"apple","tags":"World","body":{"aps":{"alert":"1"}}}
                {"format":"apple","tags":"World","body":{"aps":{"alert":"2"}

                {"format":"windows","tags":"World","headers":{"X-WNS-Type":"wns/raw"},"bodyBase64":"MwA="}
                {"format":"apple","tags":"World","body":"{\\"aps\\":{\\"alert\\":\\"4\\"}}"}
                """
            let answer = try await caller.perform(
                .POST,
                "\(hub.connection.hub)/$belfry/messages",
                headers: ["Content-Type": "application/x-ndjson"],
                body: body,
                authorization: token
            )
            #expect(answer.status == 200, "\(answer.text)")
            let outcomes = try answer.text.split(separator: "\n").map {
                try #require(
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                )
            }
            #expect(outcomes.map { $0["line"] as? Int } == [1, 2, 4, 5])
            #expect(outcomes.map { $0["status"] as? Int } == [201, 400, 201, 201])
            try await phone.receive(containing: "4")
            #expect(phone.texts == [#"{"aps":{"alert":"1"}}"#, #"{"aps":{"alert":"4"}}"#])
            let raw = try await other.receive(1)
            #expect(raw.map(\.payload) == [[0x33, 0]])

            let sender = try SenderClient(hub.connection)
            // Telemetry knows each as if it had been sent alone.
            let id = try #require(outcomes[0]["id"] as? String)
            let why = try await sender.explain(notification: id, device: phone.handle)
            #expect(why.registrations.count == 1, "\(why.json)")
            await sender.close()
            await caller.close()
            await phone.close()
            await other.close()
        }
    }

    static func run(
        _ reactions: [MuteHub.Reaction],
        retries: RetryPolicy = .never,
        _ body: (MuteHub, SenderClient) async throws -> Void
    ) async throws {
        try await HostedHub.run { hub in
            let mute = try await MuteHub(like: hub, reactions)
            let file = try ConnectionFile(dataFolder: mute.folder.path)
            let sender = try SenderClient(file, retries: retries)
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

    static var patient: RetryPolicy {
        var policy = RetryPolicy(patience: .seconds(60))
        policy.pauseFirst = .milliseconds(1)
        policy.pauseMax = .milliseconds(1)
        return policy
    }

    @Test("are repeated with the same keys when nobody answered")
    func unanswered() async throws {
        let told = MuteHub.accepted(["1", "2"])
        try await Self.run([.silence, .reply(200, [:], body: told)], retries: Self.patient) {
            mute,
            sender in
            var second = Self.notification("2", "b")
            second.headers = [.init(name: "apns-collapse-id", value: "\"\\\u{1}é")]
            second.tags = nil
            second.handle = "AB"
            second.body = [0xFF]
            let outcomes = await sender.send([Self.notification("1", "a"), second])
            #expect(try outcomes.map { try $0.get().id } == ["1", "2"])
            let requests = mute.requests.events
            #expect(requests.count == 2)
            #expect(requests.allSatisfy { $0.line.contains("/$belfry/messages?") })
            #expect(requests[0].body == requests[1].body)
            let lines = try requests[0].body.split(separator: "\n").map {
                try #require(
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                )
            }
            #expect(lines.count == 2)
            #expect(Set(lines.compactMap { $0["idempotencyKey"] as? String }).count == 2)
            #expect(lines[0]["tags"] as? String == "a" && lines[0]["handle"] == nil)
            #expect(lines[0]["format"] as? String == "apple")
            #expect(lines[0]["body"] as? String == NewsFormat.payload(.apple, "1"))
            #expect(lines[1]["handle"] as? String == "AB" && lines[1]["tags"] == nil)
            #expect(lines[1]["bodyBase64"] as? String == "/w==" && lines[1]["body"] == nil)
            let headers = lines[1]["headers"] as? [String: String]
            #expect(headers == ["apns-collapse-id": "\"\\\u{1}é"])
        }
    }

    @Test("that the hub could not take are sent again, and those behind them wait")
    func rest() async throws {
        let first = """
            {"line":1,"status":201,"id":"1","location":"/1"}
            {"line":2,"status":400,"code":40000,"detail":"tags: no"}
            {"line":3,"status":503,"code":50300,"detail":"away","retryAfterSeconds":0}

            """
        let notifications = ["1", "2", "3"].map { Self.notification($0, "a") }
        let second = MuteHub.Reaction.reply(200, [:], body: MuteHub.accepted(["3"]))
        try await Self.run([.reply(200, [:], body: first), second], retries: Self.patient) {
            mute,
            sender in
            let outcomes = await sender.send(notifications)
            #expect(outcomes.map { try? $0.get().id } == ["1", nil, "3"])
            guard case .failure(.refused(let refused)) = outcomes[1] else {
                Issue.record("\(outcomes[1])")
                return
            }
            #expect(refused.status == 400 && refused.code == 40000 && refused.detail == "tags: no")
            let bodies = mute.requests.events.map(\.body)
            #expect(bodies.count == 2)
            let last = bodies[0].split(separator: "\n").last.map(String.init) ?? ""
            #expect(bodies[1] == last + "\n")
        }
        // Without patience nothing behind the first request is sent.
        let many = (0..<SenderClient.linesMax + 1).map { Self.notification("\($0)", "a") }
        for reaction in [MuteHub.Reaction.status(503), .silence] {
            try await Self.run([reaction]) { mute, sender in
                let outcomes = await sender.send(many)
                #expect(outcomes.count == many.count && mute.requests.events.count == 1)
                #expect(outcomes.allSatisfy { (try? $0.get()) == nil })
                guard case .failure(let last)? = outcomes.last else { return }
                if case .silence = reaction {
                    guard case .unreached = last else {
                        Issue.record("\(last)")
                        return
                    }
                } else {
                    #expect(last.status == 503)
                }
            }
        }
    }

    @Test("behind one that a full hub refused are not sent, however patient the sender is")
    func full() async throws {
        let full = "\"code\":50700,\"detail\":\"full\",\"retryAfterSeconds\":0}\n"
        let away = "\"code\":50300,\"detail\":\"away\",\"retryAfterSeconds\":0}\n"
        for second in ["{\"line\":2,\"status\":507,\(full)", "{\"line\":2,\"status\":503,\(away)"] {
            let told =
                MuteHub.accepted(["1"]) + second
                + (3...SenderClient.linesMax).map { "{\"line\":\($0),\"status\":507,\(full)" }
                .joined()
            try await Self.run([.reply(200, [:], body: told)], retries: Self.patient) {
                mute,
                sender in
                let many = (0...SenderClient.linesMax).map { Self.notification("\($0)", "a") }
                let outcomes = await sender.send(many)
                #expect(mute.requests.events.count == 1)
                #expect(outcomes.count == many.count)
                #expect((try? outcomes[0].get().id) == "1")
                for outcome in outcomes[2...] {
                    guard case .failure(let error) = outcome, error.status == 507 else {
                        Issue.record("\(outcome)")
                        return
                    }
                }
            }
        }
    }

    @Test("that were refused stay so when the hub is away later")
    func awayLater() async throws {
        let told = "{\"line\":1,\"status\":503,\"code\":50300,\"detail\":\"busy\"}\n"
        let busy = MuteHub.Reaction.reply(200, ["Connection": "close"], body: told)
        try await Self.run([busy], retries: Self.patient) { mute, sender in
            let brief = sender.until(.now + .seconds(4))
            async let sent = brief.send([Self.notification("1", "a")])
            try await mute.requests.wait(for: "a request") { !$0.isEmpty }
            try await mute.close()
            let outcomes = await sent
            guard case .failure(.refused(let refused))? = outcomes.first else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(refused.detail == "busy")
        }
    }

    @Test("need as many requests as their number and their bytes say")
    func parts() async throws {
        #expect(SenderClient.linesMax == 1_000 && SenderClient.linesBytesMax == 4_194_304)
        let full = MuteHub.accepted((1...1_000).map { "\($0)" })
        let one = MuteHub.Reaction.reply(200, [:], body: MuteHub.accepted(["x"]))
        try await Self.run([.reply(200, [:], body: full), one]) { mute, sender in
            #expect(await sender.send([]).isEmpty && mute.requests.events.isEmpty)
            let many = (0...1_000).map { Self.notification("\($0)", "a") }
            let outcomes = await sender.send(many)
            #expect(outcomes.compactMap { try? $0.get().id }.count == 1_001)
            #expect(mute.requests.events.count == 2)
        }
        try await Self.run([one]) { mute, sender in
            var large = Self.notification("x", "a")
            large.body = [UInt8](repeating: 0x61, count: 2_200_000)
            #expect(await sender.send([large, large]).compactMap { try? $0.get().id }.count == 2)
            #expect(mute.requests.events.count == 2)
        }
    }

    @Test("with an answer that does not fit its lines are not understood")
    func malformed() async throws {
        let bodies = [
            "", "{}\n", MuteHub.accepted(["1", "2"]), "{\"line\":2,\"status\":201,\"id\":\"1\"}\n",
            "{\"line\":1,\"status\":201}\n", "{\"line\":1",
        ]
        for body in bodies {
            try await Self.run([.reply(200, [:], body: body)]) { _, sender in
                let outcomes = await sender.send([Self.notification("1", "a")])
                guard outcomes.count == 1, case .failure(.answerMalformed) = outcomes[0] else {
                    Issue.record("\(body): \(outcomes)")
                    return
                }
                // What is behind such a request has certainly not been sent.
                let many = (0...SenderClient.linesMax).map { Self.notification("\($0)", "a") }
                guard case .failure(.unreached)? = await sender.send(many).last else {
                    Issue.record("\(body)")
                    return
                }
            }
        }
    }
}

extension String {
    fileprivate var expression: TagQuery { TagQuery(text: self) }
}
