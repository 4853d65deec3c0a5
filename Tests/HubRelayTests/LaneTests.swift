import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Cases 4–6, 9, 12, 16, 22–25, 28–31, 33, 35, 47, 49 and 93–99 of the relays' reference: the part
/// of each that the lane decides.
@Suite("Lane")
struct LaneTests {
    static func record(_ sequence: UInt64, _ audience: [UInt32]) -> LaneRecord {
        LaneBench.record(sequence, audience)
    }

    static var small: LaneLimits {
        var limits = LaneLimits()
        limits.matchesOfSmallMax = 2
        return limits
    }

    static let success = LaneEnd.service(.success)

    @Test("9: the first request goes alone; after its answer as many go as may be in flight")
    func firstAlone() {
        var limits = LaneLimits()
        limits.requestsMax = 5
        var bench = LaneBench(limits)
        bench.commit(Self.record(1, Array(1...20)))
        #expect(bench.waiting.count == 1)
        bench.answer(.done, .success)
        #expect(bench.waiting.count == 5)
        bench.drain()
        #expect(bench.sent.map(\.registration) == Array(1...20))
        #expect(bench.store() == [Self.success: 20])
        #expect(bench.store() == [:])
    }

    @Test("4, 47: a stale token is renewed once, and the same notification sent again")
    func renewal() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1, 2, 3]))
        bench.answer(.done, .success)
        bench.answer(.renew, .invalidToken)
        bench.answer(.renew, .invalidToken)
        #expect(bench.renewals() == 1 && bench.waiting.isEmpty)
        bench.lane.tokenRenewed()
        bench.turn()
        #expect(bench.waiting.map(\.token) == [1])
        bench.drain()
        #expect(bench.store() == [Self.success: 3])
        #expect(bench.sent.count == 5)
    }

    @Test("5: a renewed token that is refused too stops the lane for five minutes")
    func secondRefusal() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1, 2]))
        bench.answer(.renew, .invalidToken)
        bench.lane.tokenRenewed()
        bench.turn()
        bench.answer(.renew, .invalidToken)
        #expect(bench.rests == [.credential(.invalidCredentials, "reason")])
        #expect(bench.renewals() == 1)
        bench.turn(after: 299_000)
        #expect(bench.waiting.isEmpty)
        bench.turn(after: 1_000)
        #expect(bench.waiting.count == 1)
        bench.drain()
        #expect(bench.store() == [Self.success: 2])
    }

    @Test("6: too many renewals bring the older token back, and afterwards all is delivered")
    func keepOlder() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1, 2, 3]))
        bench.answer(.keepOlderToken(seconds: 1_200), .throttled)
        #expect(bench.actions.contains(.keepOlderToken) && bench.waiting.isEmpty)
        bench.turn(after: 70_000)
        bench.drain()
        #expect(bench.store() == [Self.success: 3])
    }

    @Test("12, 16: a request that was not processed goes again, and no attempt is counted")
    func notProcessed() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1, 2, 3]))
        bench.answer(.done, .success)
        bench.answer(.again, .pnsUnavailable, registration: 2)
        #expect(bench.waiting.map(\.registration) == [3, 2])
        #expect(bench.waiting.allSatisfy { $0.attempt == 0 })
        bench.drain()
        #expect(bench.store() == [Self.success: 3])
    }

    @Test("22: a dead handle counts when its removal is durable")
    func gone() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1]), Self.record(2, [1]))
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
        bench.commit(record(1, Array(1...5_000)))
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
        bench.commit(Self.record(1, Array(1...1_000)), Self.record(2, [5]))
        while let ticket = bench.waiting.first {
            if ticket.sequence == 1 {
                bench.answer(.content, .invalidNotificationFormat)
            } else {
                bench.answer(.done, .success)
            }
        }
        #expect(bench.sent.count(where: { $0.sequence == 1 }) < 120)
        #expect(
            bench.store() == [.service(.invalidNotificationFormat): 1_000, Self.success: 1]
        )
    }

    @Test("29: a device that is throttled waits alone, and its own order is kept")
    func deviceThrottled() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1, 2]), Self.record(2, [1, 2]))
        bench.answer(.later(seconds: 60, most: 3_600), .channelThrottled, registration: 1)
        bench.drain()
        #expect(bench.sent.map(\.registration) == [1, 2, 2])
        bench.turn(after: 60_000)
        bench.drain()
        #expect(bench.sent.suffix(2).map(\.sequence) == [1, 2])
        #expect(bench.sent.suffix(2).map(\.registration) == [1, 1])
        #expect(bench.store() == [Self.success: 4])
    }

    @Test("29: a row that is due while its device is busy holds up no other")
    func busyRow() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1, 2]))
        bench.answer(.later(seconds: 120, most: 3_600), .channelThrottled, registration: 1)
        bench.answer(.later(seconds: 120, most: 3_600), .channelThrottled, registration: 2)
        bench.turn(after: 59_000)
        bench.commit(Self.record(2, [1]))
        #expect(bench.waiting.map(\.sequence) == [2])
        bench.turn(after: 62_000)
        #expect(bench.waiting.map(\.registration) == [1, 2])
        bench.answer(.done, .success, registration: 1)
        #expect(bench.waiting.map(\.registration) == [2, 1])
        bench.drain()
        #expect(bench.store() == [Self.success: 3])
    }

    @Test("24: a handle that is taken after all stays, though it was refused before")
    func takenAfterAll() {
        var bench = LaneBench()
        bench.commit(Self.record(1, Array(1...50)))
        for number in 1...50 as ClosedRange<UInt32> {
            if number == 7 || number == 8 {
                bench.answer(.suspect(mayDelete: true), .badChannel, registration: number)
            } else {
                bench.answer(.done, .success, registration: number)
            }
        }
        bench.commit(Self.record(2, [7]))
        bench.drain()
        bench.commit(Self.record(3, Array(11...90)))
        bench.drain()
        #expect(bench.removals == [8])
    }

    @Test("30: attempts end after eight, at growing distances")
    func attempts() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1]))
        var waits: [UInt64] = []
        for _ in 0..<8 {
            let before = bench.milliseconds
            while bench.waiting.isEmpty { bench.turn(after: 1_000) }
            waits.append((bench.milliseconds - before) / 1_000)
            bench.answer(.later(seconds: 2, most: 64), .pnsServerError)
        }
        #expect(waits == [0, 2, 4, 8, 16, 32, 64, 64])
        #expect(bench.store() == [.gaveUp(.pnsServerError): 1])
    }

    @Test("31: while the service is away one request asks now and then, and nothing grows")
    func away() {
        var bench = LaneBench()
        bench.commit(Self.record(1, Array(1...100)))
        let start = bench.milliseconds
        while bench.milliseconds < start + 600_000 {
            if !bench.waiting.isEmpty {
                #expect(bench.waiting.count == 1)
                bench.answer(.stall(retryAfter: nil), .pnsUnavailable)
            }
            bench.turn(after: 100)
        }
        #expect((10...60).contains(bench.sent.count))
        #expect(bench.store() == [:])
        bench.turn(after: 60_000)
        bench.drain()
        #expect(bench.store() == [Self.success: 100])
    }

    @Test("33: a wrong credential stops the lane; another one sets it going at once")
    func wrongCredential() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1, 2, 3]))
        bench.answer(.credential, .invalidCredentials)
        #expect(bench.waiting.isEmpty)
        bench.begin()
        #expect(bench.waiting.count == 1)
        bench.drain()
        #expect(bench.store() == [Self.success: 3])
    }

    @Test("49: the service's pause is obeyed, and then fewer requests go at once")
    func pause() {
        var limits = LaneLimits()
        limits.requestsMax = 8
        var bench = LaneBench(limits)
        bench.commit(Self.record(1, Array(1...200)))
        bench.answer(.done, .success)
        bench.answer(.slow(retryAfter: 30), .throttled)
        while !bench.waiting.isEmpty { bench.answer(.done, .success) }
        bench.turn(after: 29_900)
        #expect(bench.waiting.isEmpty)
        bench.turn(after: 3_200)
        #expect(bench.waiting.count == 4)
        bench.drain()
        #expect(bench.store() == [Self.success: 200])
    }

    @Test("35: an expired record is counted and not sent; one for now or never does not wait")
    func expiry() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [9]))
        bench.answer(.stall(retryAfter: 600), .pnsUnavailable)
        bench.commit(
            LaneBench.record(2, [1, 2, 3], seconds: 60),
            LaneBench.record(3, [1, 2], accepted: 1_000, transient: true)
        )
        bench.turn(after: 300_000)
        #expect(bench.store() == [.expired: 3, .missed: 2])
        bench.turn(after: 301_000)
        bench.drain()
        #expect(bench.sent.map(\.sequence) == [1, 1])
    }

    @Test("93: a small record passes running broadcasts, behind their parts for its own device")
    func overtaking() {
        var limits = Self.small
        limits.requestsMax = 4
        var bench = LaneBench(limits)
        bench.commit(Self.record(1, Array(1...50)), Self.record(2, Array(1...50)))
        for _ in 0..<3 { bench.answer(.done, .success) }
        bench.commit(Self.record(3, [40]))
        let before = bench.sent.count
        bench.drain()
        let forDevice = bench.sent.indices.filter { bench.sent[$0].registration == 40 }
        #expect(forDevice.map { bench.sent[$0].sequence } == [1, 2, 3])
        #expect(forDevice[2] - before < 16)
        #expect(bench.store() == [Self.success: 101])
    }

    @Test("94: of updates with one key that wait, only the newest is sent")
    func collapse() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [77]))
        bench.answer(.stall(retryAfter: 60), .pnsUnavailable)
        for sequence in 2...1_001 as ClosedRange<UInt64> {
            bench.commit(LaneBench.record(sequence, [1, 2, 3], collapse: 5))
        }
        bench.turn(after: 120_000)
        bench.drain()
        #expect(bench.sent.count == 2 + 3)
        #expect(bench.store() == [Self.success: 4, .collapsed: 999 * 3])
    }

    @Test("95, 96: a purged record is not sent, and a registration that is gone counts as absent")
    func purge() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1]), Self.record(2, [2]), Self.record(3, [3]))
        bench.lane.purge(through: 2)
        bench.lane.absent(bench.waiting[0])
        bench.turn()
        #expect(bench.sent.map(\.sequence) == [1, 3])
        bench.answer(.done, .success, registration: 3)
        #expect(bench.store() == [Self.success: 1, .purged: 1, .absent: 1])
    }

    @Test(
        "a request that comes back unsent behind a purge is not made again",
        arguments: [RelayAction.stall(retryAfter: 1), .later(seconds: 1, most: 60), .again]
    )
    func purgedInFlight(action: RelayAction) {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1]), Self.record(2, [1]))
        bench.lane.purge(through: 1)
        bench.answer(action, .pnsUnavailable)
        bench.turn(after: 120_000)
        bench.drain()
        #expect(bench.sent.map(\.sequence) == [1, 2])
        #expect(bench.store() == [.purged: 1, Self.success: 1])
    }

    @Test("a request of a purged record that the service took counts as taken")
    func takenBehindPurge() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1]))
        bench.lane.purge(through: 1)
        bench.answer(.done, .success)
        #expect(bench.store() == [Self.success: 1])
    }

    @Test("91: when the process ends no request begins, and answers still count")
    func stopping() {
        var limits = LaneLimits()
        limits.requestsMax = 2
        var bench = LaneBench(limits)
        bench.commit(Self.record(1, Array(1...10)))
        bench.answer(.done, .success)
        bench.lane.stop()
        #expect(!bench.lane.isIdle)
        bench.answer(.slow(retryAfter: 1), .throttled)
        bench.answer(.done, .success)
        bench.turn(after: 60_000)
        #expect(bench.lane.isIdle && bench.sent.count == 3)
        #expect(bench.store() == [Self.success: 2])
    }

    @Test("a lane says when it wants its next turn")
    func deadlines() {
        var bench = LaneBench()
        #expect(bench.lane.deadline == nil && bench.due == nil)
        bench.commit(LaneBench.record(1, [1, 2], seconds: 500))
        bench.answer(.done, .success)
        bench.answer(.later(seconds: 30, most: 30), .channelThrottled)
        let due = Timestamp(milliseconds: bench.now.time.milliseconds + 30_000)
        #expect(bench.due == due && bench.lane.needed == 1)
        bench.turn(after: 30_000)
        bench.answer(.stall(retryAfter: 60), .pnsUnavailable)
        #expect(bench.lane.deadline == bench.now.instant.adding(milliseconds: 60_000))
        bench.turn(after: 60_000)
        bench.drain()
        #expect(bench.lane.deadline == nil && bench.lane.needed == 2)
    }

    @Test("98: when the store refuses the mark, nothing is sent until it takes one")
    func diskFull() {
        var bench = LaneBench()
        bench.commit(Self.record(1, [1, 2, 3]))
        bench.answer(.done, .success)
        bench.refuseStore()
        bench.answer(.again, .pnsUnavailable)
        #expect(bench.rests == [.store] && bench.waiting.count == 1)
        bench.answer(.done, .success)
        #expect(bench.store() == [Self.success: 2])
        bench.turn()
        bench.drain()
        #expect(bench.store() == [Self.success: 1])
    }

    @Test("99: without room for another row the lane waits, and loses nothing")
    func deferredFull() {
        var limits = LaneLimits()
        limits.deferredMax = 2
        var bench = LaneBench(limits)
        bench.commit(Self.record(1, [1, 2, 3, 4]))
        for _ in 0..<3 { bench.answer(.later(seconds: 30, most: 30), .channelThrottled) }
        for _ in 0..<40 {
            bench.turn(after: 5_000)
            bench.drain()
        }
        #expect(bench.store() == [Self.success: 4])
    }

    @Test("92: broadcasts and a million sends in an outage take a bounded place")
    func memory() throws {
        var bench = LaneBench(registrations: 1_000_000)
        let everyone = Array(1...100_000 as ClosedRange<UInt32>)
        bench.commit(Self.record(1, [1]))
        bench.answer(.stall(retryAfter: 86_400), .pnsUnavailable)
        for sequence in 2...80 as ClosedRange<UInt64> {
            bench.commit(LaneBench.record(sequence, everyone, seconds: 90_000))
        }
        bench.lane.committed(through: 1_000_000)
        bench.turn()
        #expect(bench.lane.weight < 900_000)
        var other = LaneBench(registrations: 1_000_000)
        other.commit(Self.record(1, [1]))
        other.answer(.stall(retryAfter: 86_400), .pnsUnavailable)
        for sequence in 2...3_000 as ClosedRange<UInt64> {
            other.commit(Self.record(sequence, [UInt32(sequence)]))
        }
        #expect(other.lane.weight < 1_000_000)
        #expect(other.lane.behind > 1_900)
    }

    @Test("a mark says which matches are finished, and another lane goes on with the rest")
    func resuming() throws {
        var limits = Self.small
        limits.requestsMax = 3
        var bench = LaneBench(limits)
        bench.commit(Self.record(1, Array(1...10)), Self.record(2, [4]))
        bench.answer(.done, .success)
        while bench.waiting.contains(where: { $0.registration != 3 }) {
            let other = bench.waiting.first { $0.registration != 3 }?.registration
            guard bench.sent.count < 8 else { break }
            bench.answer(.done, .success, registration: other)
        }
        let stored = bench.lane.checkpoint()
        let checkpoint = try #require(stored)
        let open = try #require(checkpoint.mark.open.first)
        #expect(checkpoint.mark.needed == 1 && open.sequence == 1)
        let done = checkpoint.counts.filter { $0.sequence == 1 }.map(\.amount).reduce(0, +)
        #expect(open.left(of: Array(1...10)).count == 10 - done)
        #expect(open.left(of: Array(1...10)).first == 3)
        var next = LaneBench(limits, mark: checkpoint.mark)
        next.commit(Self.record(1, Array(1...10)), Self.record(2, [4]))
        next.drain()
        let rest = next.store()[Self.success] ?? 0
        #expect(checkpoint.counts.map(\.amount).reduce(0, +) + rest == 11)
    }
}
