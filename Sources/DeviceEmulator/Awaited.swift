import Synchronization

/// A value that changes on any thread, and that tasks can wait for.
package final class Awaited<Value: Sendable>: Sendable {
    private struct Waiter {
        let isReached: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let state: Mutex<State>

    /// Begins with a value.
    package init(_ value: Value) { state = Mutex(State(value: value)) }

    /// The value now.
    package var value: Value { state.withLock { $0.value } }

    /// Changes the value, and lets those go on who waited for it.
    package func change(_ body: (inout Value) -> Void) {
        let reached = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
            body(&state.value)
            guard !state.waiters.isEmpty else { return [] }
            let reached = state.waiters.filter { $0.value.isReached(state.value) }
            for number in reached.keys { state.waiters[number] = nil }
            return reached.values.map(\.continuation)
        }
        for continuation in reached { continuation.resume(returning: true) }
    }

    /// Waits until the value satisfies a condition; false when the time ran out or the task was
    /// cancelled first.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait at most; nil waits for ever.
    ///   - isReached: looked at after each change, on the thread that makes it.
    /// - Returns: whether the condition was satisfied.
    @discardableResult
    package func wait(
        upTo timeout: Duration? = nil,
        until isReached: @escaping @Sendable (Value) -> Bool
    ) async -> Bool {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        let timer = deadline.map { deadline in
            Task {
                // Cancelled when the condition is satisfied.
                guard (try? await Task.sleep(until: deadline)) != nil else { return }
                giveUp(number)
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(isReached: isReached, continuation: continuation)
                register(number, waiter, until: deadline)
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func register(
        _ number: Int,
        _ waiter: Waiter,
        until deadline: ContinuousClock.Instant?
    ) {
        let known: Bool? = state.withLock { state in
            if waiter.isReached(state.value) { return true }
            // Looked at under the lock: a later end of the task finds the waiter.
            if Task.isCancelled || deadline.map({ $0 <= .now }) == true { return false }
            state.waiters[number] = waiter
            return nil
        }
        if let known { waiter.continuation.resume(returning: known) }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
        waiter?.continuation.resume(returning: false)
    }
}
