package import HubModel

/// The operations that a memory store refuses or stalls until tests say otherwise.
package struct MemoryFaults: Sendable {
    /// Registration changes are refused.
    package var changes: StoreError?
    /// Log records are refused.
    package var records: StoreError?
    /// Checkpoints and revocations are refused.
    package var cursors: StoreError?
    /// Neither the log nor registrations can be read.
    package var reads: StoreError?
    /// Runs at the start of each commit, on the writer's thread: blocks there to stall it.
    package var stall: (@Sendable () -> Void)?

    /// Nothing goes wrong.
    package init(
        changes: StoreError? = nil,
        records: StoreError? = nil,
        cursors: StoreError? = nil,
        reads: StoreError? = nil,
        stall: (@Sendable () -> Void)? = nil
    ) {
        self.changes = changes
        self.records = records
        self.cursors = cursors
        self.reads = reads
        self.stall = stall
    }
}
