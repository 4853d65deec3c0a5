import Synchronization

/// How many requests a front has, and how large their bodies are; for any thread.
package final class RequestBudget: Sendable {
    private struct State {
        var requests = 0
        var bytes = 0
    }

    private let limits: FrontLimits
    private let state = Mutex(State())

    /// None yet.
    package init(_ limits: FrontLimits) { self.limits = limits }

    /// Takes a place for a request whose body has at most so many bytes; false when there is none.
    package func enter(bytes: Int) -> Bool {
        state.withLock { state in
            guard state.requests < limits.requests, state.bytes + bytes <= limits.requestBytes
            else { return false }
            state.requests += 1
            state.bytes += bytes
            return true
        }
    }

    /// Gives back what `enter` took.
    package func leave(bytes: Int) {
        state.withLock { state in
            state.requests -= 1
            state.bytes -= bytes
        }
    }

    /// Requests that have a place.
    package var requests: Int { state.withLock { $0.requests } }
}
