import Foundation
import Synchronization

/// Progress on standard error: all of it on a terminal, elsewhere a line every ten seconds, so that
/// logs stay short.
package final class SparseNotes: Sendable {
    private static let interval: Duration = .seconds(10)

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Nothing was written yet.
    package init() {
        if !isTerminal { last.withLock { $0 = .now } }
    }

    /// Replaces the line on a terminal; elsewhere as `note`.
    package func show(_ line: String) {
        if isTerminal { Terminal.progress(line) } else { note(line) }
    }

    /// Takes the line of `show` away again.
    package func clear() {
        if isTerminal { Terminal.progress("") }
    }

    /// Writes a line, or leaves it out because another one was written not long ago.
    package func note(_ line: String) {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            guard !isTerminal, let before = last else { return true }
            guard now - before >= Self.interval else { return false }
            last = now
            return true
        }
        if isDue { Terminal.note(line) }
    }
}
