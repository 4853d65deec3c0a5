import Dispatch
import Foundation
import Synchronization
import Testing

@testable import HubServer

@Suite("The writer's queue", .timeLimit(.minutes(1)))
struct WorkQueueTests {
    /// Longer than a test may last: who waits this long was not woken.
    private static let forever = 3_600_000

    @Test("takes as many as it may, and vital ones beyond")
    func bounds() {
        let queue = WorkQueue<Int>(capacity: 2)
        #expect(queue.add(1))
        #expect(queue.add(2))
        #expect(!queue.add(3))
        #expect(queue.add(4, isVital: true))
        #expect(!queue.add(5))
        #expect(queue.take(waiting: Self.forever) == [1, 2, 4])
        #expect(queue.add(6))
        #expect(queue.take(waiting: 0) == [6])
        #expect(queue.take(waiting: 0) == [])
    }

    @Test("closed, it takes nothing more, hands out what waits, and lets nobody sleep")
    func close() {
        let queue = WorkQueue<Int>(capacity: 2)
        #expect(queue.add(1))
        queue.close()
        #expect(queue.isClosed)
        #expect(!queue.add(2))
        #expect(!queue.add(3, isVital: true))
        #expect(queue.take(waiting: Self.forever) == [1])
        #expect(queue.take(waiting: Self.forever) == [])
    }

    @Test("wakes a sleeper that is told to stop")
    func closeWakes() {
        let queue = WorkQueue<Int>(capacity: 2)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !queue.isClosed { _ = queue.take(waiting: Self.forever) }
            isDone.signal()
        }
        queue.close()
        isDone.wait()
    }

    @Test("loses no wake-up and no order while many add and the taker keeps falling asleep")
    func contention() {
        let queue = WorkQueue<(producer: Int, number: Int)>(capacity: 64)
        let taken = Mutex<[[Int]]>(Array(repeating: [], count: 4))
        let isDone = DispatchSemaphore(value: 0)
        let total = 4 * 5_000
        Thread.detachNewThread {
            var count = 0
            while count < total {
                let batch = queue.take(waiting: Self.forever)
                count += batch.count
                taken.withLock { for item in batch { $0[item.producer].append(item.number) } }
            }
            isDone.signal()
        }
        DispatchQueue.concurrentPerform(iterations: 4) { producer in
            for number in 0..<5_000 {
                while !queue.add((producer, number)) { sched_yield() }
            }
        }
        isDone.wait()
        #expect(taken.withLock { $0 } == Array(repeating: Array(0..<5_000), count: 4))
    }

    @Test("a sleep that ends by itself leaves the next one sound")
    func lateWakeUps() {
        let queue = WorkQueue<Int>(capacity: 1_000)
        let received = Mutex(0)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // One millisecond: many sleeps end just when they are woken.
            var count = 0
            while count < 500 { count += queue.take(waiting: 1).count }
            received.withLock { $0 = count }
            isDone.signal()
        }
        for number in 0..<500 {
            while !queue.add(number) { sched_yield() }
            if number.isMultiple(of: 3) { sched_yield() }
        }
        isDone.wait()
        #expect(received.withLock { $0 } == 500)
        #expect(queue.take(waiting: 1) == [])
    }
}

@Suite("The budget of pages", .timeLimit(.minutes(1)))
struct PageBudgetTests {
    @Test("stops the reader while too much is out, until enough came back")
    func blocks() {
        let budget = PageBudget(bytesMax: 100)
        let steps = Mutex<[String]>([])
        let isDone = DispatchSemaphore(value: 0)
        budget.take(150)
        Thread.detachNewThread {
            budget.take(10)
            steps.withLock { $0.append("taken") }
            isDone.signal()
        }
        steps.withLock { $0.append("given back") }
        budget.giveBack(60)
        isDone.wait()
        #expect(steps.withLock { $0 } == ["given back", "taken"])
    }

    @Test("stops nobody any more once it is closed")
    func closes() {
        let budget = PageBudget(bytesMax: 1)
        budget.take(5)
        budget.close()
        budget.take(5)
        budget.take(5)
    }
}
