import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

@Suite("Many sends in one request, repeated", .timeLimit(.minutes(3)))
struct SendLinesRepeatTests {
    private typealias Lines = SendLinesScenarioTests

    private static func refused(_ line: Int, _ status: Int, _ detail: String) -> String {
        "{\"line\":\(line),\"status\":\(status),\"code\":\(status)00,\"detail\":\"\(detail)\","
            + "\"retryAfterSeconds\":0}\n"
    }

    private static func notifications(_ count: Int) -> [OutgoingNotification] {
        (0..<count).map { Lines.notification("\($0)", "a") }
    }

    private static func refusal(
        _ outcome: Result<SentNotification, SenderError>
    ) -> RefusedRequest? {
        if case .failure(.refused(let refused)) = outcome { refused } else { nil }
    }

    @Test("say of each refusal whether it follows an attempt that nobody answered")
    func unanswered() async throws {
        // The first attempt has all four lines and an answer, the second one two of them and none.
        let first =
            MuteHub.accepted(["1"]) + Self.refused(2, 400, "no") + Self.refused(3, 503, "away")
            + Self.refused(4, 503, "away")
        let last = Self.refused(1, 409, "other") + Self.refused(2, 507, "full")
        let reactions: [MuteHub.Reaction] = [
            .reply(200, [:], body: first), .silence, .reply(200, [:], body: last),
        ]
        try await Lines.run(reactions, retries: Lines.patient) { mute, sender in
            let outcomes = await sender.send(Self.notifications(4))
            #expect(mute.requests.events.count == 3)
            #expect((try? outcomes[0].get().id) == "1")
            let refusals = outcomes.map(Self.refusal)
            #expect(refusals.map { $0?.status } == [nil, 400, 409, 507])
            #expect(refusals.map { $0?.followsUnanswered } == [nil, false, true, true])
        }
    }

    @Test("are unanswered when an attempt was, and later ones are only put off")
    func putOff() async throws {
        let reactions: [MuteHub.Reaction] = [
            .silence,
            .reply(200, [:], body: MuteHub.accepted(["1"]) + Self.refused(2, 503, "away")),
        ]
        try await Lines.run(reactions, retries: Lines.patient) { _, sender in
            let outcomes = await sender.send(Self.notifications(SenderClient.linesMax + 1))
            // The answer has too few lines: what was sent may be there, what was not is not.
            for outcome in outcomes.dropLast() {
                guard case .failure(.answerMalformed) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
            }
            guard case .failure(.unreached)? = outcomes.last else {
                Issue.record("\(String(describing: outcomes.last))")
                return
            }
        }
        try await Lines.run([.silence, .status(503)]) { _, sender in
            guard case .failure(.unanswered) = await sender.send(Self.notifications(1))[0] else {
                Issue.record("a single attempt without an answer")
                return
            }
        }
        var brief = RetryPolicy(patience: .milliseconds(1_500))
        brief.pauseFirst = .milliseconds(1)
        brief.pauseMax = .milliseconds(500)
        try await Lines.run([.silence, .status(503)], retries: brief) { _, sender in
            let outcomes = await sender.send(Self.notifications(1))
            guard case .failure(.unanswered(let reason)) = outcomes[0] else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(reason.hasSuffix("an earlier attempt was not answered"), "\(reason)")
        }
    }

    @Test("are repeated within one patience, whoever it was that could not take them")
    func patience() async throws {
        var policy = RetryPolicy(patience: .milliseconds(2_500))
        policy.pauseFirst = .seconds(1)
        policy.pauseMax = .seconds(1)
        let away =
            "{\"line\":1,\"status\":503,\"code\":50300,\"detail\":\"away\","
            + "\"retryAfterSeconds\":1}\n"
        try await Lines.run([.reply(200, [:], body: away), .silence], retries: policy) {
            mute,
            sender in
            let outcomes = await sender.send(Self.notifications(1))
            guard case .failure(.unanswered) = outcomes[0] else {
                Issue.record("\(outcomes)")
                return
            }
            // At 0, 1 and 2 seconds; a slow machine makes fewer, and a second patience one more.
            #expect((1...3).contains(mute.requests.events.count))
        }
    }

    @Test("have the largest body of a single send, and no larger one", arguments: [0, 1])
    func largest(beyond: Int) async throws {
        // White space and quotes are what a line has to spell longer.
        let body =
            Array("{\"a\":\"".utf8) + Array(repeating: UInt8(ascii: "x"), count: 10)
            + Array("\"".utf8)
            + Array(repeating: UInt8(ascii: "\n"), count: 65_536 + beyond - 18) + Array("}".utf8)
        #expect(body.count == 65_536 + beyond)
        try await HostedHub.run { hub in
            let sender = try SenderClient(hub.connection)
            let single = OutgoingNotification.template(json: body, tags: "a")
            let alone: Int
            do throws(SenderError) {
                alone = try await sender.send(single).status
            } catch {
                alone = error.status ?? 0
            }
            var other = single
            other.idempotencyKey = OutgoingNotification.newIdempotencyKey()
            let outcome = await sender.send([other, .template(json: Array("{}".utf8), tags: "a")])
            #expect(alone == (beyond == 0 ? 201 : 413))
            if beyond == 0 {
                #expect((try? outcome[0].get().status) == 201, "\(outcome[0])")
            } else {
                #expect(Self.refusal(outcome[0])?.status == 413, "\(outcome[0])")
                #expect(Self.refusal(outcome[0])?.detail.contains("body") == true)
            }
            #expect((try? outcome[1].get().status) == 201)
            await sender.close()
        }
    }
}
