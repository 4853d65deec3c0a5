import HubMemory
import HubModel
import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Every store keeps the contract")
struct StoreContractTests {
    @Test("a new store is empty", arguments: StoreKind.allCases)
    func empty(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let contents = try Contents(of: try fixture.reopen())
        #expect(
            contents.bounds
                == LogBounds(
                    epoch: 7,
                    first: 1,
                    head: 0,
                    epochs: [LogPlace(epoch: 7, sequence: 1)]
                )
        )
        #expect(contents.checks == [0, nil])
        #expect(contents.registrations.isEmpty && contents.records.isEmpty)
        #expect(contents.cursors.isEmpty && contents.revocations.isEmpty)
        #expect(contents.schedules.isEmpty && contents.keys.isEmpty)
    }

    @Test("what was committed comes back byte for byte", arguments: StoreKind.allCases)
    func comesBack(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let registrations = [Sample.registration(1), Sample.registration(5)]
        let records = Sample.records(1...3)
        let result = store.commit(changes: registrations.map(StoredChange.put), records: records)
        #expect(result.changes == nil && result.records == nil)
        try store.checkpoint([Sample.cursor(2, 3, 4, 5)])
        try store.revoke(DeviceID(high: 1, low: 2), generation: 3)
        let before = try Contents(of: store)
        #expect(before.registrations == registrations.map(RegistrationCodec.encode))
        #expect(
            before.records
                == records.map { "\($0.sequence):".bytes + NotificationCodec.encode($0) }
        )
        #expect(before.checks == [0] + records.map(\.id.check) + [nil])
        #expect(before.numberMax == 5)
        #expect(before.cursors == [Sample.cursor(2, 3, 4, 5)])
        #expect(before.revocations == [DeviceID(high: 1, low: 2): 3])
        store = try fixture.reopen(epoch: 99)
        #expect(try Contents(of: store) == before)
    }

    @Test("a page is the lowest records within all four limits", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        _ = store.commit(changes: [], records: Sample.records(1...10))
        func page(
            _ after: UInt64,
            _ through: UInt64,
            limit: Int = .max,
            bytes: Int = .max
        ) throws -> [UInt64] {
            try store.reader.records(
                after: after,
                through: through,
                limit: limit,
                bytesMax: bytes
            ).map(\.sequence)
        }
        #expect(try page(0, 10) == Array(1...10))
        #expect(try page(3, 6) == [4, 5, 6])
        #expect(try page(3, 99, limit: 2) == [4, 5])
        #expect(try page(3, 3) == [])
        #expect(try page(10, .max) == [])
        #expect(try page(8, .max, bytes: 0) == [9])
        let cut = try page(0, 10, bytes: 200).count
        #expect((1..<10).contains(cut))
    }

    @Test(
        "a deleted registration leaves its id and slot, also beside a living one with the id",
        arguments: StoreKind.allCases
    )
    func tombstones(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let old = Sample.registration(1, id: "1-1-1")
        let new = Sample.registration(2, id: "1-1-1")
        let other = Sample.registration(3)
        _ = store.commit(changes: [.put(old), .put(other)], records: [])
        let second = store.commit(changes: [.remove(old), .put(new), .remove(other)], records: [])
        #expect(second.changes == nil)
        // Made and removed by one group: never stored alive.
        _ = store.commit(changes: [.remove(Sample.registration(4))], records: [])
        store = try fixture.reopen()
        var live: [[UInt8]] = []
        try store.forEachRegistration { live.append($0.id) }
        #expect(live == ["1-1-1".bytes])
        for id in ["1-1-1".bytes, other.id, "1-4-1".bytes] {
            #expect(try store.wasRegistrationDeleted(id: id))
        }
        #expect(try !store.wasRegistrationDeleted(id: "1-2-1".bytes))
        let device = try #require(old.target?.device)
        let last = try #require(try store.lastDeletedSlot(of: device, from: 0x0100))
        #expect(last.number == old.number && last.slot == 0x0100)
        #expect(try store.lastDeletedSlot(of: device, from: 0x0101) == nil)
        #expect(store.registrationNumberMax == 4)
    }

    @Test(
        "a cursor that is to be forgotten is gone; what comes behind counts again",
        arguments: StoreKind.allCases
    )
    func forgottenCursors(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        func found() throws -> [StoredCursor] {
            var found: [StoredCursor] = []
            try fixture.reopen().forEachCursor { found.append($0) }
            return found
        }
        let gone = [Sample.cursor(1, 1, 1, 1).device]
        let store = try fixture.reopen()
        try store.checkpoint(forgetting: gone, [])
        try store.checkpoint([Sample.cursor(1, 10, 20, 5), Sample.cursor(2, 1, 1, 1)])
        try store.checkpoint(forgetting: gone, [])
        #expect(try found() == [Sample.cursor(2, 1, 1, 1)])
        // Opening merges the journal: what is left of the word is not taken for a cursor.
        #expect(try found() == [Sample.cursor(2, 1, 1, 1)])
        let again = try fixture.reopen()
        try again.checkpoint([Sample.cursor(1, 9, 9, 9)])
        try again.checkpoint(forgetting: gone, [Sample.cursor(1, 2, 3, 4)])
        #expect(try found() == [Sample.cursor(1, 2, 3, 4), Sample.cursor(2, 1, 1, 1)])
    }

    @Test(
        "installations come back, replaced and removed by their id in any case",
        arguments: StoreKind.allCases
    )
    func installations(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let first = (1...4).map { Sample.installation($0) }
        let result = store.commit(
            changes: first.map(StoredChange.putInstallation) + [.put(Sample.registration(1))],
            records: []
        )
        #expect(result.changes == nil)
        store = try fixture.reopen()
        #expect(try Contents(of: store).installations == first)
        #expect(store.registrationNumberMax == 1)
        let anew = Sample.installation(7, id: "i-3", text: #"{"a":"b"}"#)
        let changes: [StoredChange] = [
            .removeInstallation(first[2]), .putInstallation(anew), .removeInstallation(first[0]),
            // Never stored: made and removed by one group.
            .removeInstallation(Sample.installation(8)),
            .putInstallation(Sample.installation(2, id: "i-2", text: "[]")),
        ]
        #expect(store.commit(changes: changes, records: []).changes == nil)
        store = try fixture.reopen()
        #expect(
            try Contents(of: store).installations
                == [Sample.installation(2, id: "i-2", text: "[]"), anew, first[3]]
        )
        #expect(store.registrationNumberMax == 1)
    }

    @Test("cursors merge by maximum, whatever the order", arguments: StoreKind.allCases)
    func cursors(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        try store.checkpoint([Sample.cursor(1, 10, 20, 5), Sample.cursor(2, 1, 1, 1)])
        try store.checkpoint([Sample.cursor(1, 12, 15, 3)])
        for _ in 0..<2 {
            var found: [StoredCursor] = []
            try store.forEachCursor { found.append($0) }
            #expect(found == [Sample.cursor(1, 12, 20, 5), Sample.cursor(2, 1, 1, 1)])
            store = try fixture.reopen()
        }
    }

    @Test(
        "cursors and counters of a batch are stored together, and once",
        arguments: StoreKind.allCases
    )
    func batches(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        #expect(store.checkpointNumber == 0)
        let batch = CheckpointBatch(
            number: 1,
            cursors: [Sample.cursor(1, 3, 4, 5)],
            counters: [
                Sample.delta(1, .apple, .matched, 2), Sample.delta(1, .gcm, .sent, 3),
                Sample.delta(1, nil, .fanOutMilliseconds, 250),
                Sample.delta(2, .xiaomi, .suppressed, 1 << 40),
            ]
        )
        try store.checkpoint(batch)
        store = try fixture.reopen()
        #expect(store.checkpointNumber == 1)
        // The same batch again, as after an answer that was lost.
        try store.checkpoint(batch)
        #expect(try store.counters(of: 1) == Array(batch.counters[..<3]))
        #expect(try store.counters(of: 2) == [batch.counters[3]])
        #expect(try store.counters(of: 3) == [])
        try store.checkpoint([
            Sample.delta(1, .apple, .matched, 5), Sample.delta(1, .apple, .acknowledged, 1),
        ])
        store = try fixture.reopen()
        #expect(
            try store.counters(of: 1) == [
                Sample.delta(1, .apple, .matched, 7), Sample.delta(1, .apple, .acknowledged, 1),
                Sample.delta(1, .gcm, .sent, 3), Sample.delta(1, nil, .fanOutMilliseconds, 250),
            ]
        )
        try store.checkpoint([Sample.delta(1, .apple, .opened, 1)], floor: 2)
        #expect(try store.counters(of: 1) == [])
        #expect(try store.counters(of: 2) == [batch.counters[3]])
        #expect(store.checkpointNumber == 3)
    }

    @Test("deleted registrations can be read back, the newest first", arguments: StoreKind.allCases)
    func deletedRegistrations(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        let both = [Sample.registration(1, id: "1-1-1"), Sample.registration(2, id: "1-1-1")]
        let other = Sample.registration(3)
        _ = store.commit(changes: (both + [other]).map(StoredChange.remove), records: [])
        let found = try store.deletedRegistrations(id: "1-1-1".bytes)
        #expect(found.map(\.number.raw) == [2, 1])
        #expect(
            found.map(RegistrationCodec.encode) == both.reversed().map(RegistrationCodec.encode)
        )
        let device = try #require(other.target?.device)
        #expect(try store.deletedRegistrations(of: device).map(\.number.raw) == [3])
        #expect(try store.deletedRegistrations(of: DeviceID(high: 0, low: 99)).isEmpty)
        #expect(try store.deletedRegistrations(id: "9-9-9".bytes).isEmpty)
    }

    @Test(
        "what was there at a place can be read back, in the order it went",
        arguments: StoreKind.allCases
    )
    func deletedSince(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        let epoch = store.bounds.epoch
        for number in 1...5 as ClosedRange<UInt32> {
            var gone = Sample.registration(number)
            // As the directory marks what ends: its tags hold until here.
            gone.tagsSince = LogPlace(epoch: epoch, sequence: UInt64(number))
            _ = store.commit(changes: [.remove(gone)], records: [Sample.record(UInt64(number))])
        }
        func numbers(_ sequence: UInt64, _ limit: Int) throws -> [UInt32] {
            try store.deletedRegistrations(since: sequence, limit: limit).map(\.number.raw)
        }
        #expect(try numbers(0, 10) == [1, 2, 3, 4, 5])
        #expect(try numbers(2, 10) == [3, 4, 5])
        #expect(try numbers(2, 2) == [3, 4])
        #expect(try numbers(5, 10) == [])
    }

    @Test("agrees with a model after random work", arguments: StoreKind.allCases, [1, 2])
    func random(kind: StoreKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = StoreFixture(kind)
        let model = MemoryStore(newEpoch: 7)
        var store = try fixture.reopen()
        var live: [UInt32] = []
        var numbers: UInt32 = 0
        for _ in 0..<60 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: store = try fixture.reopen()
            case 1:
                let device = UInt64.random(in: 0..<5, using: &random)
                let value = UInt64.random(in: 0..<100, using: &random)
                let batch = CheckpointBatch(
                    number: store.checkpointNumber + 1,
                    cursors: [Sample.cursor(device, value, value + 5, value)],
                    counters: [Sample.delta(max(1, value % 8), .apple, .sent, value + 1)],
                    countersFloor: value % 3
                )
                try store.checkpoint(batch)
                try model.checkpoint(batch)
            default:
                var changes: [StoredChange] = []
                for _ in 0..<Int.random(in: 0..<5, using: &random) {
                    let index = live.isEmpty ? nil : live.indices.randomElement(using: &random)
                    if let index, Bool.random(using: &random) {
                        changes.append(.remove(Sample.registration(live.remove(at: index))))
                    } else {
                        numbers += 1
                        live.append(numbers)
                        changes.append(.put(Sample.registration(numbers)))
                    }
                }
                for _ in 0..<Int.random(in: 0..<3, using: &random) {
                    let number = UInt32.random(in: 0..<6, using: &random)
                    let installation = Sample.installation(number, text: "\(numbers)")
                    changes.append(
                        Bool.random(using: &random)
                            ? .putInstallation(installation) : .removeInstallation(installation)
                    )
                }
                let head = store.bounds.head
                let count = UInt64.random(in: 0..<6, using: &random)
                let records = count == 0 ? [] : Sample.records(head + 1...head + count, salt: seed)
                let result = store.commit(changes: changes, records: records)
                #expect(result.changes == nil && result.records == nil, "seed \(seed)")
                _ = model.commit(changes: changes, records: records)
            }
        }
        #expect(try Contents(of: store) == Contents(of: model), "seed \(seed)")
        #expect(try Contents(of: try fixture.reopen()) == Contents(of: model), "seed \(seed)")
    }

    @Test("readers on other threads see whole commits, in order", arguments: StoreKind.allCases)
    func concurrentReads(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        let reader = store.reader
        let readers = (0..<2).map { _ in
            ThreadWork { () throws -> [String] in
                var problems: [String] = []
                var last = 0
                while last < 400 {
                    let found = try reader.records(
                        after: 0,
                        through: .max,
                        limit: .max,
                        bytesMax: .max
                    ).map(\.sequence)
                    if found != Array(1...UInt64(found.count + 1)).dropLast() {
                        problems.append("holes in \(found)")
                    }
                    if found.count % 4 != 0 { problems.append("half a commit: \(found.count)") }
                    if found.count < last { problems.append("fewer than before") }
                    last = found.count
                }
                return problems
            }
        }
        for group in 0..<UInt64(100) {
            let result = store.commit(
                changes: [],
                records: Sample.records(group * 4 + 1...group * 4 + 4)
            )
            #expect(result.records == nil)
        }
        for reader in readers { #expect(try reader.value() == []) }
    }
}

