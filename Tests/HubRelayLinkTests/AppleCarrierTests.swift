import HubModel
import HubRelay
import HubRelayLink
import HubVocabulary
import RelayFakes
import Testing

/// Cases of the relays' reference, part A, over real connections to a fake of APNs.
@Suite("Relay to a fake of APNs")
struct AppleCarrierTests {
    /// How many requests ended how.
    static func ends(_ results: [Int: Result<Int, CarrierFailure>]) -> [String: Int] {
        results.values.reduce(into: [:]) { ends, result in
            switch result {
            case .success(let status): ends["\(status)", default: 0] += 1
            case .failure(let failure): ends["\(failure)", default: 0] += 1
            }
        }
    }

    @Test("1: one POST with topic, kind, expiration and id")
    func request() async throws {
        try await FakedService.run(Faked.appleFake()) { faked in
            let sender = try AppleSender(faked.options)
            let token = Faked.token(1)
            let request = try sender.request(token)
            let answer = try await sender.carrier.send(request, within: Faked.patience)
            #expect(answer.status == 200)
            let entry = try #require(faked.journal.entries.first)
            #expect(faked.journal.entries.count == 1)
            #expect(entry.request.path == "/3/device/\(token)")
            #expect(entry.request.authority == "api.push.apple.com")
            #expect(entry.request["apns-topic"] == "com.example.app")
            #expect(entry.request["apns-push-type"] == "alert")
            #expect(entry.request["apns-priority"] == "10")
            #expect(entry.request["apns-id"] == request.identifier?.value)
            let expiration = entry.request["apns-expiration"].flatMap { ASCII.decimal($0.utf8) }
            let now = Faked.now.milliseconds / 1_000
            #expect((now + 3_590...now + 3_600).contains(try #require(expiration)))
        }
    }

    @Test("110: each reason of the service arrives", arguments: AppleFake.statuses.keys.sorted())
    func reasons(word: String) async throws {
        let token = Faked.token(1)
        try await FakedService.run(Faked.appleFake(), rules: ["\(token)=\(word)+77"]) { faked in
            let sender = try AppleSender(faked.options)
            let answer = try await sender.send(token).get()
            #expect(answer.status == AppleFake.statuses[word])
            let verdict = AppleService.verdict(
                answer,
                to: try Faked.notification([]),
                now: Faked.now
            )
            #expect(verdict.reason == word)
            if word == "Unregistered" {
                #expect(verdict.action == .gone(since: Timestamp(milliseconds: 77)))
            }
            if word == "ServiceUnavailable" {
                #expect(verdict.action == .stall(retryAfter: 77))
            }
        }
    }

