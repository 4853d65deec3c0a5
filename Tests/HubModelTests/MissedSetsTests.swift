import HubModel
import HubTestSupport
import HubVocabulary
import Testing

/// A log that counts what is asked of it.
private final class CountingLog: LayeredReading {
    let log: any MissedReading
    private(set) var headersRead = 0
    private(set) var placesAsked = 0

    init(_ past: PastLog) { log = past }

    func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates {
        placesAsked += Int(through - after)
        return try log.candidates(anchors: anchors, after: after, through: through, limit: limit)
    }

    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        headersRead += sequences.count
        return try log.headers(at: sequences)
    }
}

@Suite("Missed sets that are read in pages")
struct MissedSetsTests {
    @Test("say on every page what a set says that is worked out anew", arguments: 0..<200)
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let past = try Past(&random, count: 1 + random.below(160))
        let head = UInt64(past.records.count)
        var limits = SessionLimits()
        limits.catchUp.missedMatchesMax = [0, 60, 1 << 20][random.below(3)]
        var sets = MissedSets(limits: limits)
        var place = random.next() % head
        var known = place + random.next() % (head - place + 1)
        var cap = [1, 3, 20, 10_000][random.below(4)]
        let recount = random.below(3) == 0 ? random.next() % (head + 1) : 0
        var purged = random.below(3) == 0 ? random.next() % (head + 1) : 0
        let log = PastLog(records: past.records)
        while place < head {
            // The log grows, and an operator changes his mind.
            if random.below(2) == 0 { known = min(head, known + random.next() % 9) }
            if random.below(20) == 0 { cap = 2 + random.below(9) }
            if random.below(30) == 0 { purged = max(purged, random.next() % (known + 1)) }
            guard known > place else {
                known = min(head, known + 1)
                continue
            }
            var query = past.query(
                after: place,
                limit: [1, 4, 256][random.below(3)],
                cap: cap,
                purged: purged,
                recount: recount
            )
            query.through = known
            let page = try sets.page(query, from: log, now: past.now)
            let fresh = try query.page(from: log, now: past.now)
            #expect(page.matches == fresh.matches, "seed \(seed), behind \(place)")
            #expect(page.records.map(\.sequence) == fresh.records.map(\.sequence), "seed \(seed)")
            #expect(page.cut == fresh.cut, "seed \(seed), behind \(place)")
            #expect(page.through == fresh.through, "seed \(seed), behind \(place)")
            #expect(sets.weight <= limits.catchUp.missedMatchesMax)
            // A session may have had no room for all of a page.
            let isFull = page.through > place + 1 && random.below(3) == 0
            place = isFull ? place + 1 + random.next() % (page.through - place) : page.through
        }
    }

    @Test("are worked out once, however many pages they have")
    func once() throws {
        var random = SeededGenerator(seed: 1)
        let past = try Past(&random, count: 400)
        let log = CountingLog(PastLog(records: past.records))
        var sets = MissedSets(limits: SessionLimits())
        var place: UInt64 = 0
        var pages = 0
        while place < 400 {
            let query = past.query(after: place, limit: 1, cap: 10_000, purged: 0, recount: 0)
            place = try sets.page(query, from: log, now: past.now).through
            pages += 1
        }
        #expect(pages > 20)
        #expect(log.headersRead <= 400)
        #expect(log.placesAsked == 400)
        #expect(sets.count == 0 && sets.weight == 0)
    }

    @Test("grow with the log without a second look at what was there")
    func growing() throws {
        var random = SeededGenerator(seed: 2)
        let past = try Past(&random, count: 400)
        let log = CountingLog(PastLog(records: past.records))
        var sets = MissedSets(limits: SessionLimits())
        var place: UInt64 = 0
        var head: UInt64 = 200
        while place < head {
            var query = past.query(after: place, limit: 1, cap: 10_000, purged: 0, recount: 0)
            query.through = head
            place = try sets.page(query, from: log, now: past.now).through
            head = min(400, head + 1)
        }
        #expect(log.placesAsked == 400)
    }

    @Test("weigh no more together than the limit says; those that were not read for longest go")
    func bounded() throws {
        var random = SeededGenerator(seed: 3)
        let past = try Past(&random, count: 60)
        let log = PastLog(records: past.records)
        func query(_ device: UInt64, after: UInt64 = 0) -> LogQuery {
            var query = past.query(after: after, limit: 1, cap: 10_000, purged: 0, recount: 0)
            query.device = DeviceID(high: 1, low: device)
            return query
        }
        var measured = MissedSets(limits: SessionLimits())
        _ = try measured.page(query(1), from: log, now: past.now)
        let one = measured.weight
        #expect(one > 32 && measured.count == 1)
        var limits = SessionLimits()
        limits.catchUp.missedMatchesMax = 3 * one
        var sets = MissedSets(limits: limits)
        for device in 1...3 as ClosedRange<UInt64> {
            _ = try sets.page(query(device), from: log, now: past.now)
        }
        #expect(sets.count == 3 && sets.weight == 3 * one)
        // The first is read again, so the second is the oldest.
        _ = try sets.page(query(1), from: log, now: past.now)
        _ = try sets.page(query(4), from: log, now: past.now)
        #expect(sets.count == 3 && sets.weight == 3 * one)
        let counting = CountingLog(log)
        _ = try sets.page(query(1), from: counting, now: past.now)
        #expect(counting.placesAsked == 0)
        _ = try sets.page(query(2), from: counting, now: past.now)
        #expect(counting.placesAsked == 60)
        limits.catchUp.missedMatchesMax = one - 1
        sets = MissedSets(limits: limits)
        _ = try sets.page(query(1), from: log, now: past.now)
        #expect(sets.count == 0 && sets.weight == 0)
    }

    @Test("that cannot be read are forgotten")
    func failing() throws {
        struct Broken: MissedReading {
            let purgedGone: UInt64 = 0
            func check(at sequence: UInt64) throws(StoreError) -> UInt32? { nil }
            func candidates(
                anchors: Set<AnchorKey>,
                after: UInt64,
                through: UInt64,
                limit: Int
            ) throws(StoreError) -> LogCandidates { throw .full }
            func records(
                at sequences: ArraySlice<UInt64>,
                bytesMax: Int
            ) throws(StoreError) -> [NotificationRecord] { throw .full }
            func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
                throw .full
            }
        }
        var random = SeededGenerator(seed: 4)
        let past = try Past(&random, count: 60)
        let query = past.query(after: 0, limit: 1, cap: 10_000, purged: 0, recount: 0)
        var sets = MissedSets(limits: SessionLimits())
        _ = try sets.page(query, from: PastLog(records: past.records), now: past.now)
        #expect(sets.count == 1)
        #expect(throws: StoreError.full) {
            try sets.page(query, from: Broken(), now: past.now)
        }
        #expect(sets.count == 0 && sets.weight == 0)
    }
}
