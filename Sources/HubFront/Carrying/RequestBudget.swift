import Synchronization

/// How many requests a front has, and how large their bodies are; for any thread.
///
/// Requests whose token opens nothing, as far as the node knows, have a small part of their own:
/// they may still be right, since keys change, but strangers take no place from senders.
package final class RequestBudget: Sendable {
    private struct Part {
        var requests = 0
        var bytes = 0
    }

    /// The place of one request, until its last holder lets go of it.
    package final class Place: Sendable {
        private let budget: RequestBudget
        private let bytes: Int
        private let isKnown: Bool

        fileprivate init(_ budget: RequestBudget, bytes: Int, isKnown: Bool) {
            self.budget = budget
            self.bytes = bytes
            self.isKnown = isKnown
        }

        deinit { budget.leave(bytes: bytes, isKnown: isKnown) }
    }

    private let limits: FrontLimits
    private let state = Mutex((known: Part(), strangers: Part()))

    /// None yet.
    package init(_ limits: FrontLimits) { self.limits = limits }

    /// A place for a request whose body has at most so many bytes; nil when there is none.
    package func enter(bytes: Int, isKnown: Bool) -> Place? {
        let hasEntered = state.withLock { state in
            isKnown
                ? Self.add(bytes, to: &state.known, limits.requests, limits.requestBytes)
                : Self.add(bytes, to: &state.strangers, limits.strangers, limits.strangerBytes)
        }
        return hasEntered ? Place(self, bytes: bytes, isKnown: isKnown) : nil
    }

    private static func add(_ bytes: Int, to part: inout Part, _ most: Int, _ room: Int) -> Bool {
        guard part.requests < most, part.bytes + bytes <= room else { return false }
        part.requests += 1
        part.bytes += bytes
        return true
    }

    private func leave(bytes: Int, isKnown: Bool) {
        state.withLock { state in
            if isKnown {
                state.known.requests -= 1
                state.known.bytes -= bytes
            } else {
                state.strangers.requests -= 1
                state.strangers.bytes -= bytes
            }
        }
    }

    /// Requests that have a place.
    package var requests: Int { state.withLock { $0.known.requests + $0.strangers.requests } }
}
