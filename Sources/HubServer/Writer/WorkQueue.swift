import Foundation
import Synchronization

/// Work for one thread: bounded, first in first out, taken in batches.
///
/// Any thread adds; exactly one takes. The taker is woken once for each sleep, so nothing is lost
/// between its look at the queue and its sleep, and a busy taker costs the others no system call.
final class WorkQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var isClosed = false
        /// The taker sleeps and was not woken yet.
        var isAsleep = false

        /// Whether the caller has to wake the taker, once the lock is released.
        mutating func mustWake() -> Bool {
            defer { isAsleep = false }
            return isAsleep
        }

        mutating func takeAll() -> [Item] {
            defer { items = [] }
            return items
        }
    }

    private let capacity: Int
    private let state = Mutex(State())
    private let alarm = DispatchSemaphore(value: 0)

    /// An empty queue.
    init(capacity: Int) { self.capacity = capacity }

    /// Adds an item; false when the queue is full or closed.
    ///
    /// `isVital` items fit beyond the bound: there is at most a constant number of them for each
    /// connection.
    func add(_ item: Item, isVital: Bool = false) -> Bool {
        let (isAdded, mustWake) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed, isVital || state.items.count < capacity else {
                return (false, false)
            }
            state.items.append(item)
            return (true, state.mustWake())
        }
        if mustWake { alarm.signal() }
        return isAdded
    }

    /// Takes everything that waits, in order.
    ///
    /// Waits at most `milliseconds`, on a clock that steps of the wall clock do not move, for an
    /// item or for the queue to close.
    func take(waiting milliseconds: Int) -> [Item] {
        let waiting = state.withLock { state -> [Item]? in
            guard state.items.isEmpty, !state.isClosed, milliseconds > 0 else {
                return state.takeAll()
            }
            state.isAsleep = true
            return nil
        }
        if let waiting { return waiting }
        let isLate = alarm.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut
        let (items, wasWoken) = state.withLock { state in
            let wasWoken = !state.isAsleep
            state.isAsleep = false
            return (state.takeAll(), wasWoken)
        }
        // Woken just when the time was over: the signal belongs to this sleep, not to the next one.
        if isLate, wasWoken { alarm.wait() }
        return items
    }

    /// Takes nothing more; what waits is still taken out.
    func close() {
        let mustWake = state.withLock { state in
            state.isClosed = true
            return state.mustWake()
        }
        if mustWake { alarm.signal() }
    }

    /// Whether nothing more will come.
    var isClosed: Bool { state.withLock { $0.isClosed } }
}
