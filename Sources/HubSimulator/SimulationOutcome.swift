/// The result of a run.
package struct SimulationOutcome: Sendable {
    /// Decides the run.
    package let seed: UInt64
    /// Events other than the mere passing of time.
    package let steps: Int
    /// Simulated seconds.
    package let seconds: Double
    /// Equal for equal runs.
    package let traceHash: UInt64
    /// How often each kind of fault struck, by raw value.
    package let faults: [Int]
    /// Messages that apps got.
    package let deliveries: Int
    /// Transient ones.
    package let transientDeliveries: Int
    /// Records that were durable at some time.
    package let records: Int
    /// Records that left the log, because they were owed to no device any more.
    package let trimmed: Int
    /// Requests with many sends.
    package let manySends: ManySendCounts
    /// The violations; empty for a good run.
    package let violations: [String]
}
