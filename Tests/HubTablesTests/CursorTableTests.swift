import HubModel
import HubTables
import HubTestSupport
import HubVocabulary
import Testing

@Suite("The table of cursors")
struct CursorTableTests {
    private static func cursor(_ device: UInt64, _ value: UInt64) -> StoredCursor {
        StoredCursor(
            // Few different low halves, so that many of them begin their search at one entry.
            device: DeviceID(high: device, low: device % 7),
            acknowledged: value,
            scannedThrough: value,
            lastSeen: Timestamp(milliseconds: 1)
        )
    }

    @Test("holds what a dictionary holds, and hands out what changed once", arguments: 1...20)
    func model(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var table = CursorTable(seed: UInt64(seed))
        var model: [DeviceID: StoredCursor] = [:]
        var changed: Set<DeviceID> = []
        for step in 0..<4_000 {
            let drawn = Self.cursor(UInt64.random(in: 1...300, using: &random), UInt64(step))
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<11:
                let isChanged = Bool.random(using: &random)
                #expect(
                    table.put(drawn, isChanged: isChanged)
                        == model.updateValue(drawn, forKey: drawn.device)
                )
                if isChanged { changed.insert(drawn.device) }
            case 11..<19:
                #expect(table.remove(drawn.device) == model.removeValue(forKey: drawn.device))
                changed.remove(drawn.device)
            default:
                table.reserve(Int.random(in: 0...2 * model.count + 9, using: &random))
                #expect(table.changedCount == changed.count)
                #expect(table.takeChanged() == changed.sorted().compactMap { model[$0] })
                changed.removeAll()
            }
            #expect(table[drawn.device] == model[drawn.device], "step \(step)")
            #expect(table.count == model.count)
        }
        let found = (0..<table.placeCount).compactMap { table.cursor(at: $0) }
        #expect(found.count == model.count)
        for cursor in found { #expect(model[cursor.device] == cursor) }
        var walked: [StoredCursor] = []
        var next = 0
        while next < table.placeCount {
            var left = 5
            next = table.forEach(from: next, looking: 40) { cursor in
                walked.append(cursor)
                left -= 1
                return left > 0
            }
        }
        #expect(walked == found)
        (walked, next) = ([], 0)
        while next < table.placeCount {
            next = table.withPlaces(from: next, looking: 40) { places in
                for place in places.indices where places[place].device != .none {
                    walked.append(places[place])
                }
            }
        }
        #expect(walked == found)
        // Behind the last one there is none, also where devices went since.
        var count = -1
        let end = table.withPlaces(from: next + 9, looking: 40) { count = $0.count }
        #expect(count == 0 && end == table.placeCount)
        // Places are used again.
        #expect(table.placeCount <= 300)
    }

    @Test("takes devices that come ascending, and then in any order")
    func ascending() {
        var table = CursorTable(seed: 1)
        for device in 1...100 as ClosedRange<UInt64> {
            #expect(table.put(Self.cursor(device, device), isChanged: false) == nil)
        }
        for device in (1...100 as ClosedRange<UInt64>).reversed() {
            let former = table.put(Self.cursor(device, device + 1), isChanged: true)
            #expect(former == Self.cursor(device, device))
        }
        #expect(table.count == 100 && table.changedCount == 100)
        #expect(table.remove(Self.cursor(100, 0).device) != nil)
        #expect(table.put(Self.cursor(100, 7), isChanged: false) == nil)
        #expect(table.put(Self.cursor(100, 8), isChanged: false) == Self.cursor(100, 7))
    }
}
