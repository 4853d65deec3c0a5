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

@Suite("Failures of a notification")
struct DeliveryFailureTests {
    private func part(
        _ harness: DirectoryHarness,
        _ name: NotificationName,
        from start: UInt32 = 0
    ) throws -> FailurePart {
        let part = try harness.perform(FindFailures(name, from: start)).get()
        return part
    }

    /// Every failure, part by part.
    private func all(
        _ harness: DirectoryHarness,
        _ name: NotificationName
    ) throws -> [DeliveryFailure] {
        var found: [DeliveryFailure] = []
        var next: UInt32? = 0
        var parts = 0
        while let start = next {
            let part = try part(harness, name, from: start)
            found += part.found
            next = part.next
            parts += 1
            guard parts < 10_000, next.map({ $0 > start }) ?? true else {
                throw Unexpected(what: "a search that stands still at \(start)")
            }
        }
        return found
    }

    private func send(
        _ harness: DirectoryHarness,
        _ draft: NotificationDraft = Given.draft()
    ) throws -> NotificationName {
        let sent = try harness.perform(Send(draft)).get()
        return NotificationName(id: sent.id, sequence: sent.sequence)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A registration over REST that leads to a device.
    private func create(
        _ harness: DirectoryHarness,
        _ device: DeviceID = Given.phone,
        tags: TagSet = TagSet(),
        template: String? = nil
    ) throws -> Registration {
        let handle = text(try harness.handle(device))
        return try harness.create(Given.content(handle, tags: tags, template: template))
    }

    @Test("are told when it expired before the device came, with all that REST shows")
    func expired() throws {
        let harness = try DirectoryHarness()
        let handle = text(try harness.handle(Given.phone))
        try harness.install(GivenInstallation.apple(handle: handle))
        let made = try #require(harness.storage.registrations.values.first)
        let name = try send(harness)
        #expect(try all(harness, name).isEmpty, "it waits")
        harness.pass(milliseconds: 60_000)
        let found = try all(harness, name)
        #expect(found.count == 1)
        #expect(found.first?.kind == .dropped)
        #expect(found.first?.time == Timestamp(milliseconds: name.id.time.milliseconds + 60_000))
        #expect(found.first?.platform == .apple)
        #expect(found.first?.handle == made.content.handle)
        #expect(found.first?.registration == made.id)
        #expect(found.first?.installation == "i-1".utf8Bytes)
        #expect(try part(harness, name).notification == name)
    }

    @Test("are told for handles that are nobody's, and of those it was for alone")
    func unknownHandles() throws {
        let harness = try DirectoryHarness()
        let made = try harness.create(Given.content("AB01", tags: Given.tagSet("a")))
        _ = try harness.create(Given.content("AB02", tags: Given.tagSet("b")))
        _ = try harness.create(Given.content("AB03", .gcm, tags: Given.tagSet("a")))
        var draft = Given.draft()
        draft.target = .tags(try TagExpression(parsing: "a".utf8Bytes))
        let name = try send(harness, draft)
        _ = try harness.create(Given.content("AB04", tags: Given.tagSet("a")))
        let found = try all(harness, name)
        #expect(found.map(\.registration) == [made.id])
        #expect(found.map(\.kind) == [.unknownHandle])
        #expect(found.map(\.time) == [name.id.time])
    }

    @Test("are told by the tags of then, whatever they are now")
    func tagsOfThen() throws {
        let harness = try DirectoryHarness()
        let had = try harness.create(Given.content("AB01", tags: Given.tagSet("a")))
        let got = try harness.create(Given.content("AB02", tags: Given.tagSet("b")))
        var draft = Given.draft()
        draft.target = .tags(try TagExpression(parsing: "a".utf8Bytes))
        let name = try send(harness, draft)
        _ = try harness.put(had.id, Given.content("AB01", tags: Given.tagSet("b")))
        _ = try harness.put(got.id, Given.content("AB02", tags: Given.tagSet("a")))
        #expect(try all(harness, name).map(\.registration) == [had.id])
    }

    @Test("are told for what a template makes too large")
    func tooLarge() throws {
        let harness = try DirectoryHarness()
        let body = #"{"aps":{"alert":"{$(a) + $(a)}"}}"#
        let made = try create(harness, template: body)
        _ = try create(harness, Given.tablet)
        var draft = Given.draft(#"{"a":"\#(String(repeating: "x", count: 5_000))"}"#)
        draft.format = .template
        let found = try all(harness, try send(harness, draft.asRead))
        #expect(found.map(\.registration) == [made.id])
        #expect(found.map(\.kind) == [.invalidSize])
    }

    @Test("are told when a later one took its place, with that one's time")
    func replaced() throws {
        let harness = try DirectoryHarness()
        let made = try create(harness)
        var draft = Given.draft()
        draft.collapseKey = "score".utf8Bytes
        let first = try send(harness, draft)
        #expect(try all(harness, first).isEmpty)
        harness.pass(milliseconds: 5)
        let second = try send(harness, draft)
        let found = try all(harness, first)
        #expect(found.map(\.registration) == [made.id])
        #expect(found.map(\.time) == [second.id.time])
        #expect(try all(harness, second).isEmpty)
    }

    @Test("are told when it was purged")
    func purged() throws {
        let harness = try DirectoryHarness()
        _ = try create(harness)
        let name = try send(harness)
        _ = try harness.perform(Purge(.through(1)))
        #expect(try all(harness, name).map(\.kind) == [.dropped])
    }

    @Test("are told when it was too much, and not when it may have been stored")
    func overCap() throws {
        let harness = try DirectoryHarness()
        _ = try create(harness)
        let session = try harness.attach(Given.phone)
        let name = try send(harness)
        harness.directory.receive(
            Given.progress(
                CursorAdvance(
                    device: Given.phone,
                    sessionGeneration: session.sessionGeneration,
                    acknowledged: 1,
                    scannedThrough: 1
                )
            ),
            now: harness.now
        )
        #expect(try all(harness, name).isEmpty)
        func count(_ kind: TelemetryKind) {
            harness.storage.counters.append(
                CounterDelta(sequence: 1, platform: .apple, kind: kind, count: 1)
            )
        }
        count(.capped)
        #expect(try all(harness, name).map(\.kind) == [.dropped])
        count(.acknowledged)
        #expect(try all(harness, name).isEmpty)
    }

    @Test("are told by handle when it named handles")
    func direct() throws {
        var limits = CoreLimits.standard
        limits.inspection.failuresPerPart = 2
        let harness = try DirectoryHarness(limits: limits)
        let phone = try harness.handle(Given.phone)
        var draft = Given.draft()
        draft.target = .handles(["AB01".utf8Bytes, phone, "AB02".utf8Bytes])
        let name = try send(harness, draft)
        let waiting = try all(harness, name)
        #expect(waiting.map { text($0.handle) } == ["AB01", "AB02"])
        #expect(waiting.map(\.kind) == [.unknownHandle, .unknownHandle])
        #expect(waiting.map(\.registration) == [[], []])
        harness.pass(milliseconds: 60_000)
        let late = try all(harness, name)
        #expect(late.map(\.handle) == ["AB01".utf8Bytes, phone, "AB02".utf8Bytes])
        #expect(late.map(\.kind) == [.unknownHandle, .dropped, .unknownHandle])
        #expect(try part(harness, name).examined == 2)
    }

    @Test("of what is not there are refused")
    func unknown() throws {
        let harness = try DirectoryHarness()
        let name = NotificationName(id: NotificationID(high: 1, low: 2))
        #expect(try harness.refusal(FindFailures(name, from: 0)) == .notificationNotFound)
    }

    @Test("are the same in parts of any size", arguments: 0..<20)
    func parts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let storage = MemoryStore()
        let harness = try DirectoryHarness(storage: storage)
        var made: [Registration] = []
        for number in 0..<30 {
            let device = DeviceID(high: 1, low: UInt64.random(in: 0..<9, using: &random))
            let isKnown = Bool.random(using: &random)
            let handle = isKnown ? text(try harness.handle(device)) : "AB\(number)"
            let tags = Bool.random(using: &random) ? Given.tagSet("a") : Given.tagSet("b")
            made.append(try harness.create(Given.content(handle, tags: tags)))
        }
        var draft = Given.draft()
        if Bool.random(using: &random) {
            draft.target = .tags(try TagExpression(parsing: "a".utf8Bytes))
        }
        if Bool.random(using: &random) { draft.collapseKey = "k".utf8Bytes }
        let names = try (0..<3).map { _ in try send(harness, draft) }
        for _ in 0..<8 {
            let other = try #require(made.randomElement(using: &random))
            let tags = Bool.random(using: &random) ? Given.tagSet("a") : Given.tagSet("b")
            let handle = text(other.content.handle)
            _ = try harness.put(other.id, Given.content(handle, tags: tags))
        }
        if Bool.random(using: &random) { harness.pass(milliseconds: 60_000) }
        let whole = try names.map { try all(harness, $0) }
        var limits = CoreLimits.standard
        limits.inspection.failuresPerPart = Int.random(in: 1...5, using: &random)
        limits.inspection.inspectedPerPart = Int.random(in: 1...7, using: &random)
        let small = try harness.reopened(limits: limits)
        for (name, expected) in zip(names, whole) {
            #expect(try all(small, name) == expected, "seed \(seed)")
            // Each by itself says the same.
            let told = Set(expected.map(\.registration))
            for registration in made {
                let subject = ExplainSubject.registration(id: registration.id)
                let reasons = try harness.perform(Explain(name, subject)).get().reasons
                let words = ["expired", "collapsed", "unknownHandle"]
                let isFailure = words.contains(reasons[0].reason.word)
                #expect(told.contains(registration.id) == isFailure, "seed \(seed)")
            }
        }
    }
}
