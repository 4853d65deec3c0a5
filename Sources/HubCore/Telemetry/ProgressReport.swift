/// What became of deliveries on one shard since its last report.
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
    /// What devices acknowledged, in the order of `cursors`; each says how many are its own.
    package var acknowledged: [AcknowledgedEntry]
    /// Matches that devices do not get, in the order of `cursors`; each says how many are its own.
    package var unsent: [CounterDelta]
    /// Everything else that was counted.
    package var counters: [CounterDelta]
    /// What devices said of notifications.
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

/// Entries of one notification that a device stored.
package struct AcknowledgedEntry: Hashable, Sendable {
    /// The notification's place.
    package var sequence: UInt64
    /// Whose registrations they came for.
    package var platform: Platform
    /// How many.
    package var count: UInt16

    /// Makes an entry.
    package init(sequence: UInt64, platform: Platform, count: UInt16) {
        self.sequence = sequence
        self.platform = platform
        self.count = count
    }
}

/// One record of RECEIPTS, with the device that sent it.
package struct DeviceReceipt: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// What it is about.
    package var notification: NotificationID
    /// Its number in the protocol.
    package var event: UInt8
    /// The registration that it came for; 0xFFFF for a direct send.
    package var slot: UInt16

    /// Makes a receipt.
    package init(
        device: DeviceID,
        notification: NotificationID,
        event: UInt8,
        slot: UInt16
    ) {
        self.device = device
        self.notification = notification
        self.event = event
        self.slot = slot
    }
}

/// Cursors and counters for the store: one transaction.
package struct CheckpointBatch: Equatable, Sendable {
    /// Dense, from `HubStorage.checkpointNumber + 1`; a batch that was applied is not applied again.
    package var number: UInt64
    /// Changed cursors, by device.
    package var cursors: [StoredCursor]
    /// Additions, ascending by notification and platform, each counter once.
    package var counters: [CounterDelta]
    /// Counters of notifications below are forgotten, from here on in all batches.
    package var countersFloor: UInt64

    /// Makes a batch.
    package init(
        number: UInt64,
        cursors: [StoredCursor] = [],
        counters: [CounterDelta] = [],
        countersFloor: UInt64 = 0
    ) {
        self.number = number
        self.cursors = cursors
        self.counters = counters
        self.countersFloor = countersFloor
    }
}