    @Test("9: the first request goes alone, then many at once, and none is refused")
    func oneStreamFirst() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["1=slow+30"]) { faked in
            let sender = try AppleSender(faked.options)
            let results = await sender.sendAll(0..<200)
            #expect(Self.ends(results) == ["200": 200])
            #expect(Set(faked.journal.entries.map(\.request.connection)) == [1])
        }
    }

    @Test("10: fewer streams while hundreds are in flight lose nothing")
    func fewerStreams() async throws {
        let rules = ["@100=streams+1"]
        try await FakedService.run(Faked.appleFake(), rules: rules) { faked in
            let sender = try AppleSender(faked.options)
            let results = await sender.sendAll(0..<300)
            #expect(Self.ends(results) == ["200": 300])
            #expect(faked.processed.values.allSatisfy { $0 == 1 })
        }
    }

    @Test("11: no stream allowed opens another connection")
    func noStreams() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["@1=streams+0"]) { faked in
            let sender = try AppleSender(faked.options)
            #expect(await sender.send(Faked.token(0)).map(\.status) == .success(200))
            #expect(await sender.send(Faked.token(1)).map(\.status) == .success(200))
            #expect(Set(faked.journal.entries.map(\.request.connection)).count == 2)
        }
    }

    @Test("11: a request that finds no room in its time was not processed")
    func noRoom() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["@1=streams+0"]) { faked in
            var options = faked.options
            options.connectionsMax = 1
            let sender = try AppleSender(options)
            #expect(await sender.send(Faked.token(0)).map(\.status) == .success(200))
            let second = await sender.send(Faked.token(1), within: .seconds(4))
            let failure = CarrierFailure.unprocessed("no room in 4.0 seconds")
            #expect(second.map(\.status) == .failure(failure))
            #expect(failure.verdict.action == .again)
            #expect(faked.journal.entries.count == 1)
        }
    }

    @Test("12: streams behind GOAWAY's last go out again on another connection, once each")
    func goAway() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["@150=goaway"]) { faked in
            let sender = try AppleSender(faked.options)
            let results = await sender.sendAll(0..<300)
            #expect(Self.ends(results) == ["200": 300])
            #expect(faked.processed.count == 300)
            #expect(faked.processed.values.allSatisfy { $0 == 1 })
        }
    }

    @Test("13: requests that a leaving connection never answers end with their deadline")
    func goAwayAndSilence() async throws {
        let rules = ["@10=silence", "@20=goaway"]
        try await FakedService.run(Faked.appleFake(), rules: rules) { faked in
            let sender = try AppleSender(faked.options)
            _ = await sender.send(Faked.token(-1))
            let results = await sender.sendAll(0..<60, within: .seconds(20))
            let silent = "unanswered(\"no answer in 20.0 seconds\")"
            #expect(Self.ends(results) == ["200": 59, silent: 1])
        }
    }

    @Test("14: a reason in GOAWAY is the credential's verdict")
    func goAwayReason() async throws {
        let rules = ["1=goaway+BadCertificate"]
        try await FakedService.run(Faked.appleFake(), rules: rules) { faked in
            let sender = try AppleSender(faked.options)
            let result = await sender.send(Faked.token(0))
            #expect(result.map(\.status) == .failure(.refused("BadCertificate")))
            let verdict = CarrierFailure.refused("BadCertificate").verdict
            #expect(verdict.action == .credential)
            #expect(verdict.outcome == .invalidCredentials)
        }
    }

    @Test("15: GOAWAY behind each connect makes pauses, not a storm of connections")
    func goAwayAtOnce() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["1=goaway"]) { faked in
            var options = faked.options
            options.times.restLeast = .seconds(60)
            let sender = try AppleSender(options)
            for number in 0..<50 {
                let result = await sender.send(Faked.token(number), within: .seconds(20))
                #expect(throws: CarrierFailure.self) { try result.get() }
            }
            #expect(faked.journal.entries.count == 1)
        }
    }

    @Test("16: refused streams go out again and are processed once")
    func refused() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["10=refuse"]) { faked in
            let sender = try AppleSender(faked.options)
            let results = await sender.sendAll(0..<200)
            #expect(Self.ends(results) == ["200": 200])
            #expect(faked.processed.count == 200)
            #expect(faked.processed.values.allSatisfy { $0 == 1 })
            #expect(faked.journal.entries.count > 200)
        }
    }

    @Test("17: another reset leaves a request unanswered, and only that one")
    func reset() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["10=reset"]) { faked in
            let sender = try AppleSender(faked.options)
            let results = await sender.sendAll(0..<100)
            let failure = CarrierFailure.unanswered("RST_STREAM INTERNAL_ERROR")
            #expect(Self.ends(results) == ["200": 90, "\(failure)": 10])
            #expect(failure.verdict.action == .later(seconds: 2, most: 64))
        }
    }

    @Test("18: a cut connection fails what was in flight, and the next request finds another")
    func cut() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["@50=drop"]) { faked in
            let sender = try AppleSender(faked.options)
            _ = await sender.send(Faked.token(-1))
            let results = await sender.sendAll(0..<100)
            let done = Self.ends(results)["200", default: 0]
            #expect(done < 100)
            #expect(faked.processed.values.allSatisfy { $0 == 1 })
            #expect(await sender.send(Faked.token(200)).map(\.status) == .success(200))
        }
    }

    @Test("19: a silent peer is noticed by PING, and another connection serves")
    func frozen() async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["@2=freeze+60"]) { faked in
            var options = faked.options
            options.times.silence = .seconds(3)
            options.times.ping = .seconds(3)
            let sender = try AppleSender(options)
            for number in 0..<2 { _ = await sender.send(Faked.token(number)) }
            let silent = await sender.send(Faked.token(2))
            #expect(silent.map(\.status) == .failure(.lost("no answer to a PING")))
            #expect(await sender.send(Faked.token(3)).map(\.status) == .success(200))
        }
    }

    @Test("20: bodies that fill a connection's window use more connections by themselves")
    func window() async throws {
        // Fifteen bodies fill the first connection, whose service gives their room back never.
        let silent = (1...15).map { "\(Faked.token($0))=silence" }
        try await FakedService.run(Faked.appleFake(), rules: silent) { faked in
            let sender = try AppleSender(faked.options)
            let body = Array(#"{"aps":{},"x":""#.utf8) + Array(repeating: 97, count: 3_900)
            let results = await sender.sendInOrder(
                0..<200,
                body: body + Array(#""}"#.utf8),
                closingBehind: 185
            )
            #expect(Self.ends(results)["200"] == 185)
            #expect(Set(faked.journal.entries.map(\.request.connection)).count > 1)
        }
    }

    @Test("8: two credentials never share a connection")
    func twoCredentials() async throws {
        try await FakedService.run(Faked.appleFake()) { faked in
            for _ in 0..<2 { _ = await (try AppleSender(faked.options)).send(Faked.token(0)) }
            #expect(Set(faked.journal.entries.map(\.request.connection)).count == 2)
        }
    }

    @Test("three requests in a row without an answer replace their connection")
    func blackHole() async throws {
        let rules = ["@2=silence", "@3=silence", "@4=silence"]
        try await FakedService.run(Faked.appleFake(), rules: rules) { faked in
            let sender = try AppleSender(faked.options)
            for number in 0..<5 {
                let time = Duration.milliseconds([1, 2, 3].contains(number) ? 4_000 : 20_000)
                _ = await sender.send(Faked.token(number), within: time)
            }
            let connections = faked.journal.entries.map(\.request.connection)
            #expect(connections == [1, 1, 1, 1, 2])
        }
    }

    @Test(
        "32, 33: Shutdown and a wrong token end their connection",
        arguments: ["Shutdown", "Forbidden"]
    )
    func retires(word: String) async throws {
        try await FakedService.run(Faked.appleFake(), rules: ["@1=\(word)"]) { faked in
            let sender = try AppleSender(faked.options)
            for number in 0..<2 { _ = await sender.send(Faked.token(number)) }
            #expect(faked.journal.entries.map(\.request.connection) == [1, 2])
        }
    }
}
