import HubDirectory
import HubDelivery
import HubModel
import HubParcel
@testable import HubServer
import HubVocabulary
import Synchronization
import Testing

@Suite("Records read from the store for devices that were away")
struct ColdRecordsTests {
    private func limits(records: Int = 100, bytes: Int = 1 << 20) -> SessionLimits {
        var limits = SessionLimits()
        limits.catchUp.coldRecordsMax = records
        limits.catchUp.coldRecordBytesMax = bytes
        return limits
    }

    private func reader(
        of log: CountingLog,
        for shards: CollectingShards
    ) throws -> LogReaderThread {
        let thread = LogReaderThread(
            hub: Example.hub,
            reader: log,
            shards: shards,
            limits: limits()
        )
        try thread.start()
        return thread
    }

    @Test("a thousand devices that read one page cost one read, and one parcel for each variant")
    func shared() throws {
        let log = CountingLog(head: 20)
        let shards = CollectingShards(expected: 1_000)
        let thread = try reader(of: log, for: shards)
        for number in 0..<1_000 {
            thread.read(
                Example.query(
                    after: 5,
                    through: 20,
                    limit: 10,
                    shard: number % 2,
                    slot: UInt32(number)
                )
            )
        }
        let pages = try shards.all()
        thread.stop()
        #expect(log.asked == [Array(6...15)])
        #expect(log.headersAsked == [Array(6...20)])
        var made = 0
        for (number, page) in pages.enumerated() {
            #expect(page.records.map(\.sequence) == Array(6...15), "page \(number)")
            let codec: ParcelCodec = number % 2 == 0 ? .identity : .wellKnownDictionary
            let variant = ParcelVariant(
                template: 0,
                registration: 0,
                platform: .apple,
                codec: codec
            )
            for record in page.records {
                _ = record.parcels.parcel(variant) {
                    made += 1
                    return Parcel(
                        bytes: Array(repeating: 0, count: 300),
                        expires: Timestamp(milliseconds: 1),
                        isTransient: false
                    )
                }
            }
        }
        #expect(made == 2 * 10)
    }

    @Test("a page that overlaps another one reads only what is missing")
    func overlapping() throws {
        let log = CountingLog(head: 30)
        let shards = CollectingShards(expected: 3)
        let thread = try reader(of: log, for: shards)
        for (slot, (after, limit)) in zip(1..., [(10, 10), (5, 10), (12, 12)]) {
            thread.read(
                Example.query(
                    after: UInt64(after),
                    through: 30,
                    limit: limit,
                    slot: UInt32(slot)
                )
            )
        }
        let pages = try shards.all()
        thread.stop()
        let read: [ClosedRange<UInt64>] = [11...20, 6...15, 13...24]
        #expect(pages.map { $0.records.map(\.sequence) } == read.map(Array.init))
        let asked: [ClosedRange<UInt64>] = [11...20, 6...10, 21...24]
        #expect(log.asked == asked.map(Array.init))
        let headers: [ClosedRange<UInt64>] = [11...30, 6...10]
        #expect(log.headersAsked == headers.map(Array.init))
        for (first, second) in zip(pages[0].records.prefix(5), pages[1].records.suffix(5)) {
            #expect(first === second, "record \(first.sequence)")
        }
    }

    @Test("no more are kept than the limits say, the oldest go first")
    func bounded() {
        var cold = ColdRecords(limits: limits(records: 3))
        for number in UInt64(1)...50 {
            _ = cold.share([Example.record(number)])
            #expect(cold.count == min(3, Int(number)))
        }
        #expect((1...60).filter { cold[$0] != nil } == [48, 49, 50])
        var heavy = ColdRecords(limits: limits(bytes: 100))
        _ = heavy.share([Example.record(1, bytes: 60), Example.record(2, bytes: 40)])
        #expect(heavy.count == 2 && heavy.bytes == 100)
        _ = heavy.share([Example.record(3, bytes: 1)])
        #expect(heavy.count == 2 && heavy.bytes == 41)
        _ = heavy.share([Example.record(4, bytes: 101)])
        #expect(heavy.count == 0 && heavy.bytes == 0)
    }
}

/// A log that makes new records for each read, as one on a disk does, and notes what was asked.
private final class CountingLog: LogReading {
    private let head: UInt64
    private let places = Mutex<[[UInt64]]>([])
    private let headerPlaces = Mutex<[[UInt64]]>([])

    init(head: UInt64) { self.head = head }

    var asked: [[UInt64]] { places.withLock { $0 } }
    var headersAsked: [[UInt64]] { headerPlaces.withLock { $0 } }

    var purgedGone: UInt64 { 0 }

    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        let last = min(through, head, after + UInt64(limit))
        return after < last ? (after + 1...last).map { Example.record($0) } : []
    }

    func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates {
        let last = min(through, head, after + UInt64(limit))
        return LogCandidates(sequences: after < last ? Array(after + 1...last) : [], through: last)
    }

    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        places.withLock { $0.append(Array(sequences)) }
        return sequences.map { Example.record($0) }
    }

    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        headerPlaces.withLock { $0.append(Array(sequences)) }
        return sequences.map { Example.record($0).header }
    }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? { nil }
}

/// Keeps pages until there are as many as the test expects.
private final class CollectingShards: ShardPosting {
    let shardCount = 2
    private let expected: Int
    private let pages: WorkQueue<LogPage>

    init(expected: Int) {
        self.expected = expected
        pages = WorkQueue(capacity: expected)
    }

    func post(_ message: ShardMessage, of hub: HubName, to shard: Int) {
        guard case .page(let page) = message else { return }
        _ = pages.add(page)
    }

    private struct Missing: Error {
        let pages: Int
        let expected: Int
    }

    /// All pages; blocks until they have come.
    ///
    /// - Throws: how many have come when none came for two minutes.
    func all() throws -> [LogPage] {
        var all: [LogPage] = []
        while all.count < expected {
            let next = pages.take(waiting: 120_000)
            guard !next.isEmpty else { throw Missing(pages: all.count, expected: expected) }
            all += next
        }
        return all
    }
}
