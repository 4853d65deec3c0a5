import HubTables
import HubTestSupport
import HubVocabulary
import Testing

@Suite("The table of sessions")
struct SessionTableTests {
    private static func session(_ device: UInt64, _ generation: UInt64) -> SessionTable.Session {
        SessionTable.Session(
            // Few different low halves, so that many of them begin their search at one entry.
            device: DeviceID(high: device, low: device % 5),
            address: ConnectionAddress(
                shard: 0,
                connection: ConnectionID(slot: 0, generation: UInt32(generation))
            ),
            generation: generation,
            instance: 1,
            now: Instant(nanoseconds: 1)
        )
    }

    @Test("holds the last session of each device, and shows each once", arguments: 1...20)
    func model(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var table = SessionTable(seed: UInt64(seed))
        var model: [DeviceID: UInt64] = [:]
        for step in 1...2_000 as ClosedRange<UInt64> {
            let drawn = Self.session(UInt64(1 + random.below(60)), step)
            if random.below(2) == 0 {
                table.put(drawn)
                model[drawn.device] = step
            } else {
                table.remove(drawn.device)
                model[drawn.device] = nil
            }
            #expect(table[drawn.device]?.generation == model[drawn.device])
            #expect(table.count == model.count)
            guard step.isMultiple(of: 50) else { continue }
            var shown: [DeviceID] = []
            var place = 0
            while place < table.placeCount {
                var left = 3
                place = table.forEach(from: place, looking: 7) { device in
                    shown.append(device)
                    left -= 1
                    return left > 0
                }
            }
            #expect(shown.sorted() == model.keys.sorted(), "step \(step)")
        }
    }
}
