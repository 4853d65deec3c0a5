import Crypto
import HubModel
import HubRelay
import HubRelayLink
import HubVocabulary
import RelayFakes
import Synchronization
import Testing

/// Part C of the relays' reference, over real connections to a push service that is the browser too.
@Suite("Relay to a fake of browsers' services")
struct BrowserCarrierTests {
    static func request(
        _ name: String,
        port: Int,
        text: [UInt8],
        now: Timestamp = Faked.now
    ) throws -> RelayRequest {
        let subscription = BrowserSubscription(name: name)
        let host = "push.example.com:\(port)"
        let handle = try ForeignHandle(
            Array("https://\(host)/push/\(name)".utf8),
            platform: .browser,
            keys: ForeignHandle.SubscriptionKeys(
                publicKey: Array(Base64URL.encode(subscription.publicKey).utf8),
                secret: Array(Base64URL.encode(subscription.secret).utf8)
            ),
            browserHosts: [host]
        )
        guard case .browser(let address, let key, let secret) = handle else {
            throw CarrierFailure.unreachable("no subscription")
        }
        var source = BrowserTokenSource(try Faked.browser())
        var draw = WebPushEncryption.Draw(
            key: Array(P256.KeyAgreement.PrivateKey().rawRepresentation),
            salt: (0..<16).map { _ in UInt8.random(in: 0...255) }
        )
        return try BrowserService.form(
            Faked.notification(text),
            to: address,
            authorization: source.authorization(origin: address.origin, now: now),
            now: now
        ).request(
            to: address,
            key: key,
            secret: secret,
            draw: &draw
        )
    }

    @Test("56: the browser reads what was sent", arguments: [["h2"], ["http/1.1"]])
    func delivers(protocols: [String]) async throws {
        try await FakedService.run(BrowserFake(), protocols: protocols) { faked in
            let carrier = try ChosenCarrier(faked.options)
            for count in [1, 700, 3_993] {
                let text = Array(String(repeating: "ü", count: count).utf8.prefix(count))
                let request = try Self.request("anna", port: faked.server.port, text: text)
                let answer = try await carrier.send(request, within: Faked.patience)
                #expect(BrowserService.verdict(answer, now: Faked.now).action == .done)
                #expect(faked.journal.entries.last?.text == text)
            }
            #expect(faked.journal.entries.allSatisfy { $0.handle == "anna" })
        }
    }

    @Test("a host without HTTP/2 gets each of a lane's requests once, by HTTP/1.1")
    func plainHost() async throws {
        try await FakedService.run(BrowserFake(), protocols: ["http/1.1"]) { faked in
            let (answers, more) = AsyncStream<CarriedAnswer>.makeStream()
            let carrier = try ChosenCarrier(faked.options)
            let channel = carrier.channel(within: Faked.patience) { answers in
                for answer in answers { more.yield(answer) }
            }
            let requests = try (1...5 as ClosedRange<UInt32>).map { number in
                CarriedRequest(
                    ticket: LaneTicket(
                        sequence: 1,
                        registration: number,
                        attempt: 0,
                        token: 0,
                        expires: Faked.now
                    ),
                    request: try Self.request("anna", port: faked.server.port, text: [65])
                )
            }
            channel(requests)
            var (taken, unprocessed) = (0, 0)
            for await answer in answers {
                switch answer.result {
                case .success(let given):
                    #expect(given.status == 201)
                    taken += 1
                case .failure(let failure):
                    #expect(failure == .unprocessed("no HTTP/2"))
                    unprocessed += 1
                    // As a lane does with what was not processed.
                    channel(requests.filter { $0.ticket == answer.ticket })
                }
                if taken == requests.count { break }
            }
            #expect(unprocessed == requests.count)
            #expect(faked.journal.entries.count == requests.count)
        }
    }

