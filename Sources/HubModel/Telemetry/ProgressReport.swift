package import HubVocabulary

/// The progress of deliveries on one shard since its last report.
///
/// Everything in it becomes durable together, with the cursors: after a crash either all of it is
/// known, or none, and what is told again then was not counted before. Source: rules B.4.
package struct ProgressReport: Sendable {
    /// The shard.
    package var shard: Int
    /// Every record at or below was fanned out on it.
    package var applied: UInt64
    /// When the last of them was.
    package var appliedAt: Timestamp
    /// How far devices have come.
    package var cursors: [CursorAdvance]
    /// The devices' acknowledgements, in the order of `cursors`; each cursor says how many are its
    /// own.
    package var acknowledged: [AcknowledgedEntry]
    /// Matches that devices do not get, in the order of `cursors`; each says how many are its own.
    package var unsent: [CounterDelta]
    /// Everything else that was counted.
    package var counters: [CounterDelta]
    /// The devices' receipts.
    package var receipts: [DeviceReceipt]

    /// Makes a report.
    package init(
        shard: Int,
        applied: UInt64,
        appliedAt: Timestamp,
        cursors: [CursorAdvance] = [],
        acknowledged: [AcknowledgedEntry] = [],
        unsent: [CounterDelta] = [],
        counters: [CounterDelta] = [],
        receipts: [DeviceReceipt] = []
    ) {
        self.shard = shard
        self.applied = applied
        self.appliedAt = appliedAt
        self.cursors = cursors
        self.acknowledged = acknowledged
        self.unsent = unsent
        self.counters = counters
        self.receipts = receipts
    }
}
