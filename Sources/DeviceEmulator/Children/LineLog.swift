import Synchronization

/// Lines as they come; tasks wait for what they expect of them.
final class LineLog: Sendable {
    private struct Waiter {
        let isReached: @Sendable ([String]) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var lines: [String] = []
        var isOver = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// All lines so far.
    var lines: [String] { state.withLock { $0.lines } }

    /// Adds a line, and lets those go on who waited for it.
    func append(_ line: String) {
        let reached = state.withLock { state in
            state.lines.append(line)
            let reached = state.waiters.filter { $0.value.isReached(state.lines) }
            for number in reached.keys { state.waiters[number] = nil }
            return reached.values.map(\.continuation)
        }
        for continuation in reached { continuation.resume(returning: true) }
    }

    /// No more lines come.
    func finish() {
        let left = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in left { continuation.resume(returning: false) }
    }

    /// Waits until the lines satisfy a condition; false when they end, patience does, or the task
    /// is cancelled first.
    func wait(
        _ patience: Duration,
        until isReached: @escaping @Sendable ([String]) -> Bool
    ) async -> Bool {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let timer = Task {
            // Cancelled when the lines have come.
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            giveUp(number)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                register(number, Waiter(isReached: isReached, continuation: continuation))
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func register(_ number: Int, _ waiter: Waiter) {
        let known: Bool? = state.withLock { state in
            if waiter.isReached(state.lines) { return true }
            // Looked at under the lock: a task that is cancelled later finds its waiter.
            if state.isOver || Task.isCancelled { return false }
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
