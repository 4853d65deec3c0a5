import HubModel
package import HubVocabulary
package import HubWire

/// The counts of one shard since it started; the operator's numbers and the tests' evidence.
package struct ShardCounters: Sendable, Equatable {
    /// Matches that were not written, by reason.
    package struct Unwritten: Sendable, Equatable {
        /// An identical parcel went to the same device.
        package var skipped: UInt64 = 0
        /// They had expired.
        package var expired: UInt64 = 0
        /// A later one with their collapse key replaced them.
        package var collapsed: UInt64 = 0
        /// More waited than is kept for one device.
        package var capped: UInt64 = 0
        /// An operator purged them.
        package var purged: UInt64 = 0
        /// They are transient, and the session could not take them at once.
        package var transientMissed: UInt64 = 0
        /// Their rendered payload is over the limit.
        package var oversized: UInt64 = 0
        /// Their record is damaged.
        package var damaged: UInt64 = 0
    }

    /// Reads of the log for sessions behind its head.
    package struct Reads: Sendable, Equatable {
        /// Pages that were read.
        package var pages: UInt64 = 0
        /// Sessions that were looked at because something new is in the log.
        package var readersLookedAt: UInt64 = 0
    }

    /// How long deliveries took.
    package struct Latencies: Sendable, Equatable {
        /// From the log to the connection, for each entry that a session at the head of it got.
        package var written = LatencyHistogram()
        /// From the connection to its acknowledgement, for the last entry that each one names.
        package var acknowledged = LatencyHistogram()
    }

    /// Frames that were decoded.
    package var framesReceived: UInt64 = 0
    /// Sessions that reached READY.
    package var sessionsOpened: UInt64 = 0
    /// Entries written, transient ones included.
    package var deliveries: UInt64 = 0
    /// Of these, transient ones.
    package var transientDeliveries: UInt64 = 0
    /// Matches that were not written.
    package var unwritten = Unwritten()
    /// Parcels this shard rendered and encoded; on all shards together one per variant.
    package var parcelsMade: UInt64 = 0
    /// Selections of an audience: at most one per notification.
    package var selections: UInt64 = 0
    /// Flushes of a connection: at most one per connection and turn.
    package var flushes: UInt64 = 0
    /// Sessions that fell behind the feed.
    package var fellBehind: UInt64 = 0
    /// Reads of the log.
    package var reads = Reads()
    /// Losses that sessions were told of by GAP.
    package var losses: UInt64 = 0
    /// Handles of direct sends whose proof was computed: those of devices that are connected here.
    package var handlesProven: UInt64 = 0
    /// Highest acknowledged entries, counted as messages.
    package var acknowledged: UInt64 = 0
    /// Receipt records by event number (0...15; larger ones in 15).
    package var receipts = [UInt64](repeating: 0, count: 16)
    /// ERROR frames and refusals in RESULT, by number.
    package var errors: [ErrorNumber: UInt64] = [:]
    /// How long deliveries took.
    package var latencies = Latencies()

    /// All zero.
    package init() {}

    /// Adds what one session's pass counted.
    mutating func add(_ pass: LivePass.Counts) {
        deliveries += pass.deliveries
        transientDeliveries += pass.transientDeliveries
        unwritten.transientMissed += pass.transientMissed
        unwritten.skipped += pass.skipped
    }

    /// Adds what a page says of matches in front of it.
    mutating func add(_ forgotten: FateCounts) {
        unwritten.expired += forgotten.expired
        unwritten.collapsed += forgotten.collapsed
        unwritten.capped += forgotten.capped
        unwritten.purged += forgotten.purged
    }

    /// Adds the receipts of a frame.
    mutating func add(_ frame: borrowing ReceiptsFrame) {
        for index in 0..<frame.count { receipts[min(Int(frame[index].event), 15)] += 1 }
    }

    /// Adds another shard's numbers.
    package mutating func add(_ other: ShardCounters) {
        for row in Self.rows { self[keyPath: row.field] += other[keyPath: row.field] }
        for index in receipts.indices { receipts[index] += other.receipts[index] }
        errors.merge(other.errors) { $0 + $1 }
        latencies.written.add(other.latencies.written)
        latencies.acknowledged.add(other.latencies.acknowledged)
    }
}
