import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubTags
import HubTestSupport
import HubVocabulary
import HubWire
import Testing

/// A directory holds indexes; registrations are read, and reads fail.
@Suite("Registrations that are read from the store")
struct StoredRegistrationTests {
    private static let away = StoreError.unavailable(reason: "away")
    private static let manage = DirectoryHarness.manage

    private static func register(_ slot: UInt16, ttl: UInt32 = 0) -> DeviceRequest {
        .register(
            slot: slot,
            Given.content("", tags: Given.tagSet("World")),
            ttlSeconds: ttl,
            ifETag: 0
        )
    }

    /// Limits under which nothing is remembered.
    private static var forgetful: CoreLimits {
        var limits = CoreLimits()
        limits.registrations.registrationsRememberedMax = 0
        return limits
    }

    @Test("are remembered up to a number and a size, and no further", arguments: [0, 1, 3])
    func remembered(limit: Int) throws {
        var limits = CoreLimits()
        limits.registrations.registrationsRememberedMax = limit
        limits.registrations.registrationRememberedBytesMax = 400
        let small = try DirectoryHarness()
        let ids = try (0..<3).map { try small.create(Given.content("0\($0)")).id }
        let harness = try small.reopened(limits: limits)
        func reads(_ id: [UInt8]) throws -> Int {
            let before = harness.storage.reads.registrations
            _ = try harness.get(id)
            return harness.storage.reads.registrations - before
        }
        for id in ids { #expect(try reads(id) == 1) }
        // The last ones stay, as many as there is room for.
        #expect(try ids.reversed().map { try reads($0) }.prefix(limit).allSatisfy { $0 == 0 })
        #expect(try ids.reduce(0) { try $0 + reads($1) } == 3 - (limit == 3 ? 3 : limit))
        for (bytes, expected) in [(300, limit == 0 ? 1 : 0), (400, 1)] {
            let tags = TagSet([[UInt8](repeating: 0x61, count: bytes)])
            let id = try harness.create(Given.content("0A", tags: tags)).id
            #expect(try reads(id) == expected, "\(bytes) bytes")
        }
    }

    @Test("commands whose read fails are refused for the moment, and change nothing")
    func refusedCommands() throws {
        let first = try DirectoryHarness()
        let made = try first.create(Given.content("AB01", tags: Given.tagSet("a")))
        let device = try first.attach(Given.phone)
        _ = try first.request(Self.register(0), of: device)
        let handle = String(decoding: try first.handle(Given.phone), as: UTF8.self)
        let harness = try first.reopened(limits: Self.forgetful)
        let commands: [any HubRequest] = [
            GetRegistration(id: made.id),
            ListRegistrations(.all, after: RegistrationNumber(0), limit: 10),
            ListRegistrations(.tag("a".utf8Bytes), after: RegistrationNumber(0), limit: 10),
            ListRegistrations(.handle(["ab01".utf8Bytes]), after: RegistrationNumber(0), limit: 1),
            PutRegistration(id: made.id, Given.content("CD"), .none, Self.manage),
            PutRegistration(id: "1-2-3".utf8Bytes, Given.content("EF"), .none, Self.manage),
            DeleteRegistration(id: made.id, .none, Self.manage),
            CreateRegistration(Given.content("AB01"), Self.manage),
            CreateRegistration(Given.content(handle), Self.manage),
            RevokeDevice(.registration(id: made.id)),
            InspectAudience(.broadcast, format: nil, sample: 1, from: 0),
            TestSend(Given.draft()),
        ]
        harness.storage.refuseReads = Self.away
        for command in commands {
            let before = harness.events.count
            let refusal = try harness.refusal(command)
            #expect(refusal == .storeUnavailable(retryAfterSeconds: 1), "\(command)")
            #expect(harness.events[before...].contains(.readRefused(Self.away)), "\(command)")
        }
        #expect(harness.feed.isEmpty)
        harness.storage.refuseReads = nil
        #expect(try harness.get(made.id).version == 1)
        for command in commands {
            // The registration leads to no device, and is deleted by then.
            let isRevocation = command is RevokeDevice
            let refusal = try harness.refusal(command)
            #expect(refusal == (isRevocation ? .deviceNotFound : nil), "\(command)")
        }
    }

    @Test("installations whose registrations cannot be read are written whole or not at all")
    func refusedInstallations() throws {
        let first = try DirectoryHarness()
        let draft = try GivenInstallation.draft(GivenInstallation.apple(#""tags":["a","b"]"#))
        _ = try first.perform(PutInstallation(draft, Self.manage)).get()
        let harness = try first.reopened(limits: Self.forgetful)
        let other = try GivenInstallation.draft(GivenInstallation.apple(#""tags":["c"]"#))
        let commands: [any HubRequest] = [
            GetInstallation(id: draft.id), PutInstallation(other, Self.manage),
            DeleteInstallation(id: draft.id, Self.manage),
        ]
        harness.storage.refuseReads = Self.away
        for command in commands {
            let refusal = try harness.refusal(command)
            #expect(refusal == .storeUnavailable(retryAfterSeconds: 1), "\(command)")
        }
        #expect(harness.feed.isEmpty)
        harness.storage.refuseReads = nil
        #expect(harness.directory.registrationCount(tag: "b".utf8Bytes.span) == 1)
        for command in commands { #expect(try harness.refusal(command) == nil, "\(command)") }
        #expect(harness.directory.gauges.registrations == 0)
    }

    @Test("devices hear that the hub is away for the moment, and nothing has changed")
    func refusedDevices() throws {
        let first = try DirectoryHarness()
        _ = try first.request(Self.register(3), of: try first.attach(Given.phone))
        let harness = try first.reopened(limits: Self.forgetful)
        let session = try harness.attach(Given.phone)
        harness.storage.refuseReads = Self.away
        let requests: [DeviceRequest] = [
            Self.register(0), Self.register(3),
            .tags(
                slot: 3,
                replace: true,
                add: Given.tagSet("new"),
                remove: TagSet(),
                ifETag: 0
            ),
            .unregister(slot: 0xFFFF),
        ]
        for request in requests {
            let outcome = try harness.request(request, of: session)
            #expect(outcome.error == .unavailable && outcome.retryAfterMilliseconds > 0)
        }
        #expect(harness.feed.isEmpty)
        harness.storage.refuseReads = nil
        for request in requests {
            #expect(try harness.request(request, of: session).error == nil, "\(request)")
        }
    }

    @Test("sessions are refused, and end at a reload, until the store can be read again")
    func refusedSessions() throws {
        let first = try DirectoryHarness()
        _ = try first.request(Self.register(0), of: try first.attach(Given.phone))
        let harness = try first.reopened(limits: Self.forgetful)
        func refused() -> Bool {
            harness.messages.contains {
                if case .attachRefused(_, .unavailable, let wait) = $0 { wait > 0 } else { false }
            }
        }
        harness.storage.refuseReads = Self.away
        #expect(throws: Unexpected.self) { try harness.attach(Given.phone) }
        #expect(refused())
        harness.storage.refuseReads = nil
        let session = try harness.attach(Given.phone)
        #expect(session.registrations.count == 1)
        harness.forget()
        harness.storage.refuseReads = Self.away
        let reload = DeviceReload(
            device: session.device,
            sessionGeneration: session.sessionGeneration,
            address: session.address
        )
        harness.directory.receive(.reload([reload]), now: harness.now)
        harness.run()
        #expect(refused())
        harness.storage.refuseReads = nil
        #expect(try harness.attach(Given.phone).registrations.count == 1)
    }

    @Test("what lapses while the store cannot be read goes once it can")
    func lapses() throws {
        let first = try DirectoryHarness()
        _ = try first.request(Self.register(0, ttl: 60), of: try first.attach(Given.phone))
        let harness = try first.reopened(limits: Self.forgetful)
        harness.pass(milliseconds: 61_000)
        harness.storage.refuseReads = Self.away
        for _ in 0..<2 {
            harness.directory.tick(now: harness.now)
            harness.run()
            #expect(harness.directory.gauges.registrations == 1)
        }
        harness.storage.refuseReads = nil
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(harness.directory.gauges.registrations == 0)
        #expect(harness.events.contains(.expired(1)))
    }

    @Test("a device that is idle goes once its registrations can be read")
    func idle() throws {
        var limits = Self.forgetful
        limits.devices.deviceIdleDays = 1
        limits.devices.deviceIdleGraceHours = 0
        let first = try DirectoryHarness(limits: limits)
        let session = try first.attach(Given.phone)
        _ = try first.request(Self.register(0), of: session)
        first.directory.receive(
            .detach(device: Given.phone, sessionGeneration: session.sessionGeneration),
            now: first.now
        )
        try first.checkpoint()
        let harness = try first.reopened(limits: limits)
        harness.storage.refuseReads = Self.away
        func look() {
            harness.pass(milliseconds: 2 * 86_400_000)
            harness.directory.tick(now: harness.now)
            harness.run()
        }
        look()
        #expect(harness.directory.gauges.registrations == 1)
        harness.storage.refuseReads = nil
        look()
        #expect(harness.directory.gauges.registrations == 0)
    }

    @Test("that the store has lost are damage, and never said to be unknown")
    func missing() throws {
        let first = try DirectoryHarness()
        let made = try first.create(Given.content("AB"))
        let harness = try first.reopened(limits: Self.forgetful)
        harness.storage.registrations[made.number] = nil
        let refusal = try harness.refusal(GetRegistration(id: made.id))
        #expect(refusal == .storeUnavailable(retryAfterSeconds: 1))
    }

    @Test("ids of deleted ones answer 410 as long as the store remembers them")
    func deletedIDs() throws {
        let first = try DirectoryHarness()
        let made = try first.create(Given.content("AB"))
        let write = PutRegistration(id: made.id, made.content, .none, Self.manage)
        #expect(
            try first.refusal(DeleteRegistration(id: made.id, .none, Self.manage)) == nil
        )
        #expect(try first.refusal(write) == .registrationGone)
        let harness = try first.reopened()
        #expect(try harness.refusal(write) == .registrationGone)
        // The store's tidying takes them away.
        harness.storage.forgetDeleted()
        #expect(try harness.refusal(write) == nil)
    }

    @Test("slots that the hub gave are not given again while the store remembers them")
    func slots() throws {
        let first = try DirectoryHarness()
        let content = Given.content(String(decoding: try first.handle(Given.phone), as: UTF8.self))
        func slot(_ made: Registration) -> UInt16? { made.target?.slot }
        let all = try (0..<3).map { _ in try first.create(content) }
        #expect(all.map(slot) == [0x0100, 0x0101, 0x0102])
        for gone in [all[2], all[0]] {
            _ = try first.perform(DeleteRegistration(id: gone.id, .none, Self.manage)).get()
        }
        let harness = try first.reopened(limits: Self.forgetful)
        // One that is made and removed by a group has had its slot too.
        let tokens = [harness.submit(CreateRegistration(content, Self.manage))]
        harness.run()
        let made = try #require(tokens[0].reply).get()
        #expect(slot(made) == 0x0103)
        _ = harness.submit(DeleteRegistration(id: made.id, .none, Self.manage))
        let later = harness.submit(CreateRegistration(content, Self.manage))
        harness.run()
        let next = try #require(later.reply).get()
        #expect(slot(next) == 0x0104)
        harness.storage.forgetDeleted()
        #expect(try slot(harness.create(content)) == 0x0105)
    }
}
