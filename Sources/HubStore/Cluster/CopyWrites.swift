package import HubModel
import Synchronization

/// Whether a leader's copy has every group that its database has; any thread asks.
package final class CopyWrites: Sendable {
    private let failing = Mutex<(error: StoreError, since: ContinuousClock.Instant)?>(nil)

    /// Begins with a copy that has all.
    package init() {}

    /// A group could not be written, or nothing is missing any more.
    package func note(_ error: StoreError?) {
        failing.withLock { failing in
            failing = error.map { ($0, failing?.since ?? .now) }
        }
    }

    /// Why a group is missing; nil when none is.
    package var error: StoreError? { failing.withLock { $0?.error } }

    /// For how long groups have been missing; nil when none is.
    package var lasting: Duration? { failing.withLock { $0?.since.duration(to: .now) } }
}
