import Synchronization

/// Tests that share something of the process take turns, in the order in which they ask.
///
/// Of a suite that is `.serialized` each test asks for its place behind all other tests only when the
/// one before it has ended, so that such suites run on alone in the end. These ask all at once.
package final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The first one may begin at once.
    package init() {}

    /// Does something while no other does; the time limit of the test limits the wait.
    package func alone<Result>(_ body: () throws -> Result) async rethrows -> Result {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
        defer { pass() }
        return try body()
    }

    /// Lets the next one begin.
    private func pass() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
