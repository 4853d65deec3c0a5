import HubModel
import HubStore
import HubTestSupport
import HubVocabulary
import Testing

extension Sample {
    /// A record that was accepted at a time and lives so many seconds.
    static func record(
        _ sequence: UInt64,
        at seconds: UInt64,
        living: UInt64,
        anchors: [AnchorKey] = [.everyone]
    ) -> NotificationRecord {
        var draft = record(sequence).draft
        draft.timeToLive = living == 0 ? .transient : .seconds(UInt32(living))
        return NotificationRecord(
            sequence: sequence,
            id: NotificationID(high: seconds * 1_000 << 16 | 0x7000, low: ~sequence &* 3),
            draft: draft,
            anchors: anchors
        )
    }
}

extension HubStorage {
    /// One step of housekeeping, in which what was purged goes at once.
    func tidy(now: Now, keptSeconds: UInt64) throws(StoreError) -> TidyResult {
        try tidy(now: now, retention: RecordRetention(keptSeconds: keptSeconds))
    }

    /// Does all housekeeping of a moment; the places whose records went.
    func tidyAll(_ now: Now, keptSeconds: UInt64 = 0) throws -> [ClosedRange<UInt64>] {
        try tidyAll(now, RecordRetention(keptSeconds: keptSeconds))
    }

    /// Does all housekeeping of a moment; the places whose records went.
    func tidyAll(
        _ now: Now,
        _ retention: RecordRetention
    ) throws -> [ClosedRange<UInt64>] {
        var removed: [ClosedRange<UInt64>] = []
        while true {
            let result = try tidy(now: now, retention: retention)
            if let range = result.removed { removed.append(range) }
            if !result.hasMore, result.removed == nil { return removed }
        }
    }

    /// Sequence numbers of everything that is held.
    func held() throws -> [UInt64] {
        try reader.records(after: 0, through: .max, limit: .max, bytesMax: .max).map(\.sequence)
    }
}

@Suite("Every store removes only what is owed to nobody")
struct TrimContractTests {
    @Test("what has not expired stays, however old", arguments: StoreKind.allCases)
    func owed(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let records = (1...9).map { Sample.record($0, at: $0, living: $0 == 5 ? 1_000 : 10) }
        for record in records { _ = store.commit(changes: [], records: [record]) }
        _ = try store.tidyAll(.at(500_000))
        #expect(try store.held().suffix(5) == [5, 6, 7, 8, 9])
        #expect(store.bounds.first <= 5)
        #expect(store.bounds.head == 9)
        // The position just below the log's beginning is still known.
        let below = store.bounds.first - 1
        let check = below == 0 ? 0 : records[Int(below) - 1].id.check
        #expect(try store.reader.check(at: below) == check)
        store = try fixture.reopen()
        #expect(try store.held().suffix(5) == [5, 6, 7, 8, 9])
        _ = try store.tidyAll(.at(1_006_000))
        #expect(try store.held().isEmpty)
        #expect(store.bounds.first == 10)
        #expect(store.bounds.head == 9)
        #expect(try store.reader.check(at: 9) == records[8].id.check)
        #expect(try store.reader.check(at: 8) == nil)
        store = try fixture.reopen()
        #expect(store.bounds.first == 10 && store.bounds.head == 9)
        #expect(try store.reader.check(at: 9) == records[8].id.check)
        // Numbers go on.
        let next = Sample.record(10, at: 1_010, living: 5)
        #expect(store.commit(changes: [], records: [next]).records == nil)
        #expect(try store.held() == [10])
    }

    @Test(
        "what is kept for explanations stays as long as it was said",
        arguments: StoreKind.allCases
    )
    func kept(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        for number in 1...6 as ClosedRange<UInt64> {
            let record = Sample.record(number, at: 10, living: 1)
            _ = store.commit(changes: [], records: [record])
        }
        #expect(try store.tidyAll(.at(109_000), keptSeconds: 100).isEmpty)
        #expect(try store.held().count == 6)
        _ = try store.tidyAll(.at(110_000), keptSeconds: 100)
        #expect(try store.held().isEmpty)
    }

