import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubTags
import HubTestSupport
import HubVocabulary
import HubWire
import Testing

@Suite("Directory against a naive model")
struct DirectoryModelTests {
    /// What callers were told.
    private struct Model {
        var registrations: [[UInt8]: (version: UInt64, tags: TagSet)] = [:]
        var deleted: Set<[UInt8]> = []
        var accepted: [NotificationID] = []
    }

    private enum Question {
        case put([UInt8], TagSet)
        case delete([UInt8])
        case get([UInt8])
        case send

        var isWrite: Bool { if case .get = self { false } else { true } }
    }

    @Test(
        "whatever the store refuses, callers were told exactly what is stored",
        arguments: UInt64(1)...40
    )
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var limits = CoreLimits()
        limits.registrations.registrationsRememberedMax = [0, 3, 4_096][Int(seed % 3)]
        var harness = try DirectoryHarness(limits: limits, seed: seed)
        var model = Model()
        for _ in 0..<60 {
            var asked: [(told: () -> (Result<Told, Refusal>?, count: Int), Question)] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let one = Self.pick(&random)
                asked.append((Self.submit(one, to: harness), one))
            }
            harness.storage.refuseChanges = Int.random(in: 0..<4, using: &random) == 0 ? .full : nil
            harness.storage.refuseRecords = Int.random(in: 0..<4, using: &random) == 0 ? .full : nil
            harness.storage.refuseReads = Int.random(in: 0..<6, using: &random) == 0 ? .full : nil
            harness.run()
            let first = asked.firstIndex { $0.1.isWrite } ?? asked.count
            // A read with nothing before it is answered at once, any other behind its group.
            for (told, one) in asked[..<first] {
                guard case .get(let id) = one else { continue }
                Self.compare(id, try #require(told().0), model, seed: seed)
            }
            for (told, one) in asked {
                #expect(told().count == 1, "seed \(seed)")
                let reply = try #require(told().0)
                Self.apply(one, reply, to: &model, seed: seed)
            }
            for (told, one) in asked[first...] {
                guard case .get(let id) = one else { continue }
                let reply = try #require(told().0)
                Self.compare(id, reply, model, seed: seed)
            }
            harness.forget()
            if Int.random(in: 0..<10, using: &random) == 0 {
                harness.storage.refuseReads = nil
                harness = try harness.reopened(limits: limits)
            }
        }
        harness.storage.refuseReads = nil
        Self.compare(harness, model, seed: seed)
        Self.compare(try harness.reopened(), model, seed: seed)
    }

    private static func pick(_ random: inout SeededGenerator) -> Question {
        let id = "1-1-\(Int.random(in: 0..<8, using: &random))".utf8Bytes
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            var tags = TagSet()
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                tags.append("t\(Int.random(in: 0..<4, using: &random))".utf8Bytes.span)
            }
            return .put(id, tags)
        case 4: return .delete(id)
        case 5...6: return .get(id)
        default: return .send
        }
    }

    /// What a caller was told, whatever it asked for.
    private enum Told {
        case stored(Registration)
        case deleted
        case accepted(AcceptedSend)
    }

    /// Hands a question in; returns how to read what was told, and how often.
    private static func submit(
        _ asked: Question,
        to harness: DirectoryHarness
    ) -> () -> (Result<Told, Refusal>?, count: Int) {
        func heard<Reply>(
            _ asked: Asked<Reply>,
            _ told: @escaping (Reply) -> Told
        ) -> () -> (Result<Told, Refusal>?, count: Int) {
            { (asked.reply.map { $0.map(told) }, asked.count) }
        }
        let grant = DirectoryHarness.manage
        switch asked {
        case .put(let id, let tags):
            let put = PutRegistration(id: id, Given.content(tags: tags), .none, grant)
            return heard(harness.submit(put), Told.stored)
        case .delete(let id):
            return heard(harness.submit(DeleteRegistration(id: id, .none, grant))) { .deleted }
        case .get(let id):
            return heard(harness.submit(GetRegistration(id: id)), Told.stored)
        case .send: return heard(harness.submit(Send(Given.draft())), Told.accepted)
        }
    }

    private static func apply(
        _ asked: Question,
        _ reply: Result<Told, Refusal>,
        to model: inout Model,
        seed: UInt64
    ) {
        switch (asked, reply) {
        case (.put(let id, let tags), .success(.stored(let stored))):
            #expect(stored.version == (model.registrations[id]?.version ?? 0) + 1, "seed \(seed)")
            #expect(stored.tags == tags, "seed \(seed)")
            model.registrations[id] = (stored.version, tags)
        case (.put(let id, _), .failure(.registrationGone)):
            #expect(model.deleted.contains(id), "seed \(seed)")
        case (.delete(let id), .success(.deleted)):
            #expect(model.registrations.removeValue(forKey: id) != nil, "seed \(seed)")
            model.deleted.insert(id)
        case (.delete(let id), .failure(.registrationNotFound)):
            #expect(model.registrations[id] == nil, "seed \(seed)")
        case (.send, .success(.accepted(let send))):
            model.accepted.append(send.id)
            #expect(send.sequence == UInt64(model.accepted.count), "seed \(seed)")
        case (.get, _), (.put, .failure(.storeFull)), (.delete, .failure(.storeFull)),
            (.send, .failure(.storeFull)):
            break
        default: Issue.record("seed \(seed): \(asked) got \(reply)")
        }
    }

    private static func compare(
        _ id: [UInt8],
        _ reply: Result<Told, Refusal>,
        _ model: Model,
        seed: UInt64
    ) {
        switch (reply, model.registrations[id]) {
        case (.success(.stored(let found)), let known?):
            #expect(found.version == known.version, "seed \(seed)")
            #expect(found.tags == known.tags, "seed \(seed)")
        case (.failure(.registrationNotFound), nil): break
        // The store could not be read.
        case (.failure(.storeFull), _): break
        default: Issue.record("seed \(seed): \(reply)")
        }
    }

    private static func compare(_ harness: DirectoryHarness, _ model: Model, seed: UInt64) {
        #expect(harness.storage.records.map(\.id) == model.accepted, "seed \(seed)")
        #expect(harness.directory.gauges.registrations == model.registrations.count, "seed \(seed)")
        for index in 0..<4 {
            let tag = "t\(index)".utf8Bytes
            let expected = model.registrations.values.count { $0.tags.contains(tag.span) }
            #expect(harness.directory.registrationCount(tag: tag.span) == expected, "seed \(seed)")
        }
    }
}
