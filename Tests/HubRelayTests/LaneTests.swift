import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Cases 4–6, 9, 12, 16, 30, 31, 33, 35, 47, 49 and 93–99 of the relays' reference: the part
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
