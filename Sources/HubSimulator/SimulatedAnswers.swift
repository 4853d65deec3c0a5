import Synchronization

/// The answers of callers, until the simulation has them taken.
final class SimulatedAnswers: Sendable {
    private let waiting = Mutex<[@Sendable (Simulation) -> Void]>([])

    /// Keeps how a caller takes its answer.
    func add(_ body: @escaping @Sendable (Simulation) -> Void) {
        waiting.withLock { $0.append(body) }
    }

    /// Returns what was kept, in order.
    func takeAll() -> [@Sendable (Simulation) -> Void] {
        waiting.withLock { all in
            defer { all = [] }
            return all
        }
    }
}
