import HubDirectory
import HubModel
import HubQuestions
import HubRelay
import HubTags
import HubVocabulary
import Testing

@Suite("A lane joined to its hub")
struct RelayLoopTests {
    private static let token = String(repeating: "ab", count: 32)

    private static func path(_ token: String) -> String { "/3/device/\(token.lowercased())" }

    @Test("relays a send to the tokens that it matched, and counts it once")
    func relays() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token, tags: ["a"])
        _ = try world.register(String(repeating: "cd", count: 32), tags: ["b"])
        let sequence = try world.send("hello", tags: "a")
        world.pass(seconds: 3)
        #expect(world.paths == [Self.path(Self.token)])
        let request = try #require(world.requests.first)
        #expect(request.host == "api.push.apple.com")
        #expect(request["authorization"]?.hasPrefix("bearer ") == true)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
        #expect(world.hub.lane(.apple)?.mark == LaneMark(epoch: 7, scanned: sequence))
    }

    @Test("sends nothing to a handle that Belfry made")
    func own() throws {
        let world = try RelayWorld()
        let device = DeviceID(high: 1, low: 2)
        for generation in [0, 3] as [UInt32] {
            let handle = PushHandle(
                device: device,
                hub: Samples.hub.name,
                secret: Samples.hub.secret,
                generation: generation
            )
            _ = try world.register(String(decoding: handle.text, as: UTF8.self))
        }
        let sequence = try world.send("hello")
        world.pass(seconds: 3)
        #expect(world.paths == [])
        // The handle of the present generation is our own link's.
        #expect(try world.details(sequence)[.relayBadChannel] == 1)
    }

    @Test("judges a registration by the tags that it had when the send was accepted")
    func formerTags() throws {
        let world = try RelayWorld()
        let first = try world.register(Self.token, tags: ["a"])
        world.pass(seconds: 1)
        let sequence = try world.send("one", tags: "a")
        var content = first.content
        content.tags = first.content.tags.subtracting(first.content.tags)
        try world.put(first, content)
        _ = try world.register(String(repeating: "ef", count: 32), tags: ["a"])
        world.pass(seconds: 3)
        #expect(world.paths == [Self.path(Self.token)])
        #expect(try world.details(sequence)[.relayAccepted] == 1)
    }

    @Test("87: a template gets each send whose tags its registration had at that record")
    func locale() throws {
        let world = try RelayWorld()
        let phone = try world.register(
            Self.token,
            tags: ["locale:de"],
            template: #"{"aps":{"alert":"$(text)"}}"#
        )
        world.pass(seconds: 1)
        world.answers[Self.path(Self.token)] = RelayAnswer(status: 503)
        let first = try world.sendProperties(#"{"text":"eins"}"#, tags: "locale:de")
        world.pass(seconds: 2)
        var content = phone.content
        content.tags = TagSet([Array("locale:fr".utf8)])
        try world.put(phone, content)
        try world.sendProperties(#"{"text":"zwei"}"#, tags: "locale:de")
        let last = try world.sendProperties(#"{"text":"trois"}"#, tags: "locale:fr")
        world.answers = [:]
        world.pass(seconds: 65)
        let bodies = Set(world.requests.map { String(decoding: $0.body, as: UTF8.self) })
        #expect(bodies == [#"{"aps":{"alert":"eins"}}"#, #"{"aps":{"alert":"trois"}}"#])
        for sequence in [first, last] {
            #expect(try world.details(sequence)[.relayAccepted] == 1)
        }
    }

    @Test("a service that no request reaches rests the lane with the cause, and counts nothing")
    func unreachable() throws {
        let world = try RelayWorld()
        let registration = try world.register(Self.token)
        world.failure = .unreachable("no address answers")
        let sequence = try world.send("hello")
        world.pass(seconds: 600)
        // One request at a time, at growing distances of a minute at most.
        #expect((8...40).contains(world.paths.count), "\(world.paths.count)")
        #expect(world.loop.cause == .unavailable("no address answers"))
        #expect(try world.estimateOnly(sequence))
        #expect(world.hub.lane(.apple)?.deferred == [])
        let sentence = LaneCause.unavailable("no address answers").sentence
        #expect(try world.explain(sequence, registration) == .relayWaiting(sentence))
        world.failure = nil
        world.pass(seconds: 65)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
        #expect(world.hub.gauges.registrations == 1)
    }

    @Test("removes the registration of a dead token, and tells the feedback")
    func dead() throws {
        let world = try RelayWorld()
        let registration = try world.register(Self.token)
        world.answers[Self.path(Self.token)] = RelayAnswer(
            status: 410,
            body: Array("{\"reason\":\"Unregistered\",\"timestamp\":4000000000000}".utf8)
        )
        let sequence = try world.send("hello")
        world.pass(seconds: 3)
        #expect(try world.departures() == [.expiredChannel])
        #expect(world.hub.gauges.registrations == 0)
        #expect(try world.failures(of: sequence) == ["Unregistered"])
        #expect(registration.number.raw > 0)
    }

    @Test("asks for a pause of one device are kept over a crash")
    func deferred() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        let path = Self.path(Self.token)
        world.answers[path] = RelayAnswer(
            status: 429,
            body: Array("{\"reason\":\"TooManyRequests\"}".utf8)
        )
        let sequence = try world.send("hello")
        world.pass(seconds: 4)
        #expect(world.paths == [path])
        #expect(world.hub.lane(.apple)?.deferred.map(\.sequence) == [sequence])
        try world.crash()
        world.answers[path] = nil
        world.pass(seconds: 50)
        #expect(world.paths == [path])
        world.pass(seconds: 20)
        #expect(world.paths == [path, path])
        #expect(try world.details(sequence)[.relayAccepted] == 1)
        #expect(world.hub.lane(.apple)?.deferred == [])
    }

    @Test("a crash between an answer and the mark repeats the request and counts once")
    func crash() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        let sequence = try world.send("hello")
        world.refuseCheckpoints(.unavailable(reason: "not now"))
        world.pass(seconds: 2)
        #expect(world.paths.count == 1)
        try world.crash()
        world.pass(seconds: 3)
        #expect(world.paths.count == 2)
        #expect(Set(world.requests.compactMap { $0["apns-id"] }).count == 1)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
        try world.crash()
        world.pass(seconds: 3)
        #expect(world.paths.count == 2)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
    }

    @Test("sends nothing while its mark cannot be stored, and goes on afterwards")
    func storeRefuses() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        try world.send("one")
        world.refuseCheckpoints(.unavailable(reason: "not now"))
        world.pass(seconds: 3)
        #expect(world.news.contains(.rests(.store)))
        let made = world.paths.count
        world.refuseCheckpoints(nil)
        let last = try world.send("two")
        world.pass(seconds: 5)
        #expect(world.paths.count == made + 1)
        #expect(try world.details(last)[.relayAccepted] == 1)
        #expect(world.hub.lane(.apple)?.mark.scanned == last)
    }

    @Test("a wrong credential stops the lane, and counts nothing")
    func credential() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.answers[Self.path(Self.token)] = RelayAnswer(
            status: 403,
            body: Array("{\"reason\":\"InvalidProviderToken\"}".utf8)
        )
        let sequence = try world.send("hello")
        world.pass(seconds: 60)
        #expect(world.paths.count == 1)
        let cause = LaneCause.credential(.invalidCredentials, "InvalidProviderToken")
        #expect(world.loop.cause == cause)
        #expect(try world.estimateOnly(sequence))
        world.answers = [:]
        world.pass(seconds: 300)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
    }

    @Test("explanations tell each state of a relayed notification")
    func explains() throws {
        let world = try RelayWorld()
        let registration = try world.register(Self.token)
        let path = Self.path(Self.token)
        func answer(_ status: Int, _ reason: String) {
            world.answers[path] = RelayAnswer(
                status: status,
                body: Array("{\"reason\":\"\(reason)\"}".utf8)
            )
        }
        let taken = try world.send("one")
        #expect(try world.explain(taken, registration) == .relayWaiting(nil))
        world.pass(seconds: 3)
        #expect(try world.explain(taken, registration) == .relayed)
        answer(413, "PayloadTooLarge")
        let large = try world.send("two")
        world.pass(seconds: 3)
        let refused = try world.explain(large, registration)
        guard case .relayRefused(.invalidNotificationSize, "PayloadTooLarge", _) = refused else {
            Issue.record("\(refused)")
            return
        }
        answer(429, "TooManyRequests")
        let busy = try world.send("three")
        world.pass(seconds: 3)
        guard case .relayDeferred = try world.explain(busy, registration) else {
            Issue.record("not deferred")
            return
        }
        answer(403, "InvalidProviderToken")
        let last = try world.send("four")
        world.pass(seconds: 70)
        let sentence = "the credential is refused: InvalidCredentials: InvalidProviderToken"
        #expect(try world.explain(last, registration) == .relayWaiting(sentence))
        let report = try #require(try world.ask(GetRelays()).first)
        #expect(report.platform == .apple && report.cause == sentence)
        #expect(report.open == 1 && report.behind == 0 && report.deferred == 1)
        world.hub.relays = [:]
        #expect(try world.explain(last, registration) == .unknownHandle)
    }

    @Test("a purge and an expiry end what waits, each counted")
    func ends() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.answers[Self.path(Self.token)] = RelayAnswer(status: 503)
        let purged = try world.send("one")
        let short = try world.send("two", seconds: 30)
        world.pass(seconds: 5)
        try world.purge(through: purged)
        world.pass(seconds: 40)
        #expect(try world.details(purged)[.relayPurged] == 1)
        #expect(try world.details(short)[.relayExpired] == 1)
        world.answers = [:]
        let made = world.paths.count
        let next = try world.send("three")
        world.pass(seconds: 65)
        #expect(try world.details(next)[.relayAccepted] == 1)
        #expect(world.paths.count == made + 1)
    }

    @Test("of waiting notifications with one key the newest is enough")
    func collapses() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.answers[Self.path(Self.token)] = RelayAnswer(status: 503)
        let first = try world.send("one", collapse: "score")
        world.pass(seconds: 2)
        let second = try world.send("two", collapse: "score")
        world.pass(seconds: 5)
        world.answers = [:]
        world.pass(seconds: 65)
        #expect(try world.details(first)[.relayCollapsed] == 1)
        #expect(try world.details(second)[.relayAccepted] == 1)
    }

    @Test("a log of another epoch is relayed from its head on")
    func otherEpoch() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        _ = try world.send("one")
        try world.crash(beginningEpoch: true)
        world.pass(seconds: 5)
        #expect(world.paths == [])
        let next = try world.send("two")
        world.pass(seconds: 5)
        #expect(world.paths.count == 1)
        #expect(try world.details(next)[.relayAccepted] == 1)
    }

    @Test("kills at any moment lose nothing, and count each match once", arguments: 1...6)
    func kills(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let world = try RelayWorld()
        for number in 0..<20 { _ = try world.register(format(number)) }
        var sequences: [UInt64] = []
        for round in 0..<60 {
            if round % 3 == 0 { sequences.append(try world.send("n\(round)")) }
            if UInt64.random(in: 0..<4, using: &random) == 0 {
                world.stepUnanswered()
            } else {
                world.step(milliseconds: UInt64.random(in: 0..<900, using: &random))
            }
            if UInt64.random(in: 0..<5, using: &random) == 0 { try world.crash() }
        }
        world.pass(seconds: 70)
        for sequence in sequences {
            #expect(try world.details(sequence)[.relayAccepted] == 20, "seed \(seed)")
        }
        #expect(Set(world.requests.compactMap { $0["apns-id"] }).count == sequences.count * 20)
    }

    private func format(_ number: Int) -> String {
        String(repeating: "0", count: 62) + (number < 10 ? "a\(number)" : "b\(number - 10)")
    }
}
