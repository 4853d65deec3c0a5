import HubModel
import HubStore
import HubVocabulary
import Testing

@Suite("What every store says of registrations")
struct RegistrationContractTests {
    @Test(
        "the slot of a device's newest deleted registration is told, of those asked for",
        arguments: StoreKind.allCases
    )
    func deletedSlots(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        let device = DeviceID(high: 4, low: 5)
        let slots: [UInt16] = [0x0105, 0x0103, 3, 0x0101, 0]
        let all = slots.enumerated().map { index, slot in
            var registration = Sample.registration(UInt32(index + 1))
            registration.target = RegistrationTarget(device: device, slot: slot)
            return registration
        }
        _ = store.commit(changes: all.map(StoredChange.put), records: [])
        #expect(try store.lastDeletedSlot(of: device, from: 0) == nil)
        _ = store.commit(changes: all[0...1].map(StoredChange.remove), records: [])
        #expect(try store.lastDeletedSlot(of: device, from: 0x0100)?.slot == 0x0103)
        _ = store.commit(changes: all[2...].map(StoredChange.remove), records: [])
        #expect(try store.lastDeletedSlot(of: device, from: 0x0100)?.slot == 0x0101)
        #expect(try store.lastDeletedSlot(of: device, from: 0x0102)?.slot == 0x0103)
        #expect(try store.lastDeletedSlot(of: device, from: 0)?.number.raw == 5)
        #expect(try store.lastDeletedSlot(of: DeviceID(high: 4, low: 6), from: 0) == nil)
    }

    @Test(
        "live registrations are read by number, in the order asked, as of the last commit",
        arguments: StoreKind.allCases
    )
    func readByNumber(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let all = (1...5).map { Sample.registration($0) }
        _ = store.commit(changes: all.map(StoredChange.put), records: [])
        func read(_ numbers: [UInt32]) throws -> [[UInt8]] {
            try store.registrations(numbers.map { RegistrationNumber($0) })
                .map(RegistrationCodec.encode)
        }
        func stored(_ numbers: [Int]) -> [[UInt8]] {
            numbers.map { RegistrationCodec.encode(all[$0 - 1]) }
        }
        #expect(try read([4, 1, 4, 9, 5]) == stored([4, 1, 4, 5]))
        #expect(try read([]) == [])
        let changed = Sample.registration(4, tags: ["other"], sequence: 2)
        _ = store.commit(changes: [.remove(all[0]), .put(changed)], records: [])
        for _ in 0..<2 {
            #expect(try read([5, 4, 1]) == stored([5]) + [RegistrationCodec.encode(changed)])
            store = try fixture.reopen()
        }
    }

    @Test(
        "of ascending numbers those that live are read, whatever lies between them",
        arguments: StoreKind.allCases
    )
    func readAscending(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        let all = (1...60).map { Sample.registration($0) }
        _ = store.commit(changes: all.map(StoredChange.put), records: [])
        let gone: Set<UInt32> = [1, 20, 21, 60]
        let removed = all.filter { gone.contains($0.number.raw) }
        _ = store.commit(changes: removed.map(StoredChange.remove), records: [])
        let questions: [[UInt32]] = [
            Array(1...60), [2], [19, 20, 21, 22], [20, 21], [2, 5, 6, 9, 13], [2, 59],
            [58, 59, 61], [2, 6], [2, 9], [2, 10], [3, 3, 4],
        ]
        for numbers in questions {
            let found = try store.registrations(numbers.map { RegistrationNumber($0) })
            let live = numbers.filter { !gone.contains($0) && $0 <= 60 }
            #expect(found.map(\.number.raw) == live)
            let wanted = live.map { RegistrationCodec.encode(all[Int($0) - 1]) }
            #expect(found.map(RegistrationCodec.encode) == wanted)
        }
    }

    @Test(
        "what indexes need stands in the bytes that a store hands out at start",
        arguments: StoreKind.allCases
    )
    func storedBytes(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        let all = (1...40).map { Sample.registration($0) }
        _ = store.commit(changes: all.map(StoredChange.put), records: [])
        _ = store.commit(changes: [.remove(all[6])], records: [])
        var found: [UInt32] = []
        try store.forEachStoredRegistration { bytes throws(RecordProblem) in
            found.append(try RegistrationOutline(bytes).number.raw)
        }
        #expect(found == (1...40).filter { $0 != 7 })
        #expect(throws: StoreError.self) {
            try store.forEachStoredRegistration { _ throws(RecordProblem) in
                throw .badField("number")
            }
        }
    }
}
