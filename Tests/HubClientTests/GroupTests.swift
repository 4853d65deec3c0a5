import HubClient
import HubVocabulary
import HubWire
import Testing

@Suite("Groups")
struct GroupTests {
    typealias Entry = HubScript.Entry

    @Test("the position moves only with the last entry of a group")
    func position() {
        let device = ScriptedDevice.ready()
        device.hub(
            HubScript.deliver(
                after: 0,
                [Entry(sequence: 3, slot: 0, continues: true), Entry(sequence: 3, slot: 4)]
            )
        )
        #expect(device.store.waiting.map(\.slot) == [0, 4])
        #expect(device.store.state.position.sequence == 3)
        #expect(device.store.state.openGroup == nil)
    }

    @Test("a group goes on in the next frame")
    func twoFrames() {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 3, slot: 0, continues: true)]))
        device.advance(by: .seconds(1))
        #expect(device.acknowledged == [])
        #expect(device.store.state.position.sequence == 0)
        #expect(device.store.state.openGroup == OpenGroup(sequence: 3, slots: [0]))
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 3, slot: 4)]))
        #expect(device.store.waiting.map(\.slot) == [0, 4])
        device.advance(by: .seconds(1))
        #expect(device.acknowledged == [3])
    }

    @Test("a group that was cut off is delivered again without repeating what is stored")
    func redelivered() {
        let device = ScriptedDevice.ready()
        let group = [
            Entry(sequence: 3, slot: 0, continues: true),
            Entry(sequence: 3, slot: 4, continues: true),
            Entry(sequence: 3, slot: 7),
        ]
        device.hub(HubScript.deliver(after: 0, Array(group.prefix(2))))
        // The process dies: only what the store holds goes on.
        let next = ScriptedDevice(device.store)
        next.open()
        next.hub(HubScript.welcome(.resumed, withKey: false))
        next.hub(HubScript.deliver(after: 0, group + [Entry(sequence: 5)]))
        #expect(next.store.waiting.map(\.slot) == [0, 4, 7, 0])
        #expect(next.stored == [3, 3, 3, 5])
        #expect(next.store.state.position.sequence == 5)
    }

    @Test("a later sequence number ends the memory of an open group")
    func abandoned() {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 3, slot: 0, continues: true)]))
        device.reopen()
        device.hub(HubScript.welcome(.resumed, withKey: false))
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 4, slot: 0)]))
        #expect(device.stored == [3, 4])
        #expect(device.store.state.openGroup == nil)
    }

    @Test(
        "each WELCOME but RESUMED at the device's own place ends an open group. [S-3]",
        arguments: [.fresh, .resumed, .gap, .reset] as [ResumeOutcome]
    )
    func ended(outcome: ResumeOutcome) {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 3, slot: 0, continues: true)]))
        device.reopen()
        device.hub(HubScript.welcome(outcome, sequence: 1, withKey: false))
        // Another notification has that number now.
        let other = Entry(sequence: 3, slot: 0, parcel: HubScript.parcel(40))
        device.hub(HubScript.deliver(after: 1, [other]))
        let expected = [HubScript.id(3), HubScript.id(40)]
        #expect(device.store.waiting.map(\.id.low) == expected.map(\.low))
    }

    /// A log in which a sequence number may match one to three slots.
    private static func log(_ random: inout SeededRandom) -> [[Entry]] {
        var log: [[Entry]] = []
        var sequence: UInt64 = 0
        for _ in 0..<40 {
            sequence += UInt64.random(in: 1...4, using: &random)
            let slots = [0, 3, 9].prefix(Int.random(in: 1...3, using: &random))
            log.append(
                slots.enumerated().map { index, slot in
                    Entry(
                        sequence: sequence,
                        slot: UInt16(slot),
                        continues: index < slots.count - 1
                    )
                }
            )
        }
        return log
    }

    @Test(
        "whatever is cut off, lost or crashes, each entry is stored exactly once and in order",
        arguments: 0..<20
    )
    func exactlyOnce(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let log = Self.log(&random)
        let store = MemoryDeviceStore()
        var rounds = 0
        while store.state.position.sequence < log[39][0].sequence {
            rounds += 1
            #expect(rounds < 500, "seed \(seed)")
            guard rounds < 500 else { return }
            let device = ScriptedDevice(store, seed: seed + UInt64(rounds))
            device.open()
            let start = store.state.position
            let isNew = start.epoch == 0
            var bytes = HubScript.welcome(
                isNew ? .fresh : .resumed,
                sequence: start.sequence,
                check: start.check,
                withKey: isNew
            )
            var previous = start.sequence
            for group in log where group[0].sequence > start.sequence {
                // A frame may end inside a group.
                let cut = Int.random(in: 0...group.count, using: &random)
                for part in [group[..<cut], group[cut...]] where !part.isEmpty {
                    bytes += HubScript.deliver(after: previous, Array(part))
                }
                previous = group[0].sequence
            }
            // The connection breaks, or the store fails, somewhere in the stream.
            let isWhole = Int.random(in: 0..<5, using: &random) == 0
            let end = isWhole ? bytes.count : Int.random(in: 0...bytes.count, using: &random)
            var rest = bytes.prefix(end)
            while !rest.isEmpty, device.departure == nil {
                device.commitFails = Int.random(in: 0..<12, using: &random) == 0
                let piece = rest.prefix(Int.random(in: 1...600, using: &random))
                device.hub(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
        }
        let expected = log.joined().map { "\($0.sequence)/\($0.slot)" }
        let stored = store.waiting.map { "\($0.sequence ?? 0)/\($0.slot)" }
        #expect(stored == expected, "seed \(seed)")
    }
}
