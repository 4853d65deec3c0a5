import Dispatch
import HubMemory
import HubModel
@testable import HubServer
import HubTables
import HubVocabulary
import Synchronization
import Testing

/// A log's keys, whose next reads fail as a test says.
private final class FailingKeys: KeyReading {
    private let keys: any KeyReading
    private let failures = Mutex<[StoreError]>([])

    init(_ keys: any KeyReading, failures: [StoreError] = []) {
        self.keys = keys
        self.failures.withLock { $0 = failures }
    }

    func keys(
        behind end: UInt64,
        through: UInt64,
        from time: Timestamp,
        limit: Int
    ) throws(StoreError) -> LogKeyPage {
        let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let failure { throw failure }
        return try keys.keys(behind: end, through: through, from: time, limit: limit)
    }
}

@Suite("Keys that a hub's start has left")
struct KeyFillingTests {
    private let disk = MemoryDisk()
    private let store: MemoryStore
    private var table: IdempotencyTable
    private let now: Timestamp

    /// A start that has taken one key of three.
    init() throws {
        store = MemoryStore(disk: disk, newEpoch: 7)
        let records = (1...3 as ClosedRange<UInt64>).map { number in
            var draft = Example.draft()
            draft.idempotency = IdempotencyKey(
                scope: KeyHash(high: number, low: number),
                fingerprint: KeyHash(high: 0, low: 0)
            )
            let id = Example.record(number).id
            return NotificationRecord(sequence: number, id: id, draft: draft)
        }
        #expect(store.commit(changes: [], records: records).records == nil)
        now = records[2].id.time
        var limits = CoreLimits()
        limits.idempotency.idempotencyKeysMax = 1
        table = IdempotencyTable(limits: limits)
        try table.load(from: store, now: now)
    }

    @Test("are read, and known then", arguments: [0, 2])
    func read(failures: Int) throws {
        let unread = try #require(table.unread)
        let away = StoreError.unavailable(reason: "a group is missing")
        let log = FailingKeys(
            store.keyReader,
            failures: Array(repeating: away, count: failures)
        )
        let got = Mutex<EarlierKeys?>(nil)
        var filling = KeyFilling(unread, from: log) { keys in got.withLock { $0 = keys } }
        #expect(filling.pause == 0)
        for _ in 0..<failures {
            let hasMore = filling.step()
            #expect(hasMore && filling.pause == 1_000)
        }
        let hasMore = filling.step()
        #expect(!hasMore && filling.pause == 0)
        let all = try #require(got.withLock { $0 })
        var known = table
        known.take(all)
        // The store is not asked for a new one.
        disk.setFaults(MemoryFaults(reads: away))
        #expect(try known.find(KeyHash(high: 99, low: 99), now: now, in: store) == nil)
        disk.setFaults(MemoryFaults())
        let first = try known.find(KeyHash(high: 1, low: 1), now: now, in: store)
        #expect(first?.outcome == .sent(Example.record(1).id, sequence: 1))
    }

    @Test("are left where the log is damaged")
    func damaged() throws {
        let log = FailingKeys(store.keyReader, failures: [.corrupted("row 1")])
        var filling = KeyFilling(try #require(table.unread), from: log) { _ in
            Issue.record("keys that were not read")
        }
        let hasMore = filling.step()
        #expect(!hasMore)
    }

    @Test("are read by the thread of the log's reader", .timeLimit(.minutes(1)))
    func thread() throws {
        let isRead = DispatchSemaphore(value: 0)
        let unread = try #require(table.unread)
        let thread = LogReaderThread(
            hub: Example.hub,
            reader: store.reader,
            shards: SilentShards(),
            limits: SessionLimits(),
            filling: KeyFilling(unread, from: store.keyReader) { keys in
                if keys.isWhole { isRead.signal() }
            }
        )
        try thread.start()
        #expect(isRead.wait(timeout: .now() + .seconds(30)) == .success)
        thread.stop()
    }
}

/// Shards that nothing is posted to.
private struct SilentShards: ShardPosting {
    let shardCount = 1

    func post(_ message: ShardMessage, of hub: HubName, to shard: Int) {}
}
