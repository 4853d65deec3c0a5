import HubMemory
import HubModel
import HubQuestions
import HubRelay
import HubTags
import HubVocabulary
import Testing

/// What a lane's loop does with late mail, with hosts that have no room, and while it waits.
@Suite("A lane's loop in trouble")
struct RelayTroubleTests {
    private static let token = String(repeating: "ab", count: 32)
    private static let other = String(repeating: "cd", count: 32)
    private static let firebase = "dGVzdA:APA91b-token"

    private static func wait(_ rest: RelayRest) -> UInt64? {
        guard case .waiting(let milliseconds) = rest else { return nil }
        return milliseconds
    }

    @Test("an answer about other records opens none")
    func otherRecords() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        let sequence = try world.send("hello")
        while !world.mail.contains(where: { if case .audiences = $0 { true } else { false } }) {
            world.stepUnanswered(turns: 1)
        }
        let strange = RelayMail.audiences(.success(FoundAudiences([[99]])), of: [sequence + 9])
        world.mail.insert(strange, at: 0)
        world.pass(seconds: 3)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
        #expect(world.paths.count == 1)
    }

    @Test("registrations that come twice make one request")
    func rowsTwice() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        let sequence = try world.send("hello")
        while !world.mail.contains(where: { if case .rows = $0 { true } else { false } }) {
            world.stepUnanswered(turns: 1)
        }
        let rows = world.mail
        world.mail += rows
        world.stepUnanswered()
        #expect(world.paths.count == 1)
        world.step()
        world.mail += rows
        world.pass(seconds: 3)
        #expect(world.paths.count == 1)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
    }

    @Test("68: an endpoint for tokens is asked no sooner than it says, and seldom when it refuses")
    func tokenRefused() throws {
        let world = try RelayWorld(.fcmV1)
        _ = try world.register(Self.firebase)
        world.tokenAnswer = RelayAnswer(status: 503, headers: [("retry-after", "30")])
        let sequence = try world.send("hello")
        world.pass(seconds: 29)
        #expect(world.tokenTimes.count == 1)
        #expect(world.loop.cause == .unavailable("status 503"))
        world.tokenAnswer = RelayAnswer(
            status: 400,
            body: Array("{\"error\":\"invalid_grant\"}".utf8)
        )
        world.pass(seconds: 60)
        #expect(world.tokenTimes.count == 2)
        #expect(
            world.loop.cause == .credential(.invalidCredentials, "invalid_grant")
        )
        world.tokenAnswer = Self.grant
        world.pass(seconds: 300)
        #expect(world.tokenTimes.count == 3 && world.paths.count == 1)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
    }

    private static let grant = RelayAnswer(
        status: 200,
        body: Array("{\"access_token\":\"abc\",\"expires_in\":3600}".utf8)
    )

    @Test("an endpoint whose tokens end at once is asked less and less, and the cause says why")
    func briefToken() throws {
        let world = try RelayWorld(.fcmV1)
        _ = try world.register(Self.firebase)
        let text = "{\"access_token\":\"abc\",\"expires_in\":0}"
        world.tokenAnswer = RelayAnswer(status: 200, body: Array(text.utf8))
        try world.send("hello")
        world.pass(seconds: 30)
        #expect((2...8).contains(world.tokenTimes.count), "\(world.tokenTimes.count)")
        #expect(world.loop.cause == .unavailable("the token lives 0 s"))
    }

    @Test("53: a refusal of another service's key by one device each gives up no record")
    func thirdParty() throws {
        var limits = LaneLimits()
        limits.equalRefusalsMax = 5
        let world = try RelayWorld(.fcmV1, limits: limits)
        for number in 10..<30 { _ = try world.register("dGVzdA:APA91b-token\(number)") }
        world.tokenAnswer = Self.grant
        world.answers["/v1/projects/demo-project/messages:send"] = RelayAnswer(
            status: 401,
            body: Array(
                #"{"error":{"details":[{"@type":"FcmError","errorCode":"THIRD_PARTY_AUTH_ERROR"}]}}"#
                    .utf8
            )
        )
        try world.send("hello")
        world.pass(seconds: 5)
        #expect(world.paths.count == 20)
    }

    @Test("28: refusals of what each device's own template renders give up no record")
    func ownTemplates() throws {
        var limits = LaneLimits()
        limits.equalRefusalsMax = 5
        let world = try RelayWorld(limits: limits)
        for number in 10..<30 {
            let token = String(repeating: "\(number)", count: 32)
            world.answers["/3/device/\(token)"] = RelayAnswer(
                status: 413,
                body: Array("{\"reason\":\"PayloadTooLarge\"}".utf8)
            )
            _ = try world.register(token, template: #"{"aps":{"alert":"$(text)"}}"#)
        }
        try world.sendProperties(#"{"text":"hello"}"#)
        world.pass(seconds: 5)
        #expect(world.paths.count == 20)
    }

    @Test("68: while an older token serves, an endpoint that is away is asked less and less")
    func renewalRefused() throws {
        let world = try RelayWorld(.fcmV1)
        _ = try world.register(Self.firebase)
        world.tokenAnswer = Self.grant
        world.answers["/v1/projects/demo-project/messages:send"] = RelayAnswer(status: 503)
        try world.send("hello", seconds: 20_000)
        world.pass(seconds: 5)
        #expect(world.tokenTimes.count == 1)
        world.tokenAnswer = RelayAnswer(status: 503)
        world.step(milliseconds: 2_880_000)
        world.pass(seconds: 600)
        #expect((8...20).contains(world.tokenTimes.count), "\(world.tokenTimes.count)")
        world.answers = [:]
        world.pass(seconds: 61)
        #expect(world.paths.count > 1)
    }

    @Test("many registrations with newer tags are read in parts, and each is sent to once")
    func manyRetagged() throws {
        let world = try RelayWorld()
        let count = ReadAudiences.readsMax + 10
        let all = try (0..<count).map { number in
            let digits = String(number, radix: 16)
            let padding = String(repeating: "0", count: 64 - digits.utf8.count)
            return try world.register(padding + digits, tags: ["a"])
        }
        let sequence = try world.send("hello", tags: "a")
        for registration in all.dropLast(5) {
            var content = registration.content
            content.tags = content.tags.subtracting(content.tags)
            try world.put(registration, content)
        }
        let record = try #require(
            try world.storage.reader.records(at: [sequence], bytesMax: .max).first
        )
        let part = try world.ask(ReadAudiences(.apple, of: [record.header]))
        #expect(part.next != nil && part.audiences.map(\.count) == [ReadAudiences.readsMax])
        world.pass(seconds: 10)
        #expect(world.questions.filter { $0.contains(sequence) }.count == 2)
        #expect(try world.details(sequence)[.relayAccepted] == UInt64(count))
        #expect(Set(world.paths).count == count && world.paths.count == count)
    }

    @Test("a lane that rests lets due rows and ends wait, and one that has nothing sleeps")
    func rests() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.pass(seconds: 5)
        world.now.instant = world.now.instant.adding(milliseconds: 2_000)
        world.stepUnanswered(turns: 1)
        #expect(Self.wait(world.rest) == 60_000)
        world.answers["/3/device/\(Self.token)"] = RelayAnswer(
            status: 429,
            body: Array("{\"reason\":\"TooManyRequests\"}".utf8)
        )
        try world.send("one")
        world.pass(seconds: 5)
        _ = try world.register(Self.other, tags: ["b"])
        world.answers["/3/device/\(Self.other)"] = RelayAnswer(
            status: 503,
            headers: [("retry-after", "600")]
        )
        try world.send("two", tags: "b")
        world.pass(seconds: 100)
        #expect(try #require(Self.wait(world.rest)) >= 500)
    }

    @Test("a record that expires while its request is in flight wakes nothing")
    func expiresInFlight() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        try world.send("one", seconds: 2)
        world.stepUnanswered()
        #expect(world.paths.count == 1)
        world.now.instant = world.now.instant.adding(milliseconds: 5_000)
        world.now.time = world.now.time.adding(seconds: 5)
        world.stepUnanswered()
        #expect(try #require(Self.wait(world.rest)) >= 500)
    }

    @Test("a lane whose questions find no room asks again behind a growing pause")
    func noRoom() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.refusesQuestions = true
        let sequence = try world.send("one")
        world.pass(seconds: 20)
        #expect((4...12).contains(world.questions.count), "\(world.questions.count)")
        world.refusesQuestions = false
        world.pass(seconds: 8)
        #expect(try world.details(sequence)[.relayAccepted] == 1)
    }

    @Test("a header that no HTTP message may carry is content refused, and nothing rests")
    func brokenHeader() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        let header = NamedValue(
            name: Array("apns-collapse-id".utf8),
            value: Array("a\r\nb".utf8)
        )
        let sequence = try world.send("hello", headers: [header])
        world.pass(seconds: 3)
        #expect(world.paths == [] && world.loop.cause == nil)
        #expect(try world.details(sequence)[.relayInvalidFormat] == 1)
        #expect(
            try world.failures(of: sequence)
                == ["apns-collapse-id has characters that no header has"]
        )
    }

    @Test("a lane of another epoch stores its place before anything comes, and loses nothing")
    func firstMark() throws {
        let world = try RelayWorld(since: 1_000)
        _ = try world.register(Self.token)
        try world.crash(beginningEpoch: true)
        world.pass(seconds: 3)
        for number in 1...2 {
            let sequence = try world.send("hello \(number)")
            // The process is killed before the lane hears of the notification.
            try world.crash()
            world.pass(seconds: 3)
            #expect(try world.details(sequence)[.relayAccepted] == 1)
        }
        #expect(world.paths.count == 2)
    }

    @Test("95: what was purged before a lane begins is not sent")
    func purgedBefore() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        let sequence = try world.send("hello")
        try world.purge(through: sequence)
        try world.crash()
        world.pass(seconds: 3)
        #expect(world.paths == [])
        #expect(try world.details(sequence)[.relayPurged] == 1)
    }

    @Test("95: a purge reaches requests that wait for registrations or for an access token")
    func purgedBeforeRequest() throws {
        let world = try RelayWorld(.fcmV1)
        _ = try world.register(Self.firebase)
        let sequence = try world.send("one")
        while !world.mail.contains(where: { if case .rows = $0 { true } else { false } }) {
            world.stepUnanswered(turns: 1)
        }
        world.mail.insert(.purged(through: sequence), at: 0)
        world.pass(seconds: 3)
        let second = try world.send("two")
        while !world.mail.contains(where: { if case .token = $0 { true } else { false } }) {
            world.stepUnanswered(turns: 1)
        }
        world.mail.removeAll { if case .token = $0 { true } else { false } }
        world.stepUnanswered(turns: 2)
        world.mail += [.purged(through: second), .token(.success(Self.grant))]
        world.pass(seconds: 3)
        #expect(world.paths == [])
        #expect(try world.details(sequence)[.relayPurged] == 1)
        #expect(try world.details(second)[.relayPurged] == 1)
    }

    @Test("an explanation names a refusal as soon as it is counted")
    func explainedAtOnce() throws {
        let world = try RelayWorld()
        let registration = try world.register(Self.token)
        world.answers["/3/device/\(Self.token)"] = RelayAnswer(
            status: 413,
            body: Array("{\"reason\":\"PayloadTooLarge\"}".utf8)
        )
        world.pass(seconds: 3)
        world.refuseCheckpoints(.unavailable(reason: "not now"))
        let sequence = try world.send("hello")
        world.pass(seconds: 3)
        #expect(try world.details(sequence)[.relayInvalidSize] == 1)
        let reason = try world.explain(sequence, registration)
        guard case .relayRefused(.invalidNotificationSize, "PayloadTooLarge", _) = reason else {
            Issue.record("\(reason)")
            return
        }
    }

    @Test("a newer notification replaces one that waits since before a restart")
    func collapsesRow() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        let path = "/3/device/\(Self.token)"
        world.answers[path] = RelayAnswer(
            status: 429,
            body: Array("{\"reason\":\"TooManyRequests\"}".utf8)
        )
        let first = try world.send("one", collapse: "score")
        world.pass(seconds: 4)
        try world.crash()
        world.answers = [:]
        let second = try world.send("two", collapse: "score")
        world.pass(seconds: 100)
        #expect(world.paths.count == 2)
        #expect(try world.details(first)[.relayCollapsed] == 1)
        #expect(try world.details(second)[.relayAccepted] == 1)
    }

    @Test("28: explanations name the refusal for the rest of a record that was given up")
    func givenUp() throws {
        var limits = LaneLimits()
        limits.requestsMax = 5
        limits.equalRefusalsMax = 10
        let world = try RelayWorld(limits: limits)
        let all = try (10..<60).map { try world.register(String(repeating: "\($0)", count: 32)) }
        for registration in all {
            let path = "/3/device/" + String(decoding: registration.content.handle, as: UTF8.self)
            world.answers[path] = RelayAnswer(
                status: 413,
                body: Array("{\"reason\":\"PayloadTooLarge\"}".utf8)
            )
        }
        let sequence = try world.send("hello")
        world.pass(seconds: 5)
        #expect(world.paths.count < 20)
        #expect(try world.details(sequence)[.relayInvalidSize] == 50)
        for registration in all {
            let reason = try world.explain(sequence, registration)
            guard case .relayRefused(.invalidNotificationSize, "PayloadTooLarge", _) = reason
            else {
                Issue.record("\(reason)")
                continue
            }
        }
    }

    @Test("91: a lane that ends makes no request of registrations that come then")
    func ending() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        try world.send("one")
        while !world.mail.contains(where: { if case .rows = $0 { true } else { false } }) {
            world.stepUnanswered(turns: 1)
        }
        world.pass(seconds: 2, isStopping: true)
        #expect(world.paths == [] && world.rest == .stopped)
        try world.crash()
        world.pass(seconds: 2)
        #expect(world.paths.count == 1)
    }
}
