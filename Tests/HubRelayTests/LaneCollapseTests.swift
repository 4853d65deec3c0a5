import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Of two notifications with one collapse key the newer is enough, for the devices of both.
@Suite("Collapse in a lane")
struct LaneCollapseTests {
    static let success = LaneEnd.service(.success)

    @Test("one for now or never neither replaces nor is replaced")
    func transient() {
        var limits = LaneLimits()
        limits.requestsMax = 1
        var bench = LaneBench(limits)
        bench.commit(LaneBench.record(1, [9]))
        bench.commit(
            LaneBench.record(2, [1], collapse: 5),
            LaneBench.record(3, [1], accepted: 1_000, transient: true, collapse: 5),
            LaneBench.record(4, [2], accepted: 1_000, transient: true, collapse: 5),
            LaneBench.record(5, [2], collapse: 5)
        )
        bench.drain()
        #expect(bench.sent.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(bench.store() == [Self.success: 5])
    }

    /// A lane whose service is away while two records with one key come.
    private static func behind(
        _ limits: LaneLimits,
        _ older: [UInt32],
        _ newer: [UInt32]
    ) -> LaneBench {
        var bench = LaneBench(limits)
        bench.commit(LaneBench.record(1, [9_999]))
        bench.answer(.stall(retryAfter: 60), .pnsUnavailable)
        bench.commit(LaneBench.record(2, older, collapse: 5))
        bench.commit(LaneBench.record(3, newer, collapse: 5))
        return bench
    }

    @Test(
        "a newer notification replaces an older one for its own devices alone",
        arguments: [1_000, 2, 40]
    )
    func audiences(matchesOfSmallMax: Int) throws {
        var limits = LaneLimits()
        limits.matchesOfSmallMax = matchesOfSmallMax
        var bench = Self.behind(limits, Array(1...100), Array(31...200))
        let stored = bench.lane.checkpoint()
        let mark = try #require(stored).mark
        let open = try #require(mark.open.first { $0.sequence == 2 })
        #expect(open.left(of: Array(1...100)) == Array(1...30))
        bench.lane.checkpointStored()
        bench.turn(after: 120_000)
        bench.drain()
        let older = bench.sent.filter { $0.sequence == 2 }
        #expect(older.map(\.registration).sorted() == Array(1...30))
        #expect(bench.store() == [Self.success: 1 + 30 + 170])
    }

    @Test("a difference that no mark can hold in bounds replaces nothing, and order is kept")
    func unbounded() {
        var limits = LaneLimits()
        limits.matchesOfSmallMax = 2
        limits.outOfOrderMax = 10
        let even = (1...100).map { UInt32($0 * 2) }
        var bench = Self.behind(limits, Array(1...200), even)
        bench.turn(after: 120_000)
        bench.drain()
        #expect(bench.store() == [Self.success: 301])
        let ofTwo = bench.sent.filter { $0.registration == 2 }
        #expect(ofTwo.map(\.sequence) == [2, 3])
    }

    @Test("a notification that waits for its device by itself is replaced too")
    func deferred() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, [1, 2], collapse: 5))
        bench.answer(.later(seconds: 600, most: 3_600), .channelThrottled)
        bench.answer(.later(seconds: 600, most: 3_600), .channelThrottled)
        bench.commit(LaneBench.record(2, [1], collapse: 5))
        bench.drain()
        bench.turn(after: 700_000)
        bench.drain()
        #expect(bench.sent.suffix(2).map(\.sequence) == [2, 1])
        #expect(bench.sent.last?.registration == 2)
        #expect(bench.store() == [Self.success: 2, .collapsed: 1])
    }

    @Test(
        "one that comes back unsent behind a newer one is not made again",
        arguments: [RelayAction.later(seconds: 600, most: 3_600), .again, .stall(retryAfter: 1)]
    )
    func inFlight(action: RelayAction) {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, [1], collapse: 5))
        bench.commit(LaneBench.record(2, [1], collapse: 5))
        bench.answer(action, .channelThrottled)
        bench.turn(after: 120_000)
        bench.drain()
        bench.turn(after: 700_000)
        bench.drain()
        #expect(bench.sent.map(\.sequence) == [1, 2])
        #expect(bench.store() == [Self.success: 1, .collapsed: 1])
    }

    @Test("behind a restart a record replaces neither its own row nor that of a newer one")
    func ownRow() {
        let rows = [(1, 1), (2, 2)].map { sequence, registration in
            DeferredRow(
                sequence: sequence,
                registration: registration,
                attempt: 1,
                due: Timestamp(milliseconds: Samples.time.milliseconds + 600_000),
                expires: Timestamp(milliseconds: Samples.time.milliseconds + 3_600_000)
            )
        }
        let open = [
            LaneMark.Open(sequence: 1, progress: .allBut([9])),
            LaneMark.Open(sequence: 2, progress: .allBut([8])),
        ]
        let mark = LaneMark(epoch: 7, scanned: 2, open: open)
        var bench = LaneBench(mark: mark, deferred: rows)
        for sequence in bench.lane.unknownKeys { bench.lane.learn(5, of: sequence) }
        bench.commit(
            LaneBench.record(1, [1, 2, 9], collapse: 5),
            LaneBench.record(2, [2, 8], collapse: 5)
        )
        bench.drain()
        bench.turn(after: 700_000)
        bench.drain()
        #expect(bench.sent.map(\.registration).sorted() == [1, 2, 8, 9])
        #expect(bench.store() == [Self.success: 4])
    }

    @Test("a row of an earlier process is replaced once its key is known")
    func restarted() {
        let row = DeferredRow(
            sequence: 1,
            registration: 1,
            attempt: 1,
            due: Timestamp(milliseconds: Samples.time.milliseconds + 600_000),
            expires: Timestamp(milliseconds: Samples.time.milliseconds + 3_600_000)
        )
        var bench = LaneBench(mark: LaneMark(epoch: 7, scanned: 1), deferred: [row])
        #expect(bench.lane.unknownKeys == [1])
        bench.lane.learn(5, of: 1)
        #expect(bench.lane.unknownKeys == [])
        bench.commit(LaneBench.record(2, [1], collapse: 5))
        bench.drain()
        bench.turn(after: 700_000)
        bench.drain()
        #expect(bench.sent.map(\.sequence) == [2])
        #expect(bench.store() == [Self.success: 1, .collapsed: 1])
    }
}
