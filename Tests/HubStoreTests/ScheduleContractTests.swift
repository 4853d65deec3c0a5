import HubMemory
import HubModel
import HubStore
import HubVocabulary
import Testing

extension Sample {
    /// An idempotency key that a number names.
    static func key(_ number: UInt64, body: UInt64 = 0) -> IdempotencyKey {
        IdempotencyKey(
            scope: KeyHash(high: number, low: ~number),
            fingerprint: KeyHash(high: body, low: .max)
        )
    }

    /// A record with a key, or one that a schedule became; its time is its sequence number.
    static func record(
        _ sequence: UInt64,
        key: UInt64?,
        schedule: ScheduleID? = nil
    ) -> NotificationRecord {
        var draft = record(sequence).draft
        draft.idempotency = key.map { Sample.key($0) }
        return NotificationRecord(
            sequence: sequence,
            id: NotificationID(high: sequence << 16 | 0x7000, low: ~sequence),
            draft: draft,
            schedule: schedule
        )
    }

    /// A scheduled notification that was made at a time.
    static func schedule(
        _ time: UInt64,
        due: UInt64 = 1_000,
        key: UInt64? = nil
    ) -> ScheduledNotification {
        var draft = record(1).draft
        draft.idempotency = key.map { Sample.key($0) }
        return ScheduledNotification(
            id: ScheduleID(high: time << 16 | 0x7000, low: time),
            due: Timestamp(milliseconds: due),
            notAfter: Timestamp(milliseconds: due + 5),
            draft: draft
        )
    }
}

/// Schedules with whether they are in the log, as text.
private func schedules(_ store: any HubStorage) throws -> [String] {
    var found: [String] = []
    try store.forEachSchedule { schedule, isInLog in
        found.append("\(schedule.id.time.milliseconds)@\(schedule.due.milliseconds) \(isInLog)")
    }
    return found
}

@Suite("Every store keeps schedules and idempotency keys")
struct ScheduleContractTests {
    @Test("cancelled ones are kept apart until they are forgotten", arguments: StoreKind.allCases)
    func cancelled(_ kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let (first, second) = (Sample.schedule(1, key: 1), Sample.schedule(2))
        _ = store.commit(changes: [.putSchedule(first), .putSchedule(second)], records: [])
        _ = store.commit(changes: [.cancelSchedule(first)], records: [])
        store = try fixture.reopen()
        func found() throws -> [ScheduleID] {
            var ids: [ScheduleID] = []
            try store.forEachCancelled { ids.append($0.id) }
            return ids
        }
        #expect(try found() == [first.id])
        #expect(try schedules(store) == ["2@1000 false"])
        #expect(try store.key(Sample.key(1).scope)?.outcome == .scheduled(first.id))
        _ = store.commit(changes: [.forgetSchedule(first.id)], records: [])
        store = try fixture.reopen()
        #expect(try found().isEmpty)
    }

    @Test(
        "schedules come back whole, in the order in which they fire",
        arguments: StoreKind.allCases
    )
    func schedulesComeBack(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let made = [Sample.schedule(3, due: 20), Sample.schedule(2, due: 20), Sample.schedule(9)]
        let result = store.commit(
            changes: made.map(StoredChange.putSchedule) + [.put(Sample.registration(1))],
            records: []
        )
        #expect(result.changes == nil)
        for _ in 0..<2 {
            #expect(try schedules(store) == ["2@20 false", "3@20 false", "9@1000 false"])
            store = try fixture.reopen()
        }
        var read: [[UInt8]] = []
        try store.forEachSchedule { schedule, _ in read.append(ScheduleCodec.encode(schedule)) }
        #expect(read == [made[1], made[0], made[2]].map(ScheduleCodec.encode))
        #expect(store.registrationNumberMax == 1)
        _ = store.commit(changes: [.removeSchedule(made[0].id)], records: [])
        store = try fixture.reopen()
        #expect(try schedules(store) == ["2@20 false", "9@1000 false"])
    }

    @Test("a schedule whose record is in the log says so", arguments: StoreKind.allCases)
    func firedSchedules(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let made = [Sample.schedule(2), Sample.schedule(3)]
        _ = store.commit(changes: made.map(StoredChange.putSchedule), records: [])
        // Cut off behind this: the removal never comes.
        let result = store.commit(
            changes: [],
            records: [Sample.record(1, key: nil), Sample.record(2, key: nil, schedule: made[1].id)]
        )
        #expect(result.records == nil)
        store = try fixture.reopen()
        #expect(try schedules(store) == ["2@1000 false", "3@1000 true"])
        let read = try store.reader.records(after: 0, through: 9, limit: 9, bytesMax: .max)
        #expect(read.map(\.schedule) == [nil, made[1].id])
        #expect(try store.sequence(of: made[1].id) == 2)
        #expect(try store.sequence(of: made[0].id) == nil)
    }

