import Synchronization

/// Ends the reading of bodies that do not arrive in time.
///
/// A timer for each request would cost more than reading its body: one task looks at all bodies
/// that are being read, eight times within the deadline, and only while there are any.
final class BodyDeadlines: Sendable {
    private struct Waiting {
        let due: ContinuousClock.Instant
        let reading: Task<Void, Never>
    }

    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var counter: UInt64 = 0
        var isLooking = false
    }

    private let deadline: Duration
    private let state = Mutex(State())

    init(_ deadline: Duration) { self.deadline = deadline }

    /// Has a task cancelled when it is not `removed` within the deadline.
    func add(_ reading: Task<Void, Never>) -> UInt64 {
        let due = ContinuousClock.now + deadline
        let (number, mustLook) = state.withLock { state in
            state.counter += 1
            state.waiting[state.counter] = Waiting(due: due, reading: reading)
            let mustLook = !state.isLooking
            state.isLooking = true
            return (state.counter, mustLook)
        }
        if mustLook { Task { await self.look() } }
        return number
    }

    /// The task has ended; says whether that was in time.
    func remove(_ number: UInt64) -> Bool {
        state.withLock { $0.waiting.removeValue(forKey: number) != nil }
    }

    private func look() async {
        while true {
            // No code cancels this task, so the sleep ends by itself.
            try? await Task.sleep(for: deadline / 8)
            let now = ContinuousClock.now
            let (late, isDone) = state.withLock { state in
                let late = state.waiting.filter { $0.value.due <= now }
                for number in late.keys { state.waiting[number] = nil }
                state.isLooking = !state.waiting.isEmpty
                return (late, state.waiting.isEmpty)
            }
            for waiting in late.values { waiting.reading.cancel() }
            if isDone { return }
        }
    }
}
