import Foundation
import Synchronization

/// Progress on standard error: all of it on a terminal, elsewhere a line every ten seconds, so that
/// logs stay short.
final class SparseNotes: Sendable {
    private static let interval: Duration = .seconds(10)

    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(
        isTerminal: Bool = isatty(STDERR_FILENO) == 1,
        write: @escaping @Sendable (String) -> Void = { Terminal.note($0) }
    ) {
        self.isTerminal = isTerminal
        self.write = write
        if !isTerminal { last.withLock { $0 = .now } }
    }

    /// Replaces the line on a terminal; elsewhere as `note`.
    func show(_ line: String) {
        if isTerminal { Terminal.progress(line) } else { note(line) }
    }

    /// Takes the line of `show` away again.
    func clear() {
        if isTerminal { Terminal.progress("") }
    }

    /// Writes a line, or leaves it out because another one was written not long ago.
    func note(_ line: String, at now: ContinuousClock.Instant = .now) {
        let isDue = last.withLock { last in
            guard !isTerminal, let before = last else { return true }
            guard now - before >= Self.interval else { return false }
            last = now
            return true
        }
        if isDue { write(line) }
    }
}
