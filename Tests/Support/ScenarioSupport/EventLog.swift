import Dispatch
import Synchronization

/// What happened, in order; a test waits for what it expects, with a deadline, never for time.
final class EventLog<Event: Sendable>: Sendable {
    /// The deadline passed, or nothing more can come.
    struct Missing: Error, CustomStringConvertible {
        let expectation: String
        let isOver: Bool
        let events: [Event]

        var description: String {
            let reason = isOver ? "the end came" : "the deadline passed"
            return "\(reason) without \(expectation); until then: \(events.suffix(40))"
        }
    }

    private struct Waiter {
        var isDone: @Sendable ([Event]) -> Bool
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var events: [Event] = []
        var isOver = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// Everything so far.
    var events: [Event] { state.withLock { $0.events } }

    /// Adds an event and wakes those who waited for it.
    func append(_ event: Event) {
        let ready = state.withLock { state in
            state.events.append(event)
            var ready: [CheckedContinuation<Bool, Never>] = []
            for (id, waiter) in state.waiters where waiter.isDone(state.events) {
                ready.append(waiter.continuation)
                state.waiters[id] = nil
            }
            return ready
        }
        for continuation in ready { continuation.resume(returning: true) }
    }

    /// Nothing more will come.
    func finish() {
        let left = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in left { continuation.resume(returning: false) }
    }

    /// Waits until everything so far satisfies a condition, and returns it.
    /// - Throws: `Missing` after `seconds`, or when nothing more can come.
    @discardableResult
    func wait(
        for expectation: String,
        seconds: Int = 120,
        until isDone: @escaping @Sendable ([Event]) -> Bool
    ) async throws -> [Event] {
        let isMet = await withCheckedContinuation { continuation in
            register(isDone, continuation, seconds: seconds)
        }
        let (events, isOver) = state.withLock { ($0.events, $0.isOver) }
        guard isMet else {
            throw Missing(expectation: expectation, isOver: isOver, events: events)
        }
        return events
    }

    /// Waits until an event of a kind was there so many times behind those that are known; looks at
    /// each of them once.
    /// - Throws: `Missing` after `seconds`, or when nothing more can come.
    func wait(
        for expectation: String,
        seconds: Int = 120,
        times: Int,
        behind known: Int = 0,
        of isMeant: @escaping @Sendable (Event) -> Bool
    ) async throws {
        let seen = Mutex((events: known, meant: 0))
        try await wait(for: expectation, seconds: seconds) { events in
            seen.withLock { seen in
                seen.meant += events.dropFirst(seen.events).count(where: isMeant)
                seen.events = max(seen.events, events.count)
                return seen.meant >= times
            }
        }
    }

    /// Waits until nothing more can come.
    func end(seconds: Int = 120) async throws {
        do {
            try await wait(for: "an end", seconds: seconds) { _ in false }
        } catch let missing as Missing where missing.isOver {
            return
        }
    }

    private func register(
        _ isDone: @escaping @Sendable ([Event]) -> Bool,
        _ continuation: CheckedContinuation<Bool, Never>,
        seconds: Int
    ) {
        var waiting: Int?
        var isMet = false
        state.withLock { state in
            isMet = isDone(state.events)
            guard !isMet, !state.isOver else { return }
            waiting = state.nextWaiter
            state.waiters[state.nextWaiter] = Waiter(isDone: isDone, continuation: continuation)
            state.nextWaiter += 1
        }
        guard let waiting else { return continuation.resume(returning: isMet) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in
            let late = state.withLock { $0.waiters.removeValue(forKey: waiting) }
            late?.continuation.resume(returning: false)
        }
    }
}
