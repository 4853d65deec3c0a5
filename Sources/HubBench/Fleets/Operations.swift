import HubClient
import HubVocabulary
import Synchronization

/// When operations should begin: all at once, or at a rate.
///
/// At a rate the moments are fixed before the first one begins. An operation that waits because
/// others take long counts from the moment at which it should have begun, so a hub that stands still
/// is seen in all that came due meanwhile, and not only in the one that met it.
struct OperationPlan: Equatable, Sendable {
    let start: Instant
    /// Operations in a second; nil begins each as soon as a worker is free.
    let rate: Double?

    /// When the operation with this number should begin; nil for as soon as possible.
    func due(_ number: Int) -> Instant? {
        guard let rate, rate > 0 else { return nil }
        return start + .nanoseconds(Int64((Double(number) / rate * 1_000_000_000).rounded()))
    }
}

/// Carries out many operations, a bounded number at once.
struct Operations: Sendable {
    /// How many.
    var count: Int
    /// How many at once.
    var workers: Int
    /// How many begin in a second; nil for as many as can.
    var rate: Double?

    /// Carries them out.
    ///
    /// `operation` is given its number, the worker's and when it should have begun. The results are
    /// in the order of their numbers.
    func run<Result: Sendable>(
        _ operation: @escaping @Sendable (Int, Int, Instant) async -> Result
    ) async -> [Result] {
        let plan = OperationPlan(start: .now, rate: rate)
        let gate = OperationGate(count)
        let numbered = await withTaskGroup(of: [(Int, Result)].self) { group in
            for worker in 0..<max(1, min(workers, count)) {
                group.addTask {
                    var results: [(Int, Result)] = []
                    while let number = gate.next(), !Task.isCancelled {
                        let due = plan.due(number)
                        if let due, due > .now { await Pause.last(due.since(.now)) }
                        results.append(
                            (number, await operation(number, worker, due ?? .now))
                        )
                    }
                    return results
                }
            }
            var all: [(Int, Result)] = []
            for await results in group { all += results }
            return all
        }
        return numbered.sorted { $0.0 < $1.0 }.map { $0.1 }
    }
}

/// Gives out numbers to workers.
private final class OperationGate: Sendable {
    private let given = Atomic<Int>(0)
    private let count: Int

    init(_ count: Int) { self.count = count }

    func next() -> Int? {
        let number = given.wrappingAdd(1, ordering: .relaxed).oldValue
        return number < count ? number : nil
    }
}