    @Test("what was purged stays as long as it was said too", arguments: StoreKind.allCases)
    func purgedKept(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        for number in 1...3 as ClosedRange<UInt64> {
            let record = Sample.record(number, at: 10, living: 1_000)
            _ = store.commit(changes: [], records: [record])
        }
        try store.purge(through: 3)
        let retention = RecordRetention(keptSeconds: 1_000_000, purgedSeconds: 100)
        #expect(try store.tidyAll(.at(109_999), retention).isEmpty)
        #expect(try store.held() == [1, 2, 3])
        _ = try store.tidyAll(.at(110_000), retention)
        #expect(try store.held().isEmpty)
    }

    @Test(
        "tombstones go when the log begins above them, and not before",
        arguments: StoreKind.allCases
    )
    func tombstones(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        // With the places from which they are gone.
        let early = (Sample.registration(1), 2 as UInt64)
        let late = (Sample.registration(2), 8 as UInt64)
        _ = store.commit(changes: [.put(early.0), .put(late.0)], records: [])
        for number in 1...9 as ClosedRange<UInt64> {
            let gone = [early, late].filter { $0.1 == number }
            let record = Sample.record(number, at: number, living: 1)
            _ = store.commit(changes: gone.map { .remove($0.0) }, records: [record])
        }
        func expectKept(_ location: SourceLocation = #_sourceLocation) throws {
            for (registration, place) in [early, late] {
                let isKept = place >= store.bounds.first
                let found = try store.wasRegistrationDeleted(id: registration.id)
                #expect(found == isKept, sourceLocation: location)
                let all = try store.deletedRegistrations(id: registration.id)
                #expect(all.map(\.number) == (isKept ? [registration.number] : []))
            }
        }
        _ = try store.tidyAll(.at(2_000))
        #expect(store.bounds.first <= 2)
        try expectKept()
        _ = try store.tidyAll(.at(7_000))
        #expect(store.bounds.first <= 8)
        try expectKept()
        store = try fixture.reopen()
        try expectKept()
        _ = try store.tidyAll(.at(60_000))
        #expect(store.bounds.first == 10)
        try expectKept()
        #expect(store.registrationNumberMax == 2)
    }

    @Test("what expires just now is still owed", arguments: StoreKind.allCases)
    func edge(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        _ = store.commit(changes: [], records: [Sample.record(1, at: 10, living: 5)])
        #expect(try store.tidyAll(.at(15_000)).isEmpty)
        #expect(try store.tidyAll(.at(15_001)) == [1...1])
    }

    @Test("a purge holds, is told, and lets files go", arguments: StoreKind.allCases)
    func purge(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let records = (1...8).map { Sample.record($0, at: $0, living: 1_000) }
        for record in records { _ = store.commit(changes: [], records: [record]) }
        #expect(store.bounds.purged == 0)
        try store.purge(through: 5)
        #expect(store.bounds.purged == 5)
        // A purge is never taken back, and never reaches above the head.
        try store.purge(through: 3)
        #expect(store.bounds.purged == 5)
        store = try fixture.reopen()
        #expect(store.bounds.purged == 5)
        _ = try store.tidyAll(.at(86_500_000), keptSeconds: 1_000_000)
        #expect(try store.held().suffix(3) == [6, 7, 8])
        try store.purge(through: .max)
        #expect(store.bounds.purged == 8)
        _ = try store.tidyAll(.at(86_500_000), keptSeconds: 1_000_000)
        #expect(try store.held().isEmpty)
        #expect(store.bounds.first == 9)
        store = try fixture.reopen()
        #expect(store.bounds.purged == 8 && store.bounds.first == 9)
        #expect(try store.reader.check(at: 8) == records[7].id.check)
    }

