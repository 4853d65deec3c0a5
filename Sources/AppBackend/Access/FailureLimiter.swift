import Synchronization

/// Counts wrong credentials, so that passwords cannot be guessed quickly.
///
/// One count for a user from one address, so that a stranger cannot lock a user out from elsewhere,
/// and one for an address, so that many names do not help. All users of this machine share its own
/// addresses, which therefore have the first count alone. Source: rules C.6.
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

    private let limits: BackendLimits.Failures
    private let state = Mutex(State())

    init(_ limits: BackendLimits.Failures) { self.limits = limits }

    /// Whether an address is this machine's own.
    static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }

    /// Seconds until an address may try a user again; nil when it may now.
    func secondsToWait(address: String, user: String, now: Int64) -> Int64? {
        state.withLock { state in
            let waits = keys(address, user).compactMap { key -> Int64? in
                let most =
                    key.user == nil ? limits.perAddressMax : limits.perUserMax
                guard let count = state.counts[key], count.failures >= most else { return nil }
                let left = count.since + limits.windowSeconds - now
                return left > 0 ? left : nil
            }
            return waits.max()
        }
    }

    /// Notes an attempt, which is a failure unless `succeeded` follows.
    func began(address: String, user: String, now: Int64) {
        state.withLock { state in
            for key in keys(address, user) {
                if var count = state.counts[key], now < count.since + limits.windowSeconds {
                    count.failures += 1
                    state.counts[key] = count
                } else {
                    if state.counts[key] == nil { state.order.append(key) }
                    state.counts[key] = Count(failures: 1, since: now)
                }
            }
            while state.counts.count > limits.entriesMax, state.start < state.order.count {
                state.counts[state.order[state.start]] = nil
                state.start += 1
            }
            if state.start > limits.entriesMax {
                state.order.removeFirst(state.start)
                state.start = 0
            }
        }
    }

    /// The attempt was none of a guesser: forgets the user's failures, and takes the address's back.
    func succeeded(address: String, user: String) {
        state.withLock { state in
            // The entries stay in their places, so that the order needs no search.
            for key in keys(address, user) {
                guard let count = state.counts[key] else { continue }
                state.counts[key]?.failures = key.user == nil ? max(0, count.failures - 1) : 0
            }
        }
    }

    private func keys(_ address: String, _ user: String) -> [Key] {
        let own = Key(address: address, user: user)
        return Self.isLoopback(address) ? [own] : [own, Key(address: address, user: nil)]
    }

    /// How many names and addresses are remembered.
    var entries: Int { state.withLock { $0.counts.count } }
}
