import HubMemory
import HubModel
import HubQuestions
import HubRelay
import HubVocabulary
import Synchronization
import Testing

/// Requests beside a lane's own, direct sends, and an operator's word.
@Suite("Trials, direct sends and skips of a lane")
struct RelayTrialTests {
    private static let token = String(repeating: "ab", count: 32)
    private static let path = "/3/device/\(token)"

    /// Answers in the order in which they came.
    private final class Said: Sendable {
        let answers = Mutex<[RelayTrialAnswer]>([])

        var last: RelayTrialAnswer? { answers.withLock(\.last) }

        func mail(_ trial: RelayTrial) -> RelayMail {
            .trial(AwaitedTrial(trial) { answer in self.answers.withLock { $0.append(answer) } })
        }
    }

    /// Answers to orders to give up, in the order in which they came.
    private final class Told: Sendable {
        private let heard = Mutex<[Result<RelaySkip?, Refusal>]>([])

        var answers: [Result<RelaySkip?, Refusal>] { heard.withLock { $0 } }

        func hear(_ answer: Result<RelaySkip?, Refusal>) { heard.withLock { $0.append(answer) } }
    }

    @Test("a direct send goes to its handles, in order, and removes nothing")
    func direct() throws {
        let world = try RelayWorld()
        let other = String(repeating: "cd", count: 32)
        world.answers[Self.path] = RelayAnswer(
            status: 410,
            body: Array("{\"reason\":\"Unregistered\",\"timestamp\":1}".utf8)
        )
        let handles = [Self.token, other, Self.token].map { Array($0.utf8) }
        let first = try world.send("one", handles: handles)
        let second = try world.send("two", handles: [Array(other.utf8)])
        world.pass(seconds: 3)
        #expect(Set(world.paths) == [Self.path, "/3/device/\(other)"] && world.paths.count == 3)
        #expect(try world.details(first)[.relayAccepted] == 1)
        #expect(try world.details(first)[.relayExpiredChannel] == 1)
        #expect(try world.details(second)[.relayAccepted] == 1)
        #expect(try world.departures() == [])
        #expect(Set(world.requests.compactMap { $0["apns-id"] }).count == 3)
    }

    @Test("81–83: a direct send to a handle that Belfry made reaches no service")
    func directToOwn() throws {
        let world = try RelayWorld()
        let handles = ([0, 3] as [UInt32]).map { generation in
            PushHandle(
                device: DeviceID(high: 1, low: 2),
                hub: Samples.hub.name,
                secret: Samples.hub.secret,
                generation: generation
            ).text
        }
        let sequence = try world.send("one", handles: handles)
        world.pass(seconds: 3)
        #expect(world.paths == [])
        // That of the present generation is our own link's.
        #expect(try world.details(sequence)[.relayBadChannel] == 1)
    }

    @Test("a direct send to a device that has left something is not the lane's")
    func directToKnown() throws {
        let world = try RelayWorld()
        let known = PushHandle(
            device: DeviceID(high: 3, low: 4),
            hub: Samples.hub.name,
            secret: Samples.hub.secret,
            generation: 0
        ).text
        #expect(try world.register(String(decoding: known, as: UTF8.self)).target != nil)
        let foreign = Array(String(repeating: "cd", count: 32).utf8)
        let sequence = try world.send("one", handles: [known, foreign])
        let records = try world.storage.reader.records(at: [sequence], bytesMax: .max)
        let found = try world.ask(ReadAudiences(.apple, of: records.map(\.header)))
        #expect(found.audiences == [Array(DirectHandles.byNumber([foreign]).keys)])
        world.pass(seconds: 3)
        #expect(world.paths == ["/3/device/\(String(decoding: foreign, as: UTF8.self))"])
        #expect(try world.details(sequence)[.relayBadChannel] == 0)
    }

    @Test("numbers of handles are above registrations', each handle has one, and it lasts")
    func numbers() {
        let handles = (0..<2_000).map { Array("handle \($0)".utf8) }
        let found = DirectHandles.byNumber(handles + handles)
        #expect(found.count == 2_000 && found.keys.allSatisfy(DirectHandles.has))
        #expect(Set(found.values) == Set(handles))
        #expect(DirectHandles.byNumber(handles) == found)
        #expect(!DirectHandles.has(0x7FFF_FFFF))
        let alone = DirectHandles.byNumber([handles[7]])
        #expect(alone.keys.first.map { found[$0] } == handles[7])
    }

    @Test("a trial gets the service's answer, and the lane knows nothing of it")
    func trial() throws {
        let world = try RelayWorld()
        let registration = try world.register(Self.token)
        let draft = NotificationDraft(
            format: .native(.apple),
            target: .broadcast,
            body: Array("{\"aps\":{}}".utf8),
            timeToLive: .seconds(60)
        )
        let handle = registration.content.handle
        let said = Said()
        world.mail.append(said.mail(.notification(draft, handle: handle, registration)))
        world.pass(seconds: 1)
        #expect(said.last == .taken("") && world.paths == [Self.path])
        world.answers[Self.path] = RelayAnswer(
            status: 410,
            body: Array("{\"reason\":\"Unregistered\",\"timestamp\":9000000000000}".utf8)
        )
        world.mail.append(said.mail(.notification(draft, handle: handle, nil)))
        world.pass(seconds: 3)
        #expect(said.last == .refused(.expiredChannel, "Unregistered"))
        #expect(try world.departures() == [])
        let own = PushHandle(
            device: DeviceID(high: 1, low: 2),
            hub: Samples.hub.name,
            secret: Samples.hub.secret,
            generation: 3
        )
        world.mail.append(said.mail(.notification(draft, handle: own.text, nil)))
        world.pass(seconds: 1)
        #expect(said.last == .refused(.badChannel, "a handle that Belfry made"))
        #expect(world.paths.count == 2)
    }

