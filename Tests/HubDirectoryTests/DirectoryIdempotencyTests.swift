import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTables
import HubVocabulary
import Testing

extension DirectoryHarness {
    /// Sends and says what was accepted.
    func accept(_ draft: NotificationDraft) throws -> NotificationID {
        try perform(Send(draft)).get().id
    }
}

@Suite("Repeated sends")
struct DirectoryIdempotencyTests {
    @Test("with the same key and body get the first one's answer and add nothing to the log")
    func repeated() throws {
        let harness = try DirectoryHarness()
        let first = try harness.accept(Given.keyed(1))
        try harness.send()
        harness.forget()
        #expect(try harness.accept(Given.keyed(1)) == first)
        #expect(harness.storage.records.count == 2)
        #expect(harness.feed.isEmpty)
        #expect(try harness.accept(Given.keyed(2)) != first)
    }

    @Test("with the same key and another body are refused with a reason")
    func conflict() throws {
        let harness = try DirectoryHarness()
        _ = try harness.accept(Given.keyed(1))
        #expect(try harness.refusal(Send(Given.keyed(1, "{ }"))) == .idempotencyConflict)
        #expect(harness.storage.records.count == 1)
        #expect(Refusal.idempotencyConflict.status == 409)
        #expect(Refusal.idempotencyConflict.detail.hasPrefix("Idempotency-Key: "))
    }

