package import HubVocabulary
import Synchronization

/// The core's limits of now, for all who ask while a reload may change them.
package final class LimitsInForce: Sendable {
    private let limits: Mutex<CoreLimits>

    /// Begins with some limits.
    package init(_ limits: CoreLimits) { self.limits = Mutex(limits) }

    /// The limits of now; each request reads them once for each of its rules.
    package var present: CoreLimits {
        get { limits.withLock { $0 } }
        set { limits.withLock { $0 = newValue } }
    }
}
