import HubCluster
import HubMemory
import HubModel
import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Every group log keeps the contract")
struct GroupLogContractTests {
    @Test(
        "a new log is empty, and each leader has a higher fence",
        arguments: GroupLogKind.allCases
    )
    func empty(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        let first = try fixture.lead()
        #expect(first.place.feed == 0 && first.place.head == 0 && first.place.checkpoint == 0)
        #expect(first.place.bounds?.epochs == [LogPlace(epoch: 7, sequence: 1)])
        #expect(try fixture.reading.place() == first.place)
        #expect(try fixture.all().isEmpty && fixture.items().isEmpty)
        let second = try fixture.lead()
        #expect(second.place.fence > first.place.fence)
        #expect(second.place.epochs == first.place.epochs)
    }

    @Test(
        "groups come back as they were stored, and what holds is their fold",
        arguments: GroupLogKind.allCases,
        [1, 2, 3]
    )
    func comesBack(kind: GroupLogKind, seed: UInt64) throws {
        let fixture = GroupLogFixture(kind)
        var (script, folded) = (StoreScript(seed: seed), FoldedGroups())
        var log = try fixture.lead()
        for step in 0..<60 {
            if step % 20 == 19 { log = try fixture.lead() }
            guard case .commit(let changes, let records) = script.next(head: log.place.head)
            else { continue }
            let (before, effect) = (log.place, GroupEffect(changes, head: log.place.head))
            let group = before.next(changes, records)
            try log.append(group, effect)
            folded.append(group, effect)
            #expect(log.place == before.behind(group, effect), "seed \(seed)")
        }
        #expect(try fixture.reading.place() == log.place, "seed \(seed)")
        #expect(try fixture.all() == folded.groups, "seed \(seed)")
        #expect(try fixture.items() == folded.items, "seed \(seed)")
        #expect(try fixture.reading.items { _ in } == log.place, "seed \(seed)")
        // In small pieces it is the same, each of at least one group.
        #expect(try fixture.all(bytesMax: 1) == folded.groups, "seed \(seed)")
        for group in folded.groups where group.number.isMultiple(of: 7) {
            let place = CopyPlace(feed: group.number, head: group.head, headCheck: 0)
            let rest = try fixture.all(after: place)
            #expect(rest == folded.groups.filter { $0.number > group.number }, "seed \(seed)")
        }
    }

    @Test("the two parts of a copy may stand at different places", arguments: GroupLogKind.allCases)
    func separatePlaces(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        let log = try fixture.lead()
        for number in 1...4 as ClosedRange<UInt64> {
            try log.append(
                [.put(Sample.registration(UInt32(number)))],
                Sample.records(number * 2 - 1...number * 2)
            )
        }
        let logBehind = CopyPlace(feed: 3, head: 2, headCheck: 0)
        let first = try fixture.reading.groups(after: logBehind, bytesMax: .max).groups
        #expect(first.map(\.number) == [2, 3, 4])
        #expect(first.map { $0.records?.first } == [3, 5, 7])
        #expect(first.map { $0.changes == nil } == [true, true, false])
        let logAhead = CopyPlace(feed: 1, head: 6, headCheck: 0)
        let second = try fixture.reading.groups(after: logAhead, bytesMax: .max).groups
        #expect(second.map(\.number) == [2, 3, 4])
        #expect(second.map { $0.records == nil } == [true, true, false])
        #expect(second.map(\.headBefore) == [2, 4, 6])
    }

    @Test("a former leader stores nothing, whatever it writes", arguments: GroupLogKind.allCases)
    func fence(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        let epoch = GroupEpoch(place: LogPlace(epoch: 9, sequence: 50), checkBelow: 1)
        let writes: [(any GroupLog) throws -> Void] = [
            { log in try log.append([.put(Sample.registration(2))]) },
            { log in
                try log.checkpoint(CheckpointBatch(number: 1), reports: NodeReports(["a": 1]))
            },
            { log in try log.begin(epoch) },
            { log in try log.purge(through: 2) },
            { log in
                var extent = TrimExtent()
                extent.first = 3
                _ = try log.trim(extent)
            },
            { log in try log.probe() },
        ]
        for write in writes {
            let old = try fixture.lead()
            try old.append([], Sample.records(old.place.head + 1...old.place.head + 2))
            let new = try fixture.lead()
            let before = try fixture.reading.place()
            #expect(throws: StoreError.fenced) { try write(old) }
            #expect(try fixture.reading.place() == before)
            // It stays so, also when the hub has no other leader any more.
            new.close()
            #expect(throws: StoreError.fenced) { try old.probe() }
        }
        #expect(try fixture.items().isEmpty)
    }

