import HubClient
import HubTestSupport
import HubVocabulary
import Synchronization
import Testing

@testable import HubBench

@Suite("Operations of a benchmark")
struct OperationsTests {
    @Test("are due at moments that are fixed before, whatever became of earlier ones")
    func plan() {
        let start = Instant(nanoseconds: 1_000)
        let plan = OperationPlan(start: start, rate: 4)
        #expect(plan.due(0) == start)
        #expect(plan.due(1) == start + .milliseconds(250))
        #expect(plan.due(40) == start + .seconds(10))
        #expect(OperationPlan(start: start, rate: nil).due(7) == nil)
        #expect(OperationPlan(start: start, rate: 0).due(7) == nil)
    }

    @Test("a hub that stands still is seen in everything that came due meanwhile")
    func coordinatedOmission() {
        // 100 a second; the tenth takes a second, and its sender waits for it.
        let plan = OperationPlan(start: Instant(nanoseconds: 0), rate: 100)
        var free = Instant(nanoseconds: 0)
        var fromDue = LatencySample("from due")
        var fromBegin = LatencySample("from begin")
        for number in 0..<200 {
            let due = plan.due(number) ?? free
            let begin = max(due, free)
            free = begin + (number == 10 ? .seconds(1) : .milliseconds(1))
            fromDue.record(nanoseconds: free.since(due).wholeNanoseconds)
            fromBegin.record(nanoseconds: free.since(begin).wholeNanoseconds)
        }
        // Only one saw it begin; about 110 were late for it.
        #expect(BenchLatency(fromBegin).p99 < 1_100)
        #expect(BenchLatency(fromDue).p90 > 700_000)
        #expect(BenchLatency(fromDue).p50 > 100_000)
    }

    @Test(
        "are each carried out once, by no more at once than are allowed, and told in order",
        arguments: [(0, 3), (1, 8), (50, 1), (200, 7)]
    )
    func bounded(count: Int, workers: Int) async {
        let counters = Counters()
        let first = min(workers, count)
        let numbers = await Operations(count: count, workers: workers).run { number, worker, _ in
            counters.begin()
            if number < first {
                await #expect(throws: Never.self) {
                    try await eventually("as many at once as may be") { counters.most == first }
                }
            }
            counters.end()
            #expect(worker < workers)
            return number
        }
        #expect(numbers == Array(0..<count))
        #expect(counters.most == first)
    }

    private final class Counters: Sendable {
        private let state = Mutex((running: 0, most: 0))

        func begin() {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
        }

        func end() { state.withLock { $0.running -= 1 } }

        var most: Int { state.withLock { $0.most } }
    }
}
