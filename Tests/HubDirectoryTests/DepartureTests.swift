import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTestSupport
import HubVocabulary
import HubWire
import Testing

@Suite("The journal of departures")
struct DepartureTests {
    private static let day: UInt64 = 86_400_000

    /// A turn of the writer as often as something waits.
    private func rest(_ harness: DirectoryHarness, turns: Int = 3) {
        for _ in 0..<turns {
            harness.directory.tick(now: harness.now)
            harness.run()
        }
    }

    /// Cause, registration and installation of each row.
    private func rows(_ harness: DirectoryHarness) -> [String] {
        harness.storage.departures.map { row in
            let owner = row.installation.map { " of " + String(decoding: $0, as: UTF8.self) } ?? ""
            return "\(row.cause) \(String(decoding: row.registration, as: UTF8.self))\(owner)"
        }
    }

    private func text(_ id: [UInt8]) -> String { String(decoding: id, as: UTF8.self) }

    private func register(
        _ harness: DirectoryHarness,
        _ session: AttachReply,
        slot: UInt16 = 0,
        ttl: UInt32 = 0
    ) throws -> Registration {
        let request = DeviceRequest.register(
            slot: slot,
            Given.content(tags: Given.tagSet("a")),
            ttlSeconds: ttl,
            ifETag: 0
        )
        #expect(try harness.request(request, of: session).error == nil)
        return try #require(
            harness.storage.registrations.values.first { $0.target?.slot == slot }
        )
    }

    @Test("has a registration that lapsed, with all that REST shows of it")
    func lapsed() throws {
        let harness = try DirectoryHarness()
        harness.directory.registrationLifeSeconds = 60
        let made = try harness.create(Given.content("AB01", .gcm))
        harness.pass(milliseconds: 61_000)
        rest(harness)
        #expect(harness.storage.registrations.isEmpty)
        let expected = DepartureRow(
            number: 1,
            time: harness.now.time,
            cause: .lapsed,
            platform: .gcm,
            handle: "AB01".utf8Bytes,
            registration: made.id
        )
        #expect(harness.storage.departures == [expected])
    }

    @Test("has an installation that lapsed, by each of its registrations")
    func lapsedInstallation() throws {
        let harness = try DirectoryHarness()
        let expiry = TimeText.iso8601(harness.now.time.adding(seconds: 60))
        let more = #""expirationTime":"\#(expiry)","templates":{"t":{"body":"{}"}}"#
        try harness.install(GivenInstallation.apple(more))
        let ids = harness.storage.registrations.values.sorted { $0.number < $1.number }.map(\.id)
        #expect(ids.count == 2)
        harness.pass(milliseconds: 61_000)
        rest(harness)
        #expect(rows(harness) == ids.map { "lapsed \(text($0)) of i-1" })
        #expect(harness.storage.departures.map(\.number) == [1, 2])
    }

    @Test("has what an idle device leaves, its installations included")
    func idle() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let own = try register(harness, session)
        let handle = text(try harness.handle(Given.phone))
        try harness.install(GivenInstallation.apple(handle: handle))
        let made = try #require(harness.storage.registrations.values.max { $0.number < $1.number })
        harness.directory.receive(
            .detach(device: session.device, sessionGeneration: session.sessionGeneration),
            now: harness.now
        )
        harness.run()
        harness.pass(milliseconds: CoreLimits.standard.devices.deviceIdleDays * Self.day + 60_000)
        rest(harness)
        #expect(harness.storage.registrations.isEmpty)
        #expect(
            rows(harness).sorted()
                == ["idle \(text(made.id)) of i-1", "idle \(text(own.id))"].sorted()
        )
    }

    @Test("has what a device takes back, and nothing that a caller of REST deletes or replaces")
    func unregistered() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let first = try register(harness, session)
        let second = try register(harness, session, slot: 1)
        let made = try harness.create(Given.content("AB01"))
        _ = try harness.perform(
            DeleteRegistration(id: made.id, .none, DirectoryHarness.manage)
        )
        try harness.install(GivenInstallation.apple())
        _ = try harness.perform(
            DeleteInstallation(id: "i-1".utf8Bytes, DirectoryHarness.manage)
        )
        // Another kind in the same slot is another registration, under the same id.
        let changed = DeviceRequest.register(
            slot: 0,
            Given.content(template: "{}"),
            ttlSeconds: 0,
            ifETag: 0
        )
        #expect(try harness.request(changed, of: session).error == nil)
        #expect(harness.storage.departures.isEmpty)
        #expect(try harness.request(.unregister(slot: 1), of: session).error == nil)
        #expect(try harness.request(.unregister(slot: 0xFFFF), of: session).error == nil)
        #expect(
            rows(harness) == [second, first].map { "unregistered \(text($0.id))" }
        )
    }

    @Test("has what a device finds lapsed when it registers again")
    func replacedWhenLapsed() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let first = try register(harness, session, ttl: 60)
        harness.pass(milliseconds: 61_000)
        let second = try register(harness, session)
        #expect(first.id != second.id)
        #expect(rows(harness) == ["lapsed \(text(first.id))"])
        rest(harness)
        #expect(harness.storage.departures.count == 1)
    }

    @Test("has an installation's registrations that are written anew after they lapsed")
    func writtenAnew() throws {
        let harness = try DirectoryHarness()
        let expiry = TimeText.iso8601(harness.now.time.adding(seconds: 60))
        try harness.install(GivenInstallation.apple(#""expirationTime":"\#(expiry)""#))
        let old = try #require(harness.storage.registrations.values.first)
        harness.pass(milliseconds: 61_000)
        try harness.install(GivenInstallation.apple())
        #expect(rows(harness) == ["lapsed \(text(old.id)) of i-1"])
        rest(harness)
        #expect(harness.storage.departures.count == 1)
    }

    @Test("has each handle that a revoked key ends, once; the registrations stay")
    func revoked() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let own = try register(harness, session)
        let handle = text(try harness.handle(Given.phone))
        let made = try harness.create(Given.content(handle.lowercased()))
        let tokens = (0..<2).map { _ in harness.submit(RevokeDevice(.device(Given.phone))) }
        harness.run()
        for token in tokens { #expect(throws: Never.self) { try token.reply?.get() } }
        let expected = ["revoked \(text(own.id))", "revoked \(text(made.id))"]
        #expect(rows(harness) == expected)
        #expect(harness.storage.registrations.count == 2)
        _ = try harness.perform(RevokeDevice(.device(Given.phone)))
        #expect(rows(harness) == expected, "they were noted when their handle ended")
    }

    @Test("has nothing of what the store refused, and the next row takes the number")
    func refused() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        _ = try register(harness, session)
        harness.storage.refuseChanges = .full
        #expect(try harness.request(.unregister(slot: 0), of: session).error == .storage)
        #expect(harness.storage.departures.isEmpty)
        harness.storage.refuseChanges = nil
        #expect(try harness.request(.unregister(slot: 0), of: session).error == nil)
        #expect(harness.storage.departures.map(\.number) == [1])
    }

    @Test("goes on behind its end when the hub is opened again, and its times never go back")
    func goesOn() throws {
        let first = try DirectoryHarness()
        let session = try first.attach(Given.phone)
        _ = try register(first, session)
        #expect(try first.request(.unregister(slot: 0), of: session).error == nil)
        let second = try first.reopened()
        let time = first.now.time
        second.now.time = Timestamp(milliseconds: time.milliseconds - 5_000)
        let again = try second.attach(Given.phone)
        _ = try register(second, again)
        #expect(try second.request(.unregister(slot: 0), of: again).error == nil)
        #expect(second.storage.departures.map(\.number) == [1, 2])
        #expect(second.storage.departures.map(\.time) == [time, time])
    }
}

