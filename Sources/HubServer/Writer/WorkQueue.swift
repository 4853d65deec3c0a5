import Foundation
import Synchronization

/// Work for one thread: bounded, first in first out, taken in batches.
///
/// The thread sleeps on a condition; the queue itself is the only thing shared.
final class WorkQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var isClosed = false
    }

    private let capacity: Int
    private let state = Mutex(State())
    private let condition = NSCondition()

    /// An empty queue.
    init(capacity: Int) { self.capacity = capacity }

    /// Adds an item; false when the queue is full or closed. `isVital` items fit beyond the bound:
    /// there is at most a constant number of them for each connection.
    func add(_ item: Item, isVital: Bool = false) -> Bool {
        let (added, wasEmpty) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed, isVital || state.items.count < capacity else {
                return (false, false)
            }
            state.items.append(item)
            return (true, state.items.count == 1)
        }
        if wasEmpty { wake() }
        return added
    }

    /// Takes everything that waits, in order; waits at most `milliseconds` for something.
    func take(waiting milliseconds: Int) -> [Item] {
        let deadline = Date(timeIntervalSinceNow: Double(milliseconds) / 1_000)
        condition.lock()
        defer { condition.unlock() }
        while milliseconds > 0 {
            let isIdle = state.withLock { $0.items.isEmpty && !$0.isClosed }
            guard isIdle, condition.wait(until: deadline) else { break }
        }
        return state.withLock { state in
            let items = state.items
            state.items = []
            return items
        }
    }

    /// Takes nothing more; what waits is still taken out.
    func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }

    /// Whether nothing more will come.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    private func wake() {
        condition.lock()
        condition.signal()
        condition.unlock()
    }
}
