/// A lane's word to the directory: what to store, and what to count with it.
package struct LaneReport: Sendable {
    /// The changes to store.
    package var progress: LaneProgress
    /// How notifications ended since the last report.
    package var counters: [CounterDelta]

    /// Makes a report of its parts.
    package init(progress: LaneProgress, counters: [CounterDelta]) {
        self.progress = progress
        self.counters = counters
    }
}