@Suite("Questions about departures")
struct DepartureQuestionTests {
    private static let day: UInt64 = 86_400_000

    private func row(_ number: UInt64, _ time: UInt64) -> DepartureRow {
        DepartureRow(
            number: number,
            time: Timestamp(milliseconds: time),
            cause: .lapsed,
            platform: .apple,
            handle: "AB01".utf8Bytes,
            registration: "1-\(number)-1".utf8Bytes
        )
    }

    /// Every part, page by page.
    private func parts(_ harness: DirectoryHarness, limit: Int) throws -> [DeparturePart] {
        var all: [DeparturePart] = []
        var next: UInt64? = 0
        while let start = next {
            let page = try harness.perform(ListDepartureParts(from: start)).get()
            #expect(page.entries.count <= limit)
            all += page.entries
            next = page.next
        }
        return all
    }

    @Test("find the same parts as looking at every row does", arguments: 0..<40)
    func sameParts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var limits = CoreLimits.standard
        limits.feedback.departuresPerPart = UInt64(random.next() % 7 + 1)
        limits.feedback.departurePartsPerAnswer = Int(random.next() % 3 + 1)
        let storage = MemoryStore()
        let harness = try DirectoryHarness(storage: storage, limits: limits)
        let kept = limits.feedback.departuresKeptSeconds * 1_000
        let now = harness.now.time.milliseconds
        // Some are too old, and the first ones have gone already.
        var time = now - kept - 3 * Self.day
        let first = random.next() % 20 + 1
        storage.departures = (first..<first + random.next() % 60 + 1).map { number in
            time = min(now, time + random.next() % Self.day)
            return row(number, time)
        }
        var expected: [DeparturePart] = []
        for row in storage.departures where row.time.milliseconds >= now - kept {
            let day = row.time.milliseconds / Self.day
            let block = row.number / limits.feedback.departuresPerPart
            if let last = expected.last, last.day == day, last.block == block {
                expected[expected.count - 1].numbers = last.numbers.lowerBound...row.number
                expected[expected.count - 1].modified = row.time
            } else {
                let numbers = row.number...row.number
                expected.append(
                    DeparturePart(day: day, block: block, numbers: numbers, modified: row.time)
                )
            }
        }
        #expect(
            try parts(harness, limit: limits.feedback.departurePartsPerAnswer) == expected,
            "seed \(seed)"
        )
    }

    @Test("read so many rows at a time, and none that is too old", arguments: [1, 4, 5])
    func rows(limit: Int) throws {
        var limits = CoreLimits.standard
        limits.feedback.departuresPerAnswer = limit
        let harness = try DirectoryHarness(limits: limits)
        let kept = limits.feedback.departuresKeptSeconds * 1_000
        let oldest = harness.now.time.milliseconds - kept
        harness.storage.departures = (1...8).map { row($0, oldest - 4 + $0) }
        // Rows 1 to 3 are from before.
        func ask(_ numbers: ClosedRange<UInt64>) throws -> [DepartureRow] {
            try harness.perform(GetDepartures(numbers)).get()
        }
        let found = try ask(1...8)
        #expect(found.map(\.number) == Array(4..<4 + UInt64(limit)))
        #expect(try ask(1...3) == [])
        #expect(try ask(9...UInt64.max) == [])
        #expect(try ask(0...UInt64.max) == found)
    }

    @Test("look at a few rows of very many")
    func halves() throws {
        let harness = try DirectoryHarness()
        let start = harness.now.time.milliseconds - 2 * Self.day
        harness.storage.departures = (1...100_000).map { row($0, start + $0) }
        let reads = harness.storage.reads.departures
        let page = try harness.perform(ListDepartureParts(from: 0)).get()
        #expect(page.entries.count == CoreLimits.standard.feedback.departurePartsPerAnswer)
        #expect(page.next == page.entries.last.map { $0.numbers.upperBound + 1 })
        #expect(harness.storage.reads.departures - reads < 250)
    }

    @Test("that the store cannot answer are refused for the moment")
    func unreadable() throws {
        let harness = try DirectoryHarness()
        harness.storage.departures = [row(1, harness.now.time.milliseconds)]
        harness.storage.refuseReads = .unavailable(reason: "test")
        let refusal = try harness.refusal(ListDepartureParts(from: 0))
        #expect(refusal == .storeUnavailable(retryAfterSeconds: 1))
    }
}

