import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Bounds of a lane's work and memory at odd numbers.
@Suite("Bounds of a lane")
struct LaneBoundTests {
    static let success = LaneEnd.service(.success)

    @Test("the largest number that a registration can have ends no turn")
    func largestNumber() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, [1]))
        bench.drain()
        bench.commit(LaneBench.record(2, [7, .max]), LaneBench.record(3, [.max]))
        #expect(bench.waiting.map(\.registration) == [7, .max])
        bench.drain()
        #expect(bench.sent.suffix(3).map(\.sequence) == [2, 2, 3])
        #expect(bench.store() == [Self.success: 4])
    }

    @Test("while the lowest registration is held, no more are done than may be out of order")
    func outOfOrder() throws {
        var limits = LaneLimits()
        limits.matchesOfSmallMax = 2
        limits.outOfOrderMax = 100
        limits.requestsMax = 10
        var bench = LaneBench(limits)
        bench.commit(LaneBench.record(1, Array(1...5_000)))
        bench.answer(.done, .success)
        while let other = bench.waiting.first(where: { $0.registration != 2 }) {
            bench.answer(.done, .success, registration: other.registration)
        }
        #expect(bench.waiting.map(\.registration) == [2])
        let stored = bench.lane.checkpoint()
        let checkpoint = try #require(stored)
        let open = try #require(checkpoint.mark.open.first)
        guard case .through(2, let done) = open.progress else {
            Issue.record("\(open.progress)")
            return
        }
        #expect((100...110).contains(done.count))
        bench.lane.checkpointStored()
        bench.drain()
        #expect(bench.sent.count == 5_000)
    }

    @Test("a record that ends at once lets go of registrations that waited for it in others")
    func heldUp() {
        var limits = LaneLimits()
        limits.matchesOfSmallMax = 3
        limits.outOfOrderMax = 2
        limits.requestsMax = 3
        var bench = LaneBench(limits)
        bench.commit(LaneBench.record(1, [50]))
        bench.drain()
        bench.commit(LaneBench.record(2, Array(1...10), seconds: 60))
        bench.answer(.done, .success, registration: 2)
        bench.answer(.done, .success, registration: 3)
        // Two are done above the first, which has no answer: nothing may be pulled forward.
        bench.commit(LaneBench.record(3, [10]))
        #expect(!bench.sent.contains { $0.sequence == 3 })
        bench.turn(after: 61_000)
        #expect(bench.sent.contains { $0.sequence == 3 })
        bench.drain()
        #expect(bench.store()[.expired] == 6)
        #expect(bench.lane.openCount == 0)
    }

    @Test("a request that was not made yet ends behind a purge")
    func notMade() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, [1]), LaneBench.record(2, [2]))
        let ticket = bench.waiting[0]
        let isOverBefore = bench.lane.endIfOver(ticket)
        #expect(!isOverBefore)
        bench.lane.purge(through: 1)
        let isOver = bench.lane.endIfOver(ticket)
        #expect(isOver)
        bench.turn()
        #expect(bench.sent.map(\.sequence) == [1, 2])
        #expect(bench.store() == [.purged: 1])
    }
}
