import Dispatch
import Foundation
import HubTestSupport
import Synchronization
import Testing

import HubDelivery
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
    func closeWakes() throws {
        let queue = WorkQueue<Int>(capacity: 2)
        let sleeper = ThreadWork {
            while !queue.isClosed { _ = queue.take(waiting: Self.forever) }
        }
        queue.close()
        try sleeper.value()
    }

    @Test("loses no wake-up and no order while many add and the taker keeps falling asleep")
    func contention() throws {
        let queue = WorkQueue<(producer: Int, number: Int)>(capacity: 64)
        let total = 4 * 5_000
        let taker = ThreadWork {
            var taken = Array(repeating: [Int](), count: 4)
            while taken.reduce(0, { $0 + $1.count }) < total {
                for item in queue.take(waiting: Self.forever) {
                    taken[item.producer].append(item.number)
                }
            }
            return taken
        }
        let producers = (0..<4).map { producer in
            ThreadWork {
                for number in 0..<5_000 { try Self.add((producer, number), to: queue) }
            }
        }
        for producer in producers { try producer.value() }
        #expect(try taker.value() == Array(repeating: Array(0..<5_000), count: 4))
    }

    @Test("a sleep that ends by itself leaves the next one sound")
    func lateWakeUps() throws {
        let queue = WorkQueue<Int>(capacity: 1_000)
        let sleeps = Mutex(0)
        let taker = ThreadWork {
            // One millisecond: many sleeps end just when they are woken.
            var count = 0
            while count < 500 {
                count += queue.take(waiting: 1).count
                sleeps.withLock { $0 += 1 }
            }
            return count
        }
        for number in 0..<500 {
            let before = sleeps.withLock { $0 }
            #expect(queue.add(number))
            guard number.isMultiple(of: 3), number < 498 else { continue }
            try eventually(blocking: "two more sleeps") { sleeps.withLock { $0 } > before + 1 }
        }
        #expect(try taker.value() == 500)
        #expect(queue.take(waiting: 1) == [])
    }

    /// Presses on a full queue until it takes the item.
    private static func add<Item>(_ item: Item, to queue: WorkQueue<Item>) throws {
        try eventually(blocking: "room in the queue") { queue.add(item) }
    }
}

@Suite("The budget of pages", .timeLimit(.minutes(1)))
struct PageGateTests {
    @Test("stops the reader while too much is out, until enough came back")
    func blocks() throws {
        let budget = PageGate(PageBudget(bytesMax: 100))
        let steps = Mutex<[String]>([])
        budget.take(150)
        let reader = ThreadWork {
            budget.take(10)
            steps.withLock { $0.append("taken") }
        }
        steps.withLock { $0.append("given back") }
        budget.giveBack(60)
        try reader.value()
        #expect(steps.withLock { $0 } == ["given back", "taken"])
    }

    @Test("stops nobody any more once it is closed")
    func closes() {
        let budget = PageGate(PageBudget(bytesMax: 1))
        budget.take(5)
        budget.close()
        budget.take(5)
        budget.take(5)
    }
}
