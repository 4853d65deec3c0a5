import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Cases 22–25, 28 and 29 of the relays' reference: handles that a service refuses, and devices that
/// it throttles.
@Suite("Handles that a service refuses")
struct LaneHandleTests {
    @Test("22: a dead handle counts when its removal is durable")
    func gone() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, [1]), LaneBench.record(2, [1]))
        bench.answer(.gone(since: Timestamp(milliseconds: 900)), .expiredChannel, modified: 800)
        #expect(bench.removals == [1] && bench.waiting.isEmpty)
        #expect(bench.store() == [:])
        bench.lane.removed(1)
        bench.turn()
        #expect(bench.store() == [.service(.expiredChannel): 1])
        bench.lane.absent(bench.waiting[0])
        bench.turn()
        #expect(bench.store() == [.absent: 1])
    }

    @Test("23: one that was registered after the service last saw it dead is asked a day later")
    func returned() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, [1], seconds: 200_000))
        let dead = RelayAction.gone(since: Timestamp(milliseconds: 900))
        bench.answer(dead, .expiredChannel, modified: 900)
        bench.turn(after: 86_399_000)
        #expect(bench.waiting.isEmpty && bench.removals == [])
        bench.turn(after: 1_000)
        #expect(bench.waiting.map(\.attempt) == [1])
        bench.answer(dead, .expiredChannel, modified: 900)
        #expect(bench.removals == [])
        #expect(bench.store() == [.service(.expiredChannel): 1])
    }

    /// The lane after a thousand answers, each n-th of them that a handle is bad.
    static func refusing(_ isBad: (UInt32) -> Bool, mayDelete: Bool = true) -> LaneBench {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...5_000)))
        for _ in 0..<1_000 where !bench.waiting.isEmpty {
            if isBad(bench.waiting[0].registration) {
                bench.answer(.suspect(mayDelete: mayDelete), .badChannel)
            } else {
                bench.answer(.done, .success)
            }
        }
        return bench
    }

    @Test("24: one bad handle of a thousand is removed")
    func oneBad() {
        var bench = Self.refusing { $0 == 50 }
        #expect(bench.removals == [50])
        #expect(bench.store()[.service(.badChannel)] == 1)
        let kept = Self.refusing({ $0 == 50 }, mayDelete: false)
        #expect(kept.removals == [])
    }

    @Test("25: when most handles are bad, none is removed and the lane stops with a named cause")
    func brake() {
        var bench = Self.refusing { $0 % 10 != 0 }
        #expect(bench.removals == [] && bench.rests == [.brake])
        let sent = bench.sent.count
        bench.drain()
        #expect(bench.sent.count == sent)
        bench.turn(after: 299_999)
        #expect(bench.waiting.isEmpty)
        bench.begin()
        bench.drain()
        #expect(bench.removals == [])
        #expect(bench.store().values.reduce(0, +) == 5_000)
    }

    @Test("25: the brake's own trial of a thousand requests releases it when most are taken")
    func trial() {
        var bench = Self.refusing { _ in true }
        bench.drain()
        bench.turn(after: 300_000)
        #expect(bench.waiting.count == 1_000)
        for _ in 0..<400 { bench.answer(.suspect(mayDelete: true), .badChannel) }
        for _ in 0..<600 { bench.answer(.done, .success) }
        #expect(bench.removals == [])
        #expect(bench.actions.last != .rests(.brake) && !bench.waiting.isEmpty)
        bench.drain()
        #expect(bench.store().values.reduce(0, +) == 5_000)
    }

    @Test("28: the same refusal of the content a hundred times gives up the rest of the record")
    func poison() {
        var limits = LaneLimits()
        limits.requestsMax = 10
        var bench = LaneBench(limits)
        bench.commit(LaneBench.record(1, Array(1...1_000)), LaneBench.record(2, [5]))
        while let ticket = bench.waiting.first {
            if ticket.sequence == 1 {
                bench.answer(.content, .invalidNotificationFormat)
            } else {
                bench.answer(.done, .success)
            }
        }
        #expect(bench.sent.count(where: { $0.sequence == 1 }) < 120)
        #expect(
            bench.store() == [.service(.invalidNotificationFormat): 1_000, LaneTests.success: 1]
        )
    }

    @Test("29: a device that is throttled waits alone, and its own order is kept")
    func deviceThrottled() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, [1, 2]), LaneBench.record(2, [1, 2]))
        bench.answer(.later(seconds: 60, most: 3_600), .channelThrottled, registration: 1)
        bench.drain()
        #expect(bench.sent.map(\.registration) == [1, 2, 2])
        bench.turn(after: 60_000)
        bench.drain()
        #expect(bench.sent.suffix(2).map(\.sequence) == [1, 2])
        #expect(bench.sent.suffix(2).map(\.registration) == [1, 1])
        #expect(bench.store() == [LaneTests.success: 4])
    }

    @Test("29: a row that is due while its device is busy holds up no other")
    func busyRow() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, [1, 2]))
        bench.answer(.later(seconds: 120, most: 3_600), .channelThrottled, registration: 1)
        bench.answer(.later(seconds: 120, most: 3_600), .channelThrottled, registration: 2)
        bench.turn(after: 59_000)
        bench.commit(LaneBench.record(2, [1]))
        #expect(bench.waiting.map(\.sequence) == [2])
        bench.turn(after: 62_000)
        #expect(bench.waiting.map(\.registration) == [1, 2])
        bench.answer(.done, .success, registration: 1)
        #expect(bench.waiting.map(\.registration) == [2, 1])
        bench.drain()
        #expect(bench.store() == [LaneTests.success: 3])
    }

    @Test("26: a handle of another app is counted and never removed, whatever the others do")
    func otherApp() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...300)))
        while let ticket = bench.waiting.first {
            if ticket.registration % 3 == 0 {
                bench.answer(.suspect(mayDelete: false), .wrongChannel)
            } else {
                bench.answer(.done, .success)
            }
        }
        #expect(bench.removals == [])
        let counts = bench.store()
        #expect(counts[.service(.wrongChannel)] == 100 && counts[.service(.success)] == 200)
    }

    @Test("24: a handle that is taken after all stays, though it was refused before")
    func takenAfterAll() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...50)))
        for number in 1...50 as ClosedRange<UInt32> {
            if number == 7 || number == 8 {
                bench.answer(.suspect(mayDelete: true), .badChannel, registration: number)
            } else {
                bench.answer(.done, .success, registration: number)
            }
        }
        bench.commit(LaneBench.record(2, [7]))
        bench.drain()
        bench.commit(LaneBench.record(3, Array(11...90)))
        bench.drain()
        #expect(bench.removals == [8])
    }
}