    @Test("that meet the first one before it is durable are answered with it", arguments: [0, 1])
    func concurrent(refused: Int) throws {
        let harness = try DirectoryHarness()
        if refused == 1 { harness.storage.refuseRecords = .full }
        let tokens = [
            harness.submit(Send(Given.keyed(1))), harness.submit(Send(Given.keyed(1))),
            harness.submit(Send(Given.keyed(1, "{ }"))),
        ]
        let group = try #require(harness.directory.nextGroup(now: harness.now))
        #expect(group.records.count == 1)
        // One more while the store is at work.
        let late = harness.submit(Send(Given.keyed(1)))
        harness.collect()
        #expect(harness.actions.isEmpty)
        let result = harness.storage.commit(changes: group.changes, records: group.records)
        harness.directory.committed(group, result, now: harness.now)
        harness.storage.refuseRecords = nil
        harness.run()
        let replies = try (tokens + [late]).map { try #require($0.reply) }
        guard refused == 0 else {
            // No caller may believe in what never became durable; the late one is then the first.
            for reply in replies[..<3] {
                guard case .failure(.storeFull) = reply else {
                    Issue.record("\(reply)")
                    continue
                }
            }
            #expect(try replies[3].get().sequence == 1)
            return
        }
        let id = group.records[0].id
        for reply in [replies[0], replies[1], replies[3]] {
            #expect(reply == .success(AcceptedSend(id: id, sequence: 1)))
        }
        guard case .failure(.idempotencyConflict) = replies[2] else {
            Issue.record("\(replies[2])")
            return
        }
        #expect(harness.storage.records.count == 1)
    }

    @Test("are recognised after a restart, and forgotten after 24 hours")
    func restart() throws {
        var harness = try DirectoryHarness()
        let first = try harness.accept(Given.keyed(1))
        harness = try harness.reopened()
        harness.pass(milliseconds: 86_399_999)
        #expect(try harness.accept(Given.keyed(1)) == first)
        harness.pass(milliseconds: 1)
        let second = try harness.accept(Given.keyed(1))
        #expect(second != first)
        // The newer one counts from now on.
        harness = try harness.reopened()
        #expect(try harness.accept(Given.keyed(1)) == second)
    }

    @Test("are looked up in the store when there are more keys than memory holds")
    func crowdedOut() throws {
        var limits = CoreLimits()
        limits.idempotency.idempotencyKeysMax = 4
        var harness = try DirectoryHarness(limits: limits)
        var ids: [NotificationID] = []
        for key in UInt64(1)...4 { ids.append(try harness.accept(Given.keyed(key))) }
        #expect(harness.storage.reads.keys == 0, "all keys are in memory")
        for key in UInt64(5)...9 { ids.append(try harness.accept(Given.keyed(key))) }
        #expect(harness.storage.reads.keys == 0, "these are known to be new")
        for _ in 0..<2 {
            for key in UInt64(1)...9 {
                #expect(try harness.accept(Given.keyed(key)) == ids[Int(key) - 1], "key \(key)")
            }
            #expect(harness.storage.records.count == 9)
            harness = try harness.reopened(limits: limits)
        }
        #expect(harness.storage.reads.keys > 0)
        // Once the ones that were crowded out have lapsed, the store is left alone.
        harness.pass(milliseconds: 86_401_000)
        let reads = harness.storage.reads.keys
        #expect(try harness.accept(Given.keyed(1)) != ids[0])
        #expect(harness.storage.reads.keys == reads)
    }

    @Test(
        "are told from new ones behind a start, once what memory lacks was read",
        arguments: [1, 3, 4_096]
    )
    func readAfterStart(limit: Int) throws {
        var limits = CoreLimits()
        limits.idempotency.idempotencyKeysMax = 4
        var harness = try DirectoryHarness(limits: limits)
        #expect(harness.directory.unreadKeys == nil)
        let scheduled = try harness.schedule(in: 1_000_000, Given.keyed(1))
        harness.pass(milliseconds: 10)
        var ids: [UInt64: NotificationID] = [:]
        for key in UInt64(2)...30 { ids[key] = try harness.accept(Given.keyed(key)) }
        harness = try harness.reopened(limits: limits)
        var keys = try #require(harness.directory.unreadKeys)
        // Until these are back each new one is looked up.
        var reads = harness.storage.reads.keys
        for key in UInt64(100)...109 { ids[key] = try harness.accept(Given.keyed(key)) }
        #expect(harness.storage.reads.keys == reads + 10)
        while !keys.isWhole { try keys.read(harness.storage.keyReader, limit: limit) }
        harness.directory.receive(keys)
        #expect(harness.directory.unreadKeys == nil)
        reads = harness.storage.reads.keys
        for key in UInt64(200)...219 { ids[key] = try harness.accept(Given.keyed(key)) }
        #expect(harness.storage.reads.keys == reads, "these are known to be new")
        for (key, id) in ids.sorted(by: { $0.key < $1.key }) {
            #expect(try harness.accept(Given.keyed(key)) == id, "key \(key)")
        }
        #expect(try harness.schedule(in: 1_000_000, Given.keyed(1)) == scheduled)
        #expect(harness.storage.records.count == ids.count)
    }

    @Test("are looked up behind a start as well where what was read has no room")
    func readWithoutRoom() throws {
        var limits = CoreLimits()
        limits.idempotency.idempotencyKeysMax = 1
        limits.idempotency.idempotencyKeysFilteredMax = 1_024
        var harness = try DirectoryHarness(limits: limits)
        let first = try harness.accept(Given.keyed(1))
        for key in UInt64(2)...1_030 { _ = try harness.accept(Given.keyed(key)) }
        harness = try harness.reopened(limits: limits)
        var keys = try #require(harness.directory.unreadKeys)
        while !keys.isWhole { try keys.read(harness.storage.keyReader) }
        harness.directory.receive(keys)
        let reads = harness.storage.reads.keys
        for key in UInt64(2_001)...2_010 { _ = try harness.accept(Given.keyed(key)) }
        #expect(harness.storage.reads.keys == reads + 10)
        #expect(try harness.accept(Given.keyed(1)) == first)
    }

    @Test("are looked up each where there is no room to know which are new", arguments: [0, 1])
    func unfiltered(more: UInt64) throws {
        var limits = CoreLimits()
        limits.idempotency.idempotencyKeysMax = 1
        limits.idempotency.idempotencyKeysFilteredMax = 1_024
        let harness = try DirectoryHarness(limits: limits)
        // One is in memory, and a part of the filter has so many.
        let full = 1 + 1_024 + more
        for key in 1...full { _ = try harness.accept(Given.keyed(key)) }
        let reads = harness.storage.reads.keys
        for key in 10_001...UInt64(10_100) { _ = try harness.accept(Given.keyed(key)) }
        let looks = harness.storage.reads.keys - reads
        // Where there was room, one in a thousand new keys looks like an old one.
        #expect(more == 0 ? looks >= 99 : looks == 100, "\(looks)")
        #expect(try harness.accept(Given.keyed(2)) == harness.accept(Given.keyed(2)))
        #expect(UInt64(harness.storage.records.count) == full + 100)
    }

    @Test("are not sent when the store cannot say whether the key is new")
    func unreadable() throws {
        var limits = CoreLimits()
        limits.idempotency.idempotencyKeysMax = 1
        let harness = try DirectoryHarness(limits: limits)
        _ = try harness.accept(Given.keyed(1))
        _ = try harness.accept(Given.keyed(2))
        harness.storage.refuseReads = .unavailable(reason: "away")
        #expect(
            try harness.refusal(Send(Given.keyed(1))) == .storeUnavailable(retryAfterSeconds: 1)
        )
        #expect(harness.storage.records.count == 2)
        #expect(try harness.refusal(Send(Given.draft())) == nil, "without a key all is well")
    }

    @Test("let the store forget their keys after 24 hours, some seconds apart")
    func forgetting() throws {
        let harness = try DirectoryHarness()
        _ = try harness.accept(Given.keyed(1))
        let time = harness.now.time
        _ = harness.directory.keysDue(now: harness.now)
        harness.pass(milliseconds: 9_999)
        #expect(harness.directory.keysDue(now: harness.now) == nil)
        harness.pass(milliseconds: 86_400_000)
        let due = try #require(harness.directory.keysDue(now: harness.now))
        #expect(due > time && due <= time.adding(seconds: 10))
        #expect(try !harness.storage.forgetKeys(before: due))
        #expect(harness.storage.keys.isEmpty)
        harness.directory.keysForgotten(hasMore: true, now: harness.now)
        #expect(harness.directory.keysDue(now: harness.now) == due, "at once when more are left")
    }
}