@Suite("Faults of the memory store")
struct MemoryFaultTests {
    @Test("each part is refused by itself and leaves nothing behind")
    func faults() throws {
        let disk = MemoryDisk()
        let store = MemoryStore(disk: disk, newEpoch: 7)
        let before = try Contents(of: store)
        disk.setFaults(MemoryFaults(changes: .full, records: .unavailable(reason: "away")))
        let result = store.commit(
            changes: [.put(Sample.registration(1))],
            records: Sample.records(1...2)
        )
        #expect(result.changes == .full)
        #expect(result.records == .unavailable(reason: "away"))
        #expect(try Contents(of: store) == before)
        disk.setFaults(MemoryFaults(cursors: .full, reads: .full))
        #expect(throws: StoreError.full) { try store.checkpoint([Sample.cursor(1, 1, 1, 1)]) }
        #expect(throws: StoreError.full) { try store.counters(of: 1) }
        #expect(throws: StoreError.full) { try store.registrations([RegistrationNumber(1)]) }
        #expect(throws: StoreError.full) { try store.wasRegistrationDeleted(id: []) }
        #expect(throws: StoreError.full) { try store.lastDeletedSlot(of: .none, from: 0) }
        #expect(throws: StoreError.full) { try store.reader.check(at: 1) }
        disk.setFaults(MemoryFaults())
        #expect(try Contents(of: store) == before)
    }
}