    @Test("a check says that a credential is right by whatever the service judges behind it")
    func check() throws {
        let world = try RelayWorld()
        let zeros = "/3/device/" + String(repeating: "0", count: 64)
        let said = Said()
        for (status, reason, answer) in [
            (400, "BadDeviceToken", RelayTrialAnswer.taken("BadDeviceToken")),
            (
                403, "InvalidProviderToken",
                .refused(.invalidCredentials, "InvalidProviderToken")
            ),
            (503, "Shutdown", .unanswered("Shutdown")),
        ] {
            world.answers[zeros] = RelayAnswer(
                status: status,
                body: Array("{\"reason\":\"\(reason)\"}".utf8)
            )
            world.mail.append(said.mail(.credential))
            world.pass(seconds: 1)
            #expect(said.last == answer)
        }
    }

    @Test("a check whose endpoint for tokens refuses hears it, and does not ask again at once")
    func checkWithoutToken() throws {
        let world = try RelayWorld(.fcmV1)
        let said = Said()
        world.tokenAnswer = RelayAnswer(
            status: 400,
            body: Array("{\"error\":\"invalid_grant\"}".utf8)
        )
        world.mail.append(said.mail(.credential))
        world.pass(seconds: 1)
        #expect(said.last == .refused(.invalidCredentials, "invalid_grant"))
        world.mail.append(said.mail(.credential))
        world.pass(seconds: 1)
        #expect(said.answers.withLock(\.count) == 2 && world.tokenTimes.count == 1)
        world.tokenAnswer = RelayAnswer(
            status: 200,
            body: Array("{\"access_token\":\"abc\",\"expires_in\":3600}".utf8)
        )
        world.pass(seconds: 300)
        world.mail.append(said.mail(.credential))
        world.pass(seconds: 1)
        #expect(said.last == .taken(""))
        let request = try #require(world.requests.last)
        #expect(String(decoding: request.body, as: UTF8.self).contains("\"validate_only\":true"))
    }

    @Test("a lane gives up what waits up to a place, read or not, and goes on behind it")
    func skip() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.answers[Self.path] = RelayAnswer(status: 503)
        let sequences = try (0..<5).map { try world.send("n\($0)") }
        world.pass(seconds: 5)
        let told = Told()
        world.mail.append(
            .skip(AwaitedSkip(through: sequences[3]) { told.hear($0) })
        )
        world.pass(seconds: 2)
        #expect(told.answers == [.success(RelaySkip(ended: 4, unread: 0))])
        for sequence in sequences.dropLast() {
            #expect(try world.details(sequence)[.relayPurged] == 1)
        }
        world.answers = [:]
        let made = world.paths.count
        world.pass(seconds: 65)
        #expect(try world.details(sequences[4])[.relayAccepted] == 1)
        #expect(world.paths.count == made + 1)
    }

    @Test("while the store refuses, an order to give up hears that it is not stored")
    func skipUnstored() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.answers[Self.path] = RelayAnswer(status: 503)
        let sequence = try world.send("one")
        world.refuseCheckpoints(.unavailable(reason: "not now"))
        let told = Told()
        for _ in 0..<70 {
            world.mail.append(.skip(AwaitedSkip(through: sequence) { told.hear($0) }))
        }
        world.pass(seconds: 5)
        let notStored = Refusal.storeUnavailable(retryAfterSeconds: 5)
        #expect(told.answers.count { $0 == .failure(notStored) } == 64)
        #expect(told.answers.count { $0 == .failure(.throttled(retryAfterSeconds: 5)) } == 6)
        world.refuseCheckpoints(nil)
        world.mail.append(.skip(AwaitedSkip(through: sequence) { told.hear($0) }))
        world.pass(seconds: 5)
        #expect(told.answers.last == .success(RelaySkip(ended: 0, unread: 0)))
        #expect(try world.details(sequence)[.relayPurged] == 1)
    }

    @Test("a crash behind the answer forgets no order to give up what was not read yet")
    func skipOutlivesCrash() throws {
        var limits = LaneLimits()
        limits.largeRecordsMax = 0
        limits.smallRecordsMax = 1
        let world = try RelayWorld(limits: limits)
        _ = try world.register(Self.token)
        world.answers[Self.path] = RelayAnswer(status: 503)
        let sequences = try (0..<4).map { try world.send("n\($0)") }
        world.pass(seconds: 5)
        let told = Told()
        let skip = AwaitedSkip(through: sequences[2]) { told.hear($0) }
        world.refusesQuestions = true
        world.mail.append(.skip(skip))
        world.pass(seconds: 2)
        #expect(told.answers == [.success(RelaySkip(ended: 1, unread: 2))])
        try world.crash()
        world.refusesQuestions = false
        world.answers = [:]
        let made = world.paths.count
        world.pass(seconds: 120)
        #expect(world.paths.count == made + 1)
        for sequence in sequences.dropLast() {
            #expect(try world.details(sequence)[.relayPurged] == 1)
        }
        #expect(try world.details(sequences[3])[.relayAccepted] == 1)
    }
}
