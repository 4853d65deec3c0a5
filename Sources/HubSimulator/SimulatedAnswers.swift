import Synchronization

/// The answers of callers, until they take them.
final class SimulatedAnswers: Sendable {
    private let waiting = Mutex<[@Sendable (Senders) -> Void]>([])

    /// Keeps how a caller takes its answer.
    func add(_ body: @escaping @Sendable (Senders) -> Void) {
        waiting.withLock { $0.append(body) }
    }

    /// Returns what was kept, in order.
    func takeAll() -> [@Sendable (Senders) -> Void] {
        waiting.withLock { all in
            defer { all = [] }
            return all
        }
    }
}