@Suite("Links into the feedback")
struct FeedbackLinkTests {
    private func signer(_ hub: String = "news", _ byte: UInt8 = 7) throws -> LinkSigner {
        LinkSigner(
            secret: try #require(HubSecret([UInt8](repeating: byte, count: 32))),
            hub: try #require(HubName(hub))
        )
    }

    private func problem(
        _ signer: LinkSigner,
        _ signature: String,
        _ link: FeedbackLink,
        seconds: UInt64
    ) -> String? {
        do throws(Refusal) {
            let now = Timestamp(milliseconds: 0).adding(seconds: seconds)
            try signer.check(Array(signature.utf8), of: link, now: now)
            return nil
        } catch { return error.detail.prefix { $0 != ":" }.description }
    }

    @Test("hold until they expire, for their hub and what they lead to alone")
    func hold() throws {
        let link = FeedbackLink(.container, expires: Timestamp(milliseconds: 100_000))
        let signature = try signer().signature(of: link)
        #expect(signature.utf8.count == 64)
        #expect(try problem(signer("NEWS"), signature, link, seconds: 99) == nil)
        #expect(try problem(signer(), signature, link, seconds: 100) == "ExpiredLink")
        #expect(try problem(signer("other"), signature, link, seconds: 0) == "InvalidLink")
        #expect(try problem(signer("news", 8), signature, link, seconds: 0) == "InvalidLink")
        var later = link
        later.expires = Timestamp(milliseconds: 101_000)
        #expect(try problem(signer(), signature, later, seconds: 0) == "InvalidLink")
        #expect(try problem(signer(), signature.uppercased(), link, seconds: 0) == "InvalidLink")
        for wrong in ["", "00", signature + "00", String(signature.dropLast(2))] {
            #expect(try problem(signer(), wrong, link, seconds: 0) == "InvalidLink", "\(wrong)")
        }
    }

    @Test("do not hold once any digit is another one")
    func changed() throws {
        let link = FeedbackLink(.container, expires: Timestamp(milliseconds: 100_000))
        let signature = Array(try signer().signature(of: link))
        for index in signature.indices {
            var other = signature
            other[index] = other[index] == "0" ? "1" : "0"
            #expect(try problem(signer(), String(other), link, seconds: 0) == "InvalidLink")
        }
    }
}
