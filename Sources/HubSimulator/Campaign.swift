/// Many seeds, added up.
package struct Campaign: Sendable {
    /// Seeds that ran.
    package private(set) var seeds = 0
    /// Events other than the mere passing of time.
    package private(set) var steps = 0
    /// Simulated seconds.
    package private(set) var seconds = 0.0
    /// How often each kind of fault struck, by raw value.
    package private(set) var faults = [Int](repeating: 0, count: FaultKind.allCases.count)
    /// Messages that apps got, transient ones included.
    package private(set) var deliveries = 0
    /// Records that were durable at some time.
    package private(set) var records = 0
    /// Records that left the log, because they were owed to no device any more.
    package private(set) var trimmed = 0
    /// Requests with many sends.
    package private(set) var manySends = ManySendCounts()
    /// Runs in which something was violated, in the order in which they were added.
    package private(set) var failures: [SimulationOutcome] = []

    /// An empty sum.
    package init() {}

    /// Adds a run.
    package mutating func add(_ outcome: SimulationOutcome) {
        seeds += 1
        steps += outcome.steps
        seconds += outcome.seconds
        for index in faults.indices { faults[index] += outcome.faults[index] }
        deliveries += outcome.deliveries + outcome.transientDeliveries
        records += outcome.records
        trimmed += outcome.trimmed
        manySends.add(outcome.manySends)
        if !outcome.violations.isEmpty { failures.append(outcome) }
    }

    /// Adds another sum.
    package mutating func add(_ other: Campaign) {
        seeds += other.seeds
        steps += other.steps
        seconds += other.seconds
        for index in faults.indices { faults[index] += other.faults[index] }
        deliveries += other.deliveries
        records += other.records
        trimmed += other.trimmed
        manySends.add(other.manySends)
        failures += other.failures
    }
}