    @Test(
        "four writers that take the lead from each other leave no hole",
        arguments: GroupLogKind.allCases
    )
    func writers(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        _ = try fixture.lead()
        let writers = (0..<4 as Range<UInt64>).map { writer in
            ThreadWork { () throws -> Int in
                var stored = 0
                for round in 0..<20 as Range<UInt64> {
                    let log = try fixture.lead()
                    do throws(StoreError) {
                        for _ in 0..<3 {
                            let head = log.place.head
                            let salt = writer * 1_000 + round
                            try log.append([], Sample.records(head + 1...head + 2, salt: salt))
                            stored += 1
                        }
                    } catch { #expect(error == .fenced) }
                }
                return stored
            }
        }
        let stored = try writers.reduce(0) { $0 + (try $1.value()) }
        let groups = try fixture.all()
        #expect(groups.map(\.number) == Array(1...UInt64(stored)))
        var (head, check): (UInt64, UInt32) = (0, 0)
        for group in groups {
            #expect(group.headBefore == head && group.checkBefore == check)
            (head, check) = (group.head, group.records?.check ?? 0)
        }
        #expect(try fixture.reading.place()?.head == head)
    }

    @Test(
        "cursors, counters and reports are stored together, and once",
        arguments: GroupLogKind.allCases
    )
    func checkpoints(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        let log = try fixture.lead()
        let first = CheckpointBatch(
            number: 1,
            cursors: [Sample.cursor(1, 3, 4, 5), Sample.cursor(2, 1, 1, 1)],
            counters: [Sample.delta(1, .apple, .matched, 2), Sample.delta(2, nil, .sent, 9)]
        )
        try log.checkpoint(first, reports: NodeReports(["a": 4]))
        try log.checkpoint(first, reports: NodeReports(["a": 5]))
        #expect(log.place.checkpoint == 1 && log.place.reports == NodeReports(["a": 4]))
        let next = try fixture.lead()
        #expect(next.place.checkpoint == 1 && next.place.reports == NodeReports(["a": 4]))
        let second = CheckpointBatch(
            number: 2,
            forgotten: [Sample.cursor(2, 0, 0, 0).device],
            cursors: [Sample.cursor(1, 2, 8, 5)],
            counters: [Sample.delta(2, nil, .sent, 1)],
            countersFloor: 2
        )
        try next.checkpoint(second, reports: NodeReports())
        var cursors: [StoredCursor] = []
        try next.forEachCursor { cursors.append($0) }
        #expect(cursors == [Sample.cursor(1, 3, 8, 5)])
        #expect(try next.counters(of: 1).isEmpty)
        #expect(try next.counters(of: 2) == [Sample.delta(2, nil, .sent, 10)])
        #expect(next.place.countersFloor == 2 && next.place.feed == 0)
    }

    @Test("an epoch begins above a hole, and groups go on there", arguments: GroupLogKind.allCases)
    func epochs(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        let log = try fixture.lead()
        try log.append([], Sample.records(1...3))
        let check = log.place.headCheck
        let epoch = GroupEpoch(place: LogPlace(epoch: 8, sequence: 100), checkBelow: check)
        try log.begin(epoch)
        #expect(log.place.head == 99 && log.place.headCheck == check && log.place.feed == 1)
        #expect(try fixture.lead().place.epochs.map(\.place.sequence) == [1, 100])
        let next = try fixture.lead()
        try next.append([.remove(Sample.registration(1))], Sample.records(100...101))
        #expect(try fixture.all().map(\.headBefore) == [0, 99])
        #expect(try fixture.items().values.map(\.gone) == [100])
    }

    @Test(
        "a purge is never taken back, and reaches up to the head",
        arguments: GroupLogKind.allCases
    )
    func purge(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        let log = try fixture.lead()
        try log.append([], Sample.records(1...5))
        try log.purge(through: 3)
        try log.purge(through: 2)
        #expect(log.place.purged == 3)
        var settings = HubSettings(.standard)
        settings.purgedThrough = 4
        try log.append([.putSettings(settings)])
        #expect(log.place.purged == 4)
        try log.purge(through: .max)
        #expect(try fixture.lead().place.purged == 5)
    }

    @Test("rows that may go are removed; the others stay", arguments: GroupLogKind.allCases)
    func trim(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        let log = try fixture.lead()
        for number in 1...6 as ClosedRange<UInt64> {
            try log.append(
                [
                    .put(Sample.registration(UInt32(number) + 100)),
                    .remove(Sample.registration(UInt32(number))),
                    .putSchedule(Sample.schedule(number, key: number)),
                    .putDeparture(Sample.departure(number)),
                ],
                Sample.records(number * 2 - 1...number * 2)
            )
        }
        var extent = TrimExtent()
        // Within the third group, which stays whole.
        extent.first = 6
        extent.changesBelow = 5
        extent.keysBefore = Timestamp(milliseconds: 4)
        extent.departuresBelow = 6
        while try log.trim(extent) {}
        #expect(log.place.first == 6 && log.place.changesFirst == 5)
        let groups = try fixture.all()
        #expect(groups.map(\.number) == [3, 4, 5, 6])
        #expect(groups.map { $0.changes == nil } == [true, true, false, false])
        let items = try fixture.items().values
        func kept(_ kind: ItemKind) -> [UInt64] {
            items.filter { $0.key.kind == kind }.compactMap(\.gone).sorted()
        }
        #expect(kept(.registration) == [7, 9, 11])
        #expect(items.count { $0.key.kind == .registration && $0.gone == nil } == 6)
        #expect(kept(.scheduleKey) == [4, 5, 6])
        let read = try fixture.reading.groups(
            after: CopyPlace(feed: 6, head: 12, headCheck: 0),
            bytesMax: .max
        )
        #expect(read.oldestKey == Timestamp(milliseconds: 4))
        #expect(items.count { $0.key.kind == .schedule } == 6)
        #expect(kept(.departure) == [1_763_700_000_006])
        // Nothing comes back, and nothing above the end goes.
        extent.first = .max
        extent.changesBelow = 2
        while try log.trim(extent) {}
        #expect(log.place.first == 13 && log.place.changesFirst == 5)
        #expect(try fixture.all().map(\.number) == [5, 6])
    }
}

@Suite("A group log in doubt")
struct GroupLogDoubtTests {
    @Test(
        "a group is stored once, wherever its requests and answers go",
        arguments: 0..<60 as Range<UInt64>
    )
    func resolved(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let database = MemoryDatabase()
        let log = database.lead()
        try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        var (script, folded) = (StoreScript(seed: seed), FoldedGroups())
        var (batch, acknowledged): (UInt64, UInt64) = (0, 0)
        for _ in 0..<30 {
            let fates: [RequestFate] = [.answered, .lost, .answerLost, .late]
            database.expect((0..<3).map { _ in fates[random.below(fates.count)] })
            switch script.next(head: log.place.head) {
            case .commit(let changes, let records):
                let effect = GroupEffect(changes, head: log.place.head)
                let group = log.place.next(changes, records)
                try log.append(group, effect)
                folded.append(group, effect)
            case .checkpoint:
                batch += 1
                acknowledged += batch
                let counters = [Sample.delta(1, nil, .sent, batch)]
                try log.checkpoint(
                    CheckpointBatch(number: batch, counters: counters),
                    reports: NodeReports(["a": batch])
                )
            case .revoke: try log.purge(through: log.place.head / 2)
            case .forgetKeys: try log.probe()
            }
        }
        database.expect([])
        try log.probe()
        let reading = database.reading
        let place = CopyPlace(feed: 0, head: 0, headCheck: 0)
        #expect(try reading.groups(after: place, bytesMax: .max).groups == folded.groups)
        #expect(try reading.place() == log.place, "seed \(seed)")
        var items: [ItemKey: StoredItem] = [:]
        _ = try reading.items { items[$0.key] = $0 }
        #expect(items == folded.items, "seed \(seed)")
        let stored = try log.counters(of: 1).first?.count ?? 0
        #expect(stored == acknowledged, "seed \(seed)")
    }

    @Test("a group that was refused is not stored, and the log goes on")
    func refused() throws {
        let database = MemoryDatabase()
        let log = database.lead()
        try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        database.expect([.refused(.full)])
        #expect(throws: StoreError.full) { try log.append([], Sample.records(1...2)) }
        #expect(log.place.feed == 0)
        try log.append([], Sample.records(1...1))
        #expect(try database.reading.place()?.head == 1)
    }

    @Test("a database that was set back ends the lead")
    func setBack() throws {
        let database = MemoryDatabase()
        let log = database.lead()
        try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        try log.append([], Sample.records(1...2))
        let earlier = database.copy()
        try log.append([], Sample.records(3...4))
        database.setBack(to: earlier)
        #expect(throws: StoreError.fenced) { try log.append([], Sample.records(5...6)) }
        #expect(throws: StoreError.fenced) { try log.probe() }
        #expect(try database.reading.place()?.head == 2)
    }
}