    @Test(
        "idempotency keys of what was purged count for a day all the same",
        arguments: StoreKind.allCases
    )
    func keysOfPurged(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        for number in 1...8 as ClosedRange<UInt64> {
            var draft = Sample.record(number).draft
            draft.timeToLive = .seconds(1_000)
            draft.idempotency = Sample.key(number)
            let record = NotificationRecord(
                sequence: number,
                id: NotificationID(high: number * 1_000 << 16 | 0x7000, low: number),
                draft: draft,
                anchors: [.everyone]
            )
            #expect(store.commit(changes: [], records: [record]).records == nil)
        }
        try store.purge(through: .max)
        let retention = RecordRetention(keptSeconds: 604_800, purgedSeconds: 86_400)
        _ = try store.tidyAll(.at(86_300_000), retention)
        store = try fixture.reopen()
        for number in 1...8 as ClosedRange<UInt64> {
            let key = try store.key(Sample.key(number).scope)
            #expect(key != nil, "the key of record \(number)")
        }
        _ = try store.tidyAll(.at(86_500_000), retention)
        #expect(try store.held().isEmpty)
    }

    @Test(
        "lists lead to everything that a scan finds, across slices, restarts and trimming",
        arguments: StoreKind.allCases,
        [1, 2]
    )
    func candidates(kind: StoreKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = StoreFixture(kind)
        fixture.limits.sliceRecordsMax = Int.random(in: 1...20, using: &random)
        fixture.limits.hotEntriesMax = Int.random(in: 0...60, using: &random)
        let all = (0..<12).map { AnchorKey(raw: UInt64($0) &* 0x9E37_79B9_7F4A_7C15) }
        var store = try fixture.reopen()
        var written: [NotificationRecord] = []
        for round in 0..<60 as Range<UInt64> {
            let group = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                Sample.record(
                    UInt64(written.count) + 1,
                    at: round,
                    living: UInt64.random(in: 1...30, using: &random),
                    anchors: all.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }.sorted()
                )
            }
            for (offset, record) in group.enumerated() {
                written.append(
                    Sample.record(
                        record.sequence + UInt64(offset),
                        at: round,
                        living: record.expires.milliseconds / 1_000 - round,
                        anchors: record.anchors
                    )
                )
            }
            let result = store.commit(changes: [], records: Array(written.suffix(group.count)))
            #expect(result.records == nil, "seed \(seed)")
            switch Int.random(in: 0..<6, using: &random) {
            case 0: store = try fixture.reopen()
            case 1: _ = try store.tidyAll(.at(round * 1_000))
            case 2: _ = try store.tidy(now: .at(round * 1_000), keptSeconds: 0)
            default: break
            }
            try look(store, written, all, &random, "seed \(seed), round \(round)")
        }
    }

    /// Compares what lists say with what all records say.
    private func look(
        _ store: any HubStorage,
        _ written: [NotificationRecord],
        _ all: [AnchorKey],
        _ random: inout SeededGenerator,
        _ place: String
    ) throws {
        let wanted = Set(all.filter { _ in Bool.random(using: &random) })
        let head = store.bounds.head
        let after = UInt64.random(in: 0...head, using: &random)
        let through = UInt64.random(in: after...head, using: &random)
        let limit = Int.random(in: 1...20, using: &random)
        let expected = written.filter { record in
            record.sequence > after && record.sequence <= through
                && record.sequence >= store.bounds.first
                && record.anchors.contains { wanted.contains($0) }
        }.map(\.sequence)
        var found: [UInt64] = []
        var position = after
        while position < through {
            let page = try store.reader.candidates(
                anchors: wanted,
                after: position,
                through: through,
                limit: limit
            )
            #expect(page.sequences.count <= limit, "\(place)")
            #expect(page.through > position && page.through <= through, "\(place)")
            #expect(page.sequences.allSatisfy { $0 > position && $0 <= page.through }, "\(place)")
            guard page.through > position else { return }
            found += page.sequences
            position = page.through
        }
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 }, "\(place)")
        // Of what was trimmed a list may still speak; records are only there when they are.
        #expect(found.filter { $0 >= store.bounds.first } == expected, "\(place)")
        let read = try store.reader.records(at: found[...], bytesMax: .max)
        #expect(read.map(\.sequence) == expected, "\(place)")
        let headers = try store.reader.headers(at: found[...])
        #expect(headers.map(\.id) == read.map(\.id), "\(place)")
        if !expected.isEmpty {
            let few = try store.reader.records(at: expected[...], bytesMax: 0)
            #expect(few.map(\.sequence) == [expected[0]], "\(place)")
        }
    }
}