    @Test("a short pause of a host delays its requests, and fails none")
    func shortPause() async throws {
        try await FakedService.run(BrowserFake()) { faked in
            var options = faked.options
            options.places = [:]
            options.privateHosts = ["push.example.com"]
            options.times.restLeast = .milliseconds(500)
            let isFirst = Mutex(true)
            options.lookUp = { host async throws(CarrierFailure) in
                let fails = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                if fails { throw .unreachable("\(host) is away") }
                return [[127, 0, 0, 1]]
            }
            let carrier = try ChosenCarrier(options)
            let request = try Self.request("anna", port: faked.server.port, text: [65])
            await #expect(throws: CarrierFailure.unreachable("push.example.com is away")) {
                try await carrier.send(request, within: Faked.patience)
            }
            let answer = try await carrier.send(request, within: Faked.patience)
            #expect(answer.status == 201)
        }
    }

    @Test(
        "a connection without work for a while ends, and the next request opens another",
        .timeLimit(.minutes(1))
    )
    func idle() async throws {
        try await FakedService.run(BrowserFake()) { faked in
            var options = faked.options
            options.times.idle = .milliseconds(50)
            let (events, more) = AsyncStream<CarrierEvent>.makeStream()
            options.onEvent = { more.yield($0) }
            let carrier = try ChosenCarrier(options)
            let request = try Self.request("anna", port: faked.server.port, text: [65])
            for number in 1...2 {
                _ = try await carrier.send(request, within: Faked.patience)
                #expect(faked.journal.entries.last?.request.connection == number)
                for await event in events {
                    guard case .lost(let host, _) = event else { continue }
                    #expect(host == "push.example.com")
                    break
                }
            }
        }
    }

    static let rows: [(word: String, action: RelayAction, outcome: RelayOutcome)] = [
        ("200", .done, .success), ("201", .done, .success), ("202", .done, .success),
        ("204", .done, .success),
        ("301", .suspect(mayDelete: true), .badChannel),
        ("400", .content, .invalidNotificationFormat),
        ("401", .renew, .invalidCredentials), ("BadJwtToken", .renew, .invalidCredentials),
        ("VapidPkHashMismatch", .suspect(mayDelete: true), .wrongToken),
        ("404", .suspect(mayDelete: true), .badChannel),
        ("410", .gone(since: nil), .expiredChannel),
        ("413", .content, .invalidNotificationSize),
        ("429", .later(seconds: 60, most: 3_600), .throttled),
        ("429+30", .slow(retryAfter: 30), .throttled),
        ("500", .stall(retryAfter: nil), .pnsServerError),
        ("503+9", .stall(retryAfter: 9), .pnsUnavailable),
    ]

    @Test("60, 61, 110: each answer of the table has its action and outcome", arguments: rows)
    func answers(word: String, action: RelayAction, outcome: RelayOutcome) async throws {
        try await FakedService.run(BrowserFake(), rules: ["1=\(word)"]) { faked in
            let request = try Self.request("anna", port: faked.server.port, text: [65])
            let carrier = try ChosenCarrier(faked.options)
            let answer = try await carrier.send(request, within: Faked.patience)
            let verdict = BrowserService.verdict(answer, now: Faked.now)
            #expect(verdict.action == action)
            #expect(verdict.outcome == outcome)
            // A redirect is not followed.
            #expect(faked.journal.entries.count == 1)
        }
    }

    @Test("62: one origin that is down does not hold up another")
    func isolatesOrigins() async throws {
        try await FakedService.run(BrowserFake(), rules: ["1=silence"]) { silent in
            try await FakedService.run(BrowserFake()) { faked in
                var options = faked.options
                options.places["push.services.mozilla.com"] = CarrierOptions.Place(
                    address: "127.0.0.1",
                    port: silent.server.port
                )
                let carrier = try ChosenCarrier(options)
                var stuck = try Self.request("anna", port: faked.server.port, text: [65])
                let good = stuck
                stuck.host = "push.services.mozilla.com"
                let held = stuck
                let waiting = Task { try await carrier.send(held, within: .seconds(20)) }
                let answer = try await carrier.send(good, within: Faked.patience)
                #expect(answer.status == 201)
                await #expect(throws: CarrierFailure.self) { try await waiting.value }
            }
        }
    }

    @Test("59: a token for another origin is refused")
    func wrongOrigin() async throws {
        try await FakedService.run(BrowserFake()) { faked in
            let carrier = try ChosenCarrier(faked.options)
            var request = try Self.request("anna", port: 443, text: [65])
            request.port = faked.server.port
            let answer = try await carrier.send(request, within: Faked.patience)
            let verdict = BrowserService.verdict(answer, now: Faked.now)
            #expect(verdict.action == .renew)
        }
    }
}
