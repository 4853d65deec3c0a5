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