    @Test(
        "keys are found by what they name and go when they are old",
        arguments: StoreKind.allCases
    )
    func keys(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let scheduled = Sample.schedule(6, key: 60)
        _ = store.commit(
            changes: [.putSchedule(scheduled)],
            records: [
                Sample.record(1, key: 10), Sample.record(2, key: nil), Sample.record(3, key: 30),
                Sample.record(4, key: nil, schedule: Sample.schedule(4).id),
                Sample.record(5, key: 50, schedule: Sample.schedule(5).id),
            ]
        )
        _ = store.commit(changes: [.removeSchedule(scheduled.id)], records: [])
        for _ in 0..<2 {
            let all = try store.newestKeys(limit: 10)
            #expect(all.map(\.time.milliseconds) == [1, 3, 5, 6])
            #expect(all.map(\.key) == [10, 30, 50, 60].map { Sample.key($0) })
            let first = Sample.record(1, key: nil).id
            #expect(all.first?.outcome == .sent(first, sequence: 1))
            #expect(
                all.suffix(2).map(\.outcome)
                    == [.scheduled(Sample.schedule(5).id), .scheduled(scheduled.id)]
            )
            #expect(try store.newestKeys(limit: 2) == all.suffix(2))
            #expect(try store.newestScheduleKeys(limit: 10) == all.suffix(1))
            for key in all { #expect(try store.key(key.key.scope) == key) }
            #expect(try store.key(Sample.key(20).scope) == nil)
            store = try fixture.reopen()
        }
        #expect(try !store.forgetKeys(before: Timestamp(milliseconds: 3)))
        #expect(try store.newestKeys(limit: 9).map(\.time.milliseconds) == [3, 5, 6])
        #expect(try store.key(Sample.key(10).scope) == nil)
        #expect(try !store.forgetKeys(before: Timestamp(milliseconds: 7)))
        store = try fixture.reopen()
        #expect(try store.newestKeys(limit: 9).isEmpty)
        #expect(try store.key(Sample.key(60).scope) == nil)
    }

    @Test("of two records with one key the newer counts", arguments: StoreKind.allCases)
    func newer(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        _ = store.commit(changes: [], records: [Sample.record(1, key: 1)])
        #expect(try store.key(Sample.key(1).scope)?.time == Timestamp(milliseconds: 1))
        _ = store.commit(
            changes: [.putSchedule(Sample.schedule(3, key: 1))],
            records: [Sample.record(2, key: 1)]
        )
        #expect(try store.key(Sample.key(1).scope)?.time == Timestamp(milliseconds: 3))
    }

    @Test("SQLite forgets many keys some at a time")
    func forgetsInPieces() throws {
        let fixture = StoreFixture(.sqlite)
        let store = try fixture.reopen()
        _ = store.commit(
            changes: [],
            records: (1...8_200).map { Sample.record($0, key: $0) }
        )
        let schedules = (1...8_200).map { Sample.schedule($0, key: 10_000 + $0) }
        _ = store.commit(changes: schedules.map(StoredChange.putSchedule), records: [])
        // Those of records go at once, with one number.
        #expect(try store.forgetKeys(before: Timestamp(milliseconds: 9_000)))
        #expect(try store.newestKeys(limit: 9_000).count == 8)
        #expect(try !store.forgetKeys(before: Timestamp(milliseconds: 9_000)))
        #expect(try store.newestKeys(limit: 9_000).isEmpty)
    }

    @Test("SQLite never takes a second record of a schedule")
    func unique() throws {
        let fixture = StoreFixture(.sqlite)
        let store = try fixture.reopen()
        let id = Sample.schedule(1).id
        _ = store.commit(changes: [], records: [Sample.record(1, key: 1, schedule: id)])
        let second = store.commit(
            changes: [],
            records: [Sample.record(2, key: 2), Sample.record(3, key: nil, schedule: id)]
        )
        #expect(second.records != nil)
        #expect(store.bounds.head == 1)
        #expect(try store.newestKeys(limit: 9).map(\.time.milliseconds) == [1])
    }
}

@Suite("Faults around schedules and keys")
struct ScheduleFaultTests {
    @Test("what the memory store refuses leaves neither schedule nor key")
    func faults() throws {
        let disk = MemoryDisk()
        let store = MemoryStore(disk: disk, newEpoch: 7)
        disk.setFaults(MemoryFaults(changes: .full, records: .full))
        let result = store.commit(
            changes: [.putSchedule(Sample.schedule(1, key: 1))],
            records: [Sample.record(1, key: 2, schedule: Sample.schedule(2).id)]
        )
        #expect(result.changes == .full && result.records == .full)
        #expect(try schedules(store).isEmpty)
        #expect(try store.newestKeys(limit: 9).isEmpty)
        disk.setFaults(MemoryFaults(cursors: .full, reads: .full))
        #expect(throws: StoreError.full) {
            try store.forgetKeys(before: Timestamp(milliseconds: 1))
        }
        #expect(throws: StoreError.full) { try store.key(Sample.key(1).scope) }
    }
}
