import Foundation
import HubDelivery
import Synchronization

/// Lets the reader's thread sleep while its pages are over their budget.
final class PageGate: Sendable {
    private struct State {
        var budget: PageBudget
        var isClosed = false
        var isAsleep = false
    }

    private let state: Mutex<State>
    private let alarm = DispatchSemaphore(value: 0)

    /// A gate with a budget.
    init(_ budget: PageBudget = PageBudget()) { state = Mutex(State(budget: budget)) }

    /// Takes; blocks while the budget is spent, unless the gate is closed.
    func take(_ bytes: Int) {
        let isOver = state.withLock { state in
            state.isAsleep = state.budget.isSpent && !state.isClosed
            return state.isAsleep
        }
        if isOver { alarm.wait() }
        state.withLock { $0.budget.take(bytes) }
    }

    /// Gives back.
    func giveBack(_ bytes: Int) {
        let mustWake = state.withLock { state in
            state.budget.giveBack(bytes)
            guard state.isAsleep, !state.budget.isSpent else { return false }
            state.isAsleep = false
            return true
        }
        if mustWake { alarm.signal() }
    }

    /// Blocks the reader no more.
    func close() {
        let mustWake = state.withLock { state in
            state.isClosed = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { alarm.signal() }
    }
}
