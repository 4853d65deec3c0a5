import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
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

    private static func told(_ result: Result<AcceptedSend, Refusal>) -> Told {
        switch result {
        case .success(let send): .accepted(send.sequence)
        case .failure(let refusal): .refused(refusal)
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
            _ = try many.perform(Send(draft))
            _ = try single.perform(Send(draft))
        }
        let together = try many.perform(SendAll(drafts)).get().map(told)
        let alone = try drafts.map { told(try single.perform(Send($0))) }
        #expect(
            many.storage.records.map(\.draft.body)
                == single.storage.records.map(\.draft.body)
        )
        #expect(many.directory.gauges.idempotencyKeys <= limits.idempotency.idempotencyKeysMax)
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
        limits.idempotency.idempotencyKeysMax = [1, 8, 1_000].randomElement(using: &random) ?? 1
        limits.log.groupMax = [3, 128].randomElement(using: &random) ?? 3
        let known = (0..<40).map { _ in draw() }
        let drafts = (0..<1_000).map { _ in draw() }
        let (many, single) = try Self.both(drafts, known: known, limits)
        #expect(many == single, "seed \(seed)")
    }

    @Test("that are known let what others ask have its turn, as new ones do")
    func turns() throws {
        var limits = CoreLimits()
        limits.idempotency.idempotencyKeysMax = 1
        let harness = try DirectoryHarness(limits: limits)
        let drafts = (1...300).map { Given.keyed($0) }
        _ = try harness.perform(SendAll(drafts))
        harness.forget()
        let reads = harness.storage.reads.keys
        let many = harness.submit(SendAll(drafts))
        let other = harness.submit(Send(Given.draft("other")))
        let group = try #require(harness.directory.nextGroup(now: harness.now))
        // What one group looks up is as much as it may hold.
        #expect(harness.storage.reads.keys - reads == limits.log.groupMax)
        let result = harness.storage.commit(changes: group.changes, records: group.records)
        harness.directory.committed(group, result, now: harness.now)
        harness.collect()
        #expect(other.count == 1 && many.count == 0)
        harness.run()
        let told = try #require(many.reply).get().map(Self.told)
        #expect(told == (1...300).map { .accepted($0) })
    }
}
