import Synchronization

/// Counts wrong credentials, so that passwords cannot be guessed quickly.
///
/// One count for a user from one address, so that a stranger cannot lock a user out from elsewhere,
/// and one for an address, so that many names do not help.
final class FailureLimiter: Sendable {
    private struct Key: Hashable {
        var address: String
        var user: String?
    }

    private struct Count {
        var failures: Int
        var since: Int64
    }

    private struct State {
        var counts: [Key: Count] = [:]
        /// Keys in the order in which they came; those before `start` are gone.
        var order: [Key] = []
        var start = 0
    }

    private let limits: BackendLimits
    private let state = Mutex(State())

    init(_ limits: BackendLimits) { self.limits = limits }

    /// Seconds until an address may try a user again; nil when it may now.
    func secondsToWait(address: String, user: String, now: Int64) -> Int64? {
        state.withLock { state in
            let tests = [
                (Key(address: address, user: user), limits.failuresPerUserMax),
                (Key(address: address, user: nil), limits.failuresPerAddressMax),
            ]
            let waits = tests.compactMap { key, most -> Int64? in
                guard let count = state.counts[key], count.failures >= most else { return nil }
                let left = count.since + limits.failureWindowSeconds - now
                return left > 0 ? left : nil
            }
            return waits.max()
        }
    }

    /// Notes a failure.
    func failed(address: String, user: String, now: Int64) {
        state.withLock { state in
            for key in [Key(address: address, user: user), Key(address: address, user: nil)] {
                if var count = state.counts[key], now < count.since + limits.failureWindowSeconds {
                    count.failures += 1
                    state.counts[key] = count
                } else {
                    if state.counts[key] == nil { state.order.append(key) }
                    state.counts[key] = Count(failures: 1, since: now)
                }
            }
            while state.counts.count > limits.failureEntriesMax, state.start < state.order.count {
                state.counts[state.order[state.start]] = nil
                state.start += 1
            }
            if state.start > limits.failureEntriesMax {
                state.order.removeFirst(state.start)
                state.start = 0
            }
        }
    }

    /// Forgets the failures of a user who has given the right password.
    func succeeded(address: String, user: String) {
        state.withLock { state in
            // The entry stays in its place, so that the order needs no search.
            state.counts[Key(address: address, user: user)]?.failures = 0
        }
    }

    /// How many names and addresses are remembered.
    var entries: Int { state.withLock { $0.counts.count } }
}
