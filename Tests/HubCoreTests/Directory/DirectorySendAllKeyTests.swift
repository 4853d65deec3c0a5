import HubDirectory
import HubModel
import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Many sends with keys")
struct DirectorySendAllKeyTests {
    /// What a caller is told of one send, however it came.
    private enum Told: Equatable {
        case accepted(UInt64)
        case refused(Refusal)
    }

    private static func told(_ result: Result<HubReply, Refusal>?) throws -> [Told] {
        switch try #require(result) {
        case .success(.accepted(_, let sequence)): return [.accepted(sequence)]
        case .success(.acceptedAll(let outcomes)):
            return outcomes.map { outcome in
                switch outcome {
                case .success(let send): .accepted(send.sequence)
                case .failure(let refusal): .refused(refusal)
                }
            }
        case .success(let reply): throw Unexpected(what: "\(reply)")
        case .failure(let refusal): return [.refused(refusal)]
        }
    }

    /// The outcomes of one command and those of single ones, on hubs that know the same keys.
    private static func both(
        _ drafts: [NotificationDraft],
        known: [NotificationDraft],
        _ limits: CoreLimits
    ) throws -> (many: [Told], single: [Told]) {
        let many = try DirectoryHarness(limits: limits)
        let single = try DirectoryHarness(limits: limits)
        for draft in known {
            _ = try many.perform(.send(draft))
            _ = try single.perform(.send(draft))
        }
        let together = try told(many.perform(.sendAll(drafts)))
        let alone = try drafts.flatMap { try told(single.perform(.send($0))) }
        #expect(
            many.storage.records.map(\.draft.body)
                == single.storage.records.map(\.draft.body)
        )
        #expect(many.directory.gauges.idempotencyKeys <= limits.idempotencyKeysMax)
        return (together, alone)
    }

    @Test("of which a thousand have one key are one notification, new or known already")
    func same() throws {
        for isKnown in [false, true] {
            let drafts = (0..<1_000).map { Given.keyed(1, $0 == 700 ? "{ }" : "{}") }
            let (many, single) = try Self.both(
                drafts,
                known: isKnown ? [Given.keyed(1)] : [],
                .standard
            )
            #expect(many == single)
            #expect(many.count { $0 == .accepted(1) } == 999)
            #expect(many[700] == .refused(.idempotencyConflict))
        }
    }

    @Test(
        "become what they would become one by one, whatever is known of their keys",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func alike(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func draw() -> NotificationDraft {
            let body = ["{}", "{ }", "{\"a\":\"b\"}"].randomElement(using: &random) ?? "{}"
            var draft = Given.keyed(UInt64.random(in: 1...60, using: &random), body)
            if Int.random(in: 0..<4, using: &random) == 0 { draft.idempotency = nil }
            if Int.random(in: 0..<8, using: &random) == 0 {
                draft.format = .template
                draft.body = Array("none".utf8)
            }
            return draft
        }
        var limits = CoreLimits()
        // So that most keys have to be looked up in the store.
        limits.idempotencyKeysMax = [1, 8, 1_000].randomElement(using: &random) ?? 1
        limits.groupMax = [3, 128].randomElement(using: &random) ?? 3
        let known = (0..<40).map { _ in draw() }
        let drafts = (0..<1_000).map { _ in draw() }
        let (many, single) = try Self.both(drafts, known: known, limits)
        #expect(many == single, "seed \(seed)")
    }

    @Test("that are known let what others ask have its turn, as new ones do")
    func turns() throws {
        var limits = CoreLimits()
        limits.idempotencyKeysMax = 1
        let harness = try DirectoryHarness(limits: limits)
        let drafts = (1...300).map { Given.keyed($0) }
        _ = try harness.perform(.sendAll(drafts))
        harness.forget()
        let reads = harness.storage.reads.keys
        let many = harness.submit(.sendAll(drafts))
        let other = harness.submit(.send(Given.draft("other")))
        let group = try #require(harness.directory.nextGroup(now: harness.now))
        // What one group looks up is as much as it may hold.
        #expect(harness.storage.reads.keys - reads == limits.groupMax)
        let result = harness.storage.commit(changes: group.changes, records: group.records)
        harness.directory.committed(group, result, now: harness.now)
        harness.collect()
        #expect(harness.replyCount(to: other) == 1 && harness.replyCount(to: many) == 0)
        harness.run()
        let told = try Self.told(harness.reply(to: many))
        #expect(told == (1...300).map { .accepted($0) })
    }
}
