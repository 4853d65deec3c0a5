import HubMemory
import HubModel
import HubStore
import Testing

@Suite("Every store keeps the journal of departures")
struct DepartureContractTests {
    /// Puts rows with these numbers, each at as many milliseconds.
    private func put(_ numbers: ClosedRange<UInt64>, _ store: any HubStorage) {
        let rows = numbers.map { Sample.departure($0, time: $0) }
        #expect(
            store.commit(changes: rows.map(StoredChange.putDeparture), records: []).changes == nil
        )
    }

    @Test("rows come back whole and in order, some at a time", arguments: StoreKind.allCases)
    func comeBack(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        #expect(try store.departureNumbers() == nil)
        #expect(try store.departures(from: 0, limit: 9).isEmpty)
        let rows = (1...8).map { Sample.departure($0) }
        // In the same transaction as what they are about.
        let result = store.commit(
            changes: [.put(Sample.registration(1)), .remove(Sample.registration(1))]
                + rows.map(StoredChange.putDeparture),
            records: []
        )
        #expect(result.changes == nil)
        for _ in 0..<2 {
            #expect(try store.departureNumbers() == 1...8)
            #expect(try store.departures(from: 0, limit: 100) == rows)
            #expect(try store.departures(from: 3, limit: 2) == Array(rows[2...3]))
            #expect(try store.departures(from: 9, limit: 2).isEmpty)
            store = try fixture.reopen()
        }
    }

    private func tidy(
        _ store: any HubStorage,
        at time: UInt64,
        keptSeconds: UInt64 = 1_000,
        max: UInt64 = 1_000
    ) throws {
        var retention = RecordRetention(keptSeconds: 1 << 40)
        retention.departuresKeptSeconds = keptSeconds
        retention.departuresMax = max
        while try store.tidy(now: .at(time), retention: retention).hasMore {}
    }

    @Test("the oldest of too many go, and not one more", arguments: StoreKind.allCases)
    func tooMany(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        put(1...20, store)
        try tidy(store, at: 20, max: 20)
        #expect(try store.departureNumbers() == 1...20)
        put(21...21, store)
        try tidy(store, at: 20, max: 20)
        #expect(try store.departureNumbers() == 2...21)
        try tidy(store, at: 20, max: 3)
        store = try fixture.reopen()
        #expect(try store.departureNumbers() == 19...21)
        try tidy(store, at: 20, max: 0)
        #expect(try store.departureNumbers() == nil)
    }

    @Test("rows go when their time is over, and not before", arguments: StoreKind.allCases)
    func tooOld(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        put(1...20, store)
        try tidy(store, at: 1_001, keptSeconds: 1)
        #expect(try store.departureNumbers() == 1...20)
        try tidy(store, at: 1_015, keptSeconds: 1)
        #expect(try store.departureNumbers() == 15...20)
        store = try fixture.reopen()
        try tidy(store, at: 9_000, keptSeconds: 1)
        #expect(try store.departureNumbers() == nil)
    }

    @Test("SQLite forgets many some at a time")
    func inSteps() throws {
        let fixture = StoreFixture(.sqlite)
        fixture.limits.rowsPerStep = 160
        let store = try fixture.reopen()
        put(1...25, store)
        var retention = RecordRetention(keptSeconds: 1 << 40)
        retention.departuresMax = 2
        #expect(try store.tidy(now: .at(0), retention: retention).hasMore)
        #expect(try store.departureNumbers() == 11...25)
        #expect(try store.tidy(now: .at(0), retention: retention).hasMore)
        #expect(try !store.tidy(now: .at(0), retention: retention).hasMore)
        #expect(try store.departureNumbers() == 24...25)
    }

    @Test("what the memory store refuses leaves no row")
    func refused() throws {
        let disk = MemoryDisk()
        let store = MemoryStore(disk: disk, newEpoch: 7)
        disk.setFaults(MemoryFaults(changes: .full))
        #expect(
            store.commit(changes: [.putDeparture(Sample.departure(1))], records: []).changes
                == .full
        )
        #expect(try store.departureNumbers() == nil)
        disk.setFaults(MemoryFaults(reads: .full))
        #expect(throws: StoreError.full) { try store.departureNumbers() }
        #expect(throws: StoreError.full) { try store.departures(from: 1, limit: 1) }
    }

    @Test("a damaged row is found, by reading it and by verification")
    func damaged() throws {
        let fixture = StoreFixture(.sqlite)
        put(1...3, try fixture.reopen())
        fixture.close()
        let file = fixture.path + "/registrations.sqlite"
        try edit(file, "UPDATE departure SET time = time + 1 WHERE number = 2")
        let store = try fixture.reopen()
        #expect(throws: StoreError.corrupted("\(file): departure 2")) {
            try store.departures(from: 1, limit: 3)
        }
        #expect(try store.departures(from: 3, limit: 1) == [Sample.departure(3, time: 3)])
        fixture.close()
        let found = try StoreVerification.of(fixture.path) { _ in }
        #expect(found.faults == ["\(file): departure 2 is damaged"])
    }
}
