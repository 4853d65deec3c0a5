package import HubVocabulary

/// Cursors, counters and places of lanes for the store: one transaction.
package struct CheckpointBatch: Equatable, Sendable {
    /// Dense, from `HubStorage.checkpointNumber + 1`; a batch that was applied is not applied again.
    package var number: UInt64
    /// Devices whose cursor the store forgets before it merges `cursors`.
    package var forgotten: [DeviceID]
    /// Changed cursors, by device.
    package var cursors: [StoredCursor]
    /// Additions, ascending by notification and platform, each counter once.
    package var counters: [CounterDelta]
    /// Lanes that went on; their ends are among the counters.
    package var lanes: [LaneProgress]
    /// Counters of notifications below are forgotten, from here on in all batches.
    package var countersFloor: UInt64

    /// Makes a batch.
    package init(
        number: UInt64,
        forgotten: [DeviceID] = [],
        cursors: [StoredCursor] = [],
        counters: [CounterDelta] = [],
        lanes: [LaneProgress] = [],
        countersFloor: UInt64 = 0
    ) {
        self.number = number
        self.forgotten = forgotten
        self.cursors = cursors
        self.counters = counters
        self.lanes = lanes
        self.countersFloor = countersFloor
    }
}
