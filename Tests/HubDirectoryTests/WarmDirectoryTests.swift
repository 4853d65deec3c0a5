import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubTags
import HubTemplates
import HubTestSupport
import HubVocabulary
import Testing

/// A hub whose groups a directory of another node follows.
private final class Followed {
    let harness: DirectoryHarness
    let warm: WarmDirectory
    private(set) var group: UInt64 = 0

    init(_ harness: DirectoryHarness, seed: UInt64) {
        self.harness = harness
        warm = WarmDirectory(seed: seed)
    }

    /// Takes everything that the store has.
    func load() throws {
        warm.forget()
        try harness.storage.forEachStoredRegistration { bytes throws(RecordProblem) in
            try warm.load(registration: bytes)
        }
        harness.storage.forEachInstallation { warm.load($0) }
        warm.finish(at: group)
    }

    /// Carries out what waits, and has each durable group followed; changes may be refused.
    func run(refuses: () -> Bool = { false }) throws {
        let (hub, storage) = (harness.directory, harness.storage)
        while let next = hub.nextGroup(now: harness.now) {
            storage.refuseChanges = refuses() ? .full : nil
            let before = try storage.registrations(next.changes.compactMap(Self.number))
            let result = storage.commit(changes: next.changes, records: next.records)
            storage.refuseChanges = nil
            if result.changes == nil, !next.changes.isEmpty {
                group += 1
                warm.take(next.changes, of: group, instead: before)
            }
            hub.committed(next, result, now: harness.now)
            harness.collect()
        }
        harness.collect()
    }

    private static func number(_ change: StoredChange) -> RegistrationNumber? {
        switch change {
        case .put(let registration), .remove(let registration): registration.number
        default: nil
        }
    }

    /// The hub that begins on the store, with the directory or without.
    func opened(isWarm: Bool) throws -> DirectoryHarness {
        let next = try DirectoryHarness(
            storage: harness.storage,
            warm: isWarm ? warm : nil,
            seed: 9
        )
        next.now = harness.now
        return next
    }
}

@Suite("A directory that follows another node's hub")
struct WarmDirectoryTests {
    private static let manage = DirectoryHarness.manage

    /// Everything that callers can ask of the directory.
    private struct Seen: Equatable {
        var registrations: [[UInt8]] = []
        var byTag: [[String]] = []
        var byHandle: [[UInt32]] = []
        var byID: [Bool] = []
        var ofDevice: [[UInt32]] = []
        var installations: [Installation] = []
        var gauges: [Int] = []
        var isMissing: [Bool] = []

        init(_ harness: DirectoryHarness) throws {
            let hub = harness.directory
            let all = try harness.registrations(.all)
            registrations = all.map { RegistrationCodec.encode($0) }
            for tag in WarmDirectoryTests.tags {
                let found = try harness.registrations(.tag(tag.utf8Bytes))
                byTag.append(found.map { String(decoding: $0.id, as: UTF8.self) })
                isMissing.append(hub.registrationCount(tag: tag.utf8Bytes.span) == 0)
            }
            for handle in try WarmDirectoryTests.handles(harness) {
                let found = try harness.registrations(.handle([handle.utf8Bytes]))
                byHandle.append(found.map(\.number.raw))
            }
            for id in WarmDirectoryTests.ids {
                byID.append((try? harness.get(id.utf8Bytes)) != nil)
            }
            for device in [Given.phone, Given.tablet] {
                ofDevice.append(
                    all.filter { $0.target?.device == device }.map(\.number.raw)
                )
            }
            installations = try harness.installations(InstallationFilter(), limit: 3)
            let found = hub.gauges
            gauges = [
                found.registrations, found.installations, found.unknownHandles,
                found.undeliverable, found.devices,
            ]
        }
    }

    fileprivate static let tags = ["a", "b", "c", "A", "none"]
    fileprivate static let ids = (0..<6).map { "1-1-\($0)" }

    fileprivate static func handles(_ harness: DirectoryHarness) throws -> [String] {
        [String(decoding: try harness.handle(Given.phone), as: UTF8.self), "AB01", "CD02"]
    }

