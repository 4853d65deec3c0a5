import HubHistory
import HubVocabulary
import Testing

@Suite("Numbers over time")
struct HistoryRingTests {
    private static let start: UInt64 = 1_777_885_200

    private func time(_ seconds: UInt64) -> Timestamp {
        Timestamp(milliseconds: (Self.start + seconds) * 1_000)
    }

    private func values(
        _ ring: HistoryRing,
        _ step: HistoryRing.Step = .fine,
        since: UInt64? = nil
    ) -> [Double?] {
        ring.page(step, of: ["a"], since: since.map(time)).series["a"] ?? []
    }

    @Test("are kept by their step, the last one of each, with holes")
    func steps() {
        var ring = HistoryRing(names: ["a", "b"])
        #expect(values(ring) == [])
        for (seconds, value) in [(0, 1), (4, 2), (5, 3), (20, 4), (19, 9), (61, 5)] {
            ring.add([Double(value), -Double(value)], at: time(UInt64(seconds)))
        }
        let kept: [Double?] = [2, 3, nil, nil, 4] + Array(repeating: nil, count: 7) + [5]
        #expect(Array(values(ring).suffix(13)) == kept)
        #expect(values(ring).count == HistoryLimits.fine.slots)
        #expect(values(ring, since: 20) == Array(kept.dropFirst(4)))
        #expect(values(ring, since: 10_000) == [5])
        #expect(Array(values(ring, .coarse).suffix(3)) == [nil, 4, 5])
        let page = ring.page(.coarse, of: ["b", "c"], since: time(0))
        #expect(page.first == time(0) && page.stepSeconds == 60 && page.series == ["b": [-4, -5]])
    }

    @Test("are exact, so that what grew is not lost in a large number")
    func large() {
        var ring = HistoryRing(names: ["a"])
        ring.add([1_000_000_000], at: time(0))
        ring.add([1_000_000_005], at: time(5))
        #expect(values(ring).suffix(2) == [1_000_000_000, 1_000_000_005])
    }

    @Test("are kept for an hour and a day, and no longer", arguments: HistoryRing.Step.allCases)
    func limits(_ step: HistoryRing.Step) {
        let size = step == .fine ? HistoryLimits.fine : HistoryLimits.coarse
        for extra in [0, 1] {
            var ring = HistoryRing(names: ["a"])
            for slot in 0..<(size.slots + extra) {
                ring.add([Double(slot)], at: time(UInt64(slot * size.seconds)))
            }
            let found = values(ring, step)
            #expect(found.count == size.slots)
            #expect(found.first == Double(extra) && found.last == Double(size.slots + extra - 1))
        }
    }

    @Test("of before a long silence are gone")
    func silence() {
        for gap in [HistoryLimits.fine.slots - 1, HistoryLimits.fine.slots, 100_000] {
            var ring = HistoryRing(names: ["a"])
            ring.add([1], at: time(0))
            ring.add([2], at: time(UInt64(gap * HistoryLimits.fine.seconds)))
            let found = values(ring).compactMap { $0 }
            #expect(found == (gap < HistoryLimits.fine.slots ? [1, 2] : [2]), "\(gap)")
        }
    }
}
