import Synchronization

/// Children are begun one at a time.
///
/// Foundation's pipes are not closed by `exec`, and a child closes only the descriptors that were
/// open when it was prepared. Of two that are begun at once, one may keep the other's pipe open, and
/// a reader that waits for its end waits for ever.
package enum Spawning {
    private static let lock = Mutex(())

    /// Makes pipes and begins a child, alone.
    package static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        try lock.withLock { _ in try body() }
    }
}