    private static func ask(
        _ harness: DirectoryHarness,
        _ random: inout SeededGenerator
    ) throws {
        let id = ids[Int.random(in: 0..<ids.count, using: &random)]
        let tag = tags[Int.random(in: 0..<4, using: &random)]
        let handles = try handles(harness)
        let handle = handles[Int.random(in: 0..<handles.count, using: &random)]
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            let template = Bool.random(using: &random) ? #"{"a":"$(x)"}"# : nil
            let content = Given.content(handle, tags: Given.tagSet(tag), template: template)
            _ = harness.submit(PutRegistration(id: id.utf8Bytes, content, .none, manage))
        case 4..<6: _ = harness.submit(DeleteRegistration(id: id.utf8Bytes, .none, manage))
        case 6..<8:
            let more = #""tags":["\#(tag)"]"#
            let json = GivenInstallation.apple(more, id: id, handle: handle)
            let draft = try GivenInstallation.draft(json, id: id)
            _ = harness.submit(PutInstallation(draft, manage))
        case 8: _ = harness.submit(DeleteInstallation(id: id.utf8Bytes, manage))
        default: _ = harness.submit(Send(Given.draft()))
        }
    }

    @Test(
        "is the directory that is read from the store, whatever was changed or refused",
        arguments: UInt64(1)...40
    )
    func follows(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let followed = Followed(try DirectoryHarness(seed: seed), seed: seed)
        let begins = Int.random(in: 0..<10, using: &random)
        for round in 0..<20 {
            // It may begin with an empty hub, or with one that has something.
            if round == begins { try followed.load() }
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                try Self.ask(followed.harness, &random)
            }
            try followed.run { Int.random(in: 0..<5, using: &random) == 0 }
        }
        #expect(followed.warm.group == followed.group)
        let expected = try Seen(followed.opened(isWarm: false))
        let warm = try followed.opened(isWarm: true)
        #expect(try Seen(warm) == expected, "seed \(seed)")
        // It goes on as that would, and takes back what the store refuses.
        warm.storage.refuseChanges = .full
        for _ in 0..<6 { try Self.ask(warm, &random) }
        warm.run()
        warm.storage.refuseChanges = nil
        #expect(try Seen(warm).registrations == expected.registrations, "seed \(seed)")
        for _ in 0..<12 { try Self.ask(warm, &random) }
        warm.run()
        // Devices whose registrations have gone are known by their cursors alone.
        try warm.checkpoint()
        let again = try warm.reopened()
        #expect(try Seen(warm) == Seen(again), "seed \(seed)")
    }

    @Test("registrations that lapse do so at their time, also those that were followed")
    func lapses() throws {
        let harness = try DirectoryHarness()
        harness.directory.registrationLifeSeconds = 60
        let followed = Followed(harness, seed: 3)
        _ = try harness.create(Given.content("AB01"))
        try followed.load()
        harness.pass(milliseconds: 30_000)
        _ = harness.submit(CreateRegistration(Given.content("CD02"), Self.manage))
        try followed.run()
        let warm = try followed.opened(isWarm: true)
        for count in [2, 1, 0] {
            warm.directory.tick(now: warm.now)
            warm.run()
            #expect(try warm.registrations(.all).count == count)
            warm.pass(milliseconds: 31_000)
        }
    }

    @Test("a group that comes again, or before it is whole, makes it void; a void one is not used")
    func void() throws {
        let followed = Followed(try DirectoryHarness(), seed: 4)
        let made = try followed.harness.create(Given.content("AB01", tags: Given.tagSet("a")))
        #expect(followed.warm.group == nil)
        #expect(try followed.opened(isWarm: true).registrations(.all).map(\.id) == [made.id])
        try followed.load()
        #expect(followed.warm.group == 0)
        followed.warm.take([.put(made)], of: 0, instead: [made])
        #expect(followed.warm.group == nil)
        #expect(try followed.opened(isWarm: true).registrations(.all).map(\.id) == [made.id])
    }

    @Test("a template that does not compile is told of and counted, as when it is read")
    func undeliverable() throws {
        let harness = try DirectoryHarness()
        let followed = Followed(harness, seed: 5)
        let made = try harness.create(Given.content("AB01", template: #"{"x":"$(m)"}"#))
        try followed.load()
        var broken = made
        broken.content.template?.body = "broken".utf8Bytes
        harness.storage.registrations[made.number] = broken
        followed.warm.take([.put(broken)], of: 1, instead: [made])
        let events = try [true, false].map { isWarm in
            let opened = try followed.opened(isWarm: isWarm)
            #expect(opened.directory.gauges.undeliverable == 1)
            return opened.events.filter {
                if case .undeliverableTemplate(broken.number) = $0 { true } else { false }
            }.count
        }
        #expect(events == [1, 1])
    }
}
