import Synchronization

/// Whether threads that wait for a database are still to wait; shared by all that use it.
final class DatabasePatience: Sendable {
    private let isOver = Atomic<Bool>(false)

    /// From now on each wait ends with its next attempt.
    func end() { isOver.store(true, ordering: .relaxed) }

    /// Whether waits go on.
    var lasts: Bool { !isOver.load(ordering: .relaxed) }
}
