package import Logging
import Synchronization

/// The least severe level that is logged; it can be changed while the server runs.
package final class LogLevel: Sendable {
    private let level: Mutex<Logger.Level>

    /// Begins with a level.
    package init(_ level: Logger.Level) { self.level = Mutex(level) }

    /// The level of now.
    package var present: Logger.Level {
        get { level.withLock { $0 } }
        set { level.withLock { $0 = newValue } }
    }
}
