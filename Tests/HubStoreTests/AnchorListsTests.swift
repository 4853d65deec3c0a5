import HubModel
@testable import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Lists of records by anchor")
struct AnchorListsTests {
    @Test(
        "give the lowest records of each anchor within both bounds",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var lists = AnchorLists()
        var model: [(sequence: UInt64, anchors: Set<UInt64>)] = []
        var sequence: UInt64 = 0
        for _ in 0..<Int.random(in: 0..<200, using: &random) {
            sequence += 1 + UInt64(Int.random(in: 0..<3, using: &random))
            let anchors = Set(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    UInt64(Int.random(in: 0..<9, using: &random)) &* .max / 7
                }
            )
            lists.append(sequence, anchors: anchors.sorted().map { AnchorKey(raw: $0) })
            model.append((sequence, anchors))
        }
        #expect(lists.count == model.reduce(0) { $0 + $1.anchors.count })
        #expect(lists.anchors == Set(model.flatMap(\.anchors)).sorted())
        for anchor in lists.anchors {
            let expected = model.filter { $0.anchors.contains(anchor) }.map(\.sequence)
            #expect(lists.sequences(of: anchor) == expected, "seed \(seed)")
            let after = UInt64(Int.random(in: 0..<Int(sequence) + 2, using: &random))
            let through = after + UInt64(Int.random(in: 0..<50, using: &random))
            let limit = Int.random(in: 0..<10, using: &random)
            var found: [UInt64] = []
            lists.collect(
                [AnchorKey(raw: anchor)],
                after: after,
                through: through,
                limit: limit,
                into: &found
            )
            let within = expected.filter { $0 > after && $0 <= through }
            #expect(found == Array(within.prefix(limit)), "seed \(seed)")
        }
        #expect(lists.sequences(of: 1 << 40) == [])
    }

    @Test("many anchors, most with one record, are found again, also behind a hole in the numbers")
    func many() {
        var random = SeededGenerator(seed: 35)
        var lists = AnchorLists()
        var model: [UInt64: [UInt64]] = [:]
        var sequence: UInt64 = 7
        for number in 0..<5_000 {
            sequence += number % 1_000 == 999 ? 1 << 33 : 1
            // The last four fifths are near one another, as names that were chosen may be.
            let isNear = number > 1_000
            let anchor = UInt64.random(in: 0...(isNear ? 5_000 : .max), using: &random)
            lists.append(sequence, anchors: [AnchorKey(raw: anchor)])
            model[anchor, default: []].append(sequence)
        }
        #expect(lists.count == 5_000 && lists.anchors == model.keys.sorted())
        #expect(model.allSatisfy { lists.sequences(of: $0) == $1 })
        var found: [UInt64] = []
        let all = model.keys.sorted().map { AnchorKey(raw: $0) }
        lists.collect(all, after: 8, through: sequence - 1, limit: 1, into: &found)
        let first = model.values.compactMap { $0.first { $0 > 8 && $0 < sequence } }
        #expect(found.sorted() == first.sorted())
        #expect(lists.sequences(of: 1 << 62 | 1) == [] && AnchorLists().sequences(of: 1) == [])
    }

    @Test("places are put in order, each once, and cut")
    func sortUnique() {
        func sorted(_ places: [UInt64], limit: Int) -> (places: [UInt64], isCut: Bool) {
            var places = places
            let isCut = places.sortUnique(limit: limit)
            return (places, isCut)
        }
        #expect(sorted([5, 1, 5, 3, 1], limit: 3) == ([1, 3, 5], false))
        #expect(sorted([5, 1, 5, 3, 1], limit: 2) == ([1, 3], true))
        #expect(sorted([], limit: 0) == ([], false))
    }
}

@Suite("Headers of a group")
struct BatchHeadersTests {
    @Test("read back as they were written, and nothing else is read")
    func roundTrip() throws {
        let records = (1...3).map { number in
            Sample.record(
                number,
                at: number,
                living: number * 5,
                anchors: (0..<number).map { AnchorKey(raw: $0 << 50) }
            )
        }
        let bytes = BatchHeaders(records).bytes
        let read = try #require(BatchHeaders(bytes))
        #expect(read.entries.map(\.anchors) == records.map(\.anchors))
        #expect(read.entries.map(\.expires) == records.map(\.expires))
        #expect(read.bytes == bytes)
        var whole = 0
        for count in 0..<bytes.count {
            if let part = BatchHeaders(Array(bytes[..<count])) {
                #expect(part.bytes == Array(bytes[..<count]))
                whole += 1
            }
        }
        #expect(whole == 3)
    }
}

@Suite("A clock that leaps")
struct TrustedClockTests {
    private func now(_ instant: UInt64, _ time: UInt64) -> Now {
        Now(
            instant: Instant(nanoseconds: instant * 1_000_000_000),
            time: Timestamp(milliseconds: time * 1_000)
        )
    }

    @Test("is doubted at start and after a leap forward, and followed backwards at once")
    func leaps() {
        var clock = TrustedClock(doubtMilliseconds: 600_000)
        func seconds(_ instant: UInt64, _ time: UInt64) -> UInt64? {
            clock.time(now(instant, time)).map { $0.milliseconds / 1_000 }
        }
        #expect(seconds(0, 10_000) == nil)
        #expect(seconds(599, 10_599) == nil)
        #expect(seconds(600, 10_600) == 10_600)
        // A minute more than expected is no leap; what is above is, and is not followed.
        #expect(seconds(601, 10_661) == 10_661)
        #expect(seconds(602, 90_000) == 10_662)
        #expect(seconds(700, 90_098) == 10_760)
        // Gone back before the doubt was over: as if nothing had been.
        #expect(seconds(701, 10_761) == 10_761)
        #expect(seconds(702, 90_000) == 10_762)
        // A second leap is doubted from then on.
        #expect(seconds(1_200, 500_000) == 11_260)
        #expect(seconds(1_799, 500_599) == 11_859)
        #expect(seconds(1_800, 500_600) == 500_600)
        #expect(seconds(1_801, 7) == 7)
    }

    @Test("is believed at once where nothing is to be doubted")
    func trusting() {
        var clock = TrustedClock(doubtMilliseconds: 0)
        #expect(clock.time(now(0, 5)) == Timestamp(milliseconds: 5_000))
        #expect(clock.time(now(1, 5_000)) == Timestamp(milliseconds: 5_000_000))
        #expect(clock.time(now(2, 1)) == Timestamp(milliseconds: 1_000))
    }
}
