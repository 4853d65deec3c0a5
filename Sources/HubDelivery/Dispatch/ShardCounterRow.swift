/// One number of `ShardCounters`, and how operators see it.
package struct ShardCounterRow: Sendable {
    /// The name of its series.
    package let label: String
    /// The value that tells it apart from the others of its label; nil when there are none.
    package let reason: String?
    /// The meaning of the series: one sentence.
    package let help: String
    /// Where it is counted.
    package let field: any WritableKeyPath<ShardCounters, UInt64> & Sendable

    fileprivate init(
        _ label: String,
        _ help: String,
        _ field: any WritableKeyPath<ShardCounters, UInt64> & Sendable,
        reason: String? = nil
    ) {
        self.label = label
        self.reason = reason
        self.help = help
        self.field = field
    }

    fileprivate static func unwritten(
        _ reason: String,
        _ field: any WritableKeyPath<ShardCounters, UInt64> & Sendable
    ) -> ShardCounterRow {
        ShardCounterRow(
            "belfry_matches_not_delivered_total",
            "Entries that were not sent, by reason; same is one that the device has already.",
            field,
            reason: reason
        )
    }
}

extension ShardCounters {
    /// Every number but receipts and errors, which have a series for each event and number.
    ///
    /// Sums, samples and their sentences are made of these rows: a counter without one is lost.
    package static let rows: [ShardCounterRow] = [
        .init("belfry_frames_received_total", "Frames from devices.", \.framesReceived),
        .init("belfry_sessions_opened_total", "Sessions opened.", \.sessionsOpened),
        .init(
            "belfry_sessions_fell_behind_total",
            "Times a session left the head of the log.",
            \.fellBehind
        ),
        .init("belfry_deliveries_total", "Entries written to devices.", \.deliveries),
        .init(
            "belfry_deliveries_transient_total",
            "Entries written that are now or never.",
            \.transientDeliveries
        ),
        .init(
            "belfry_deliveries_acknowledged_total",
            "Entries that devices have acknowledged.",
            \.acknowledged
        ),
        .unwritten("expired", \.unwritten.expired),
        .unwritten("same", \.unwritten.skipped),
        .unwritten("collapsed", \.unwritten.collapsed),
        .unwritten("capped", \.unwritten.capped),
        .unwritten("purged", \.unwritten.purged),
        .unwritten("missed", \.unwritten.transientMissed),
        .unwritten("oversized", \.unwritten.oversized),
        .unwritten("damaged", \.unwritten.damaged),
        .init(
            "belfry_parcels_made_total",
            "Renderings and encodings of notifications.",
            \.parcelsMade
        ),
        .init("belfry_selections_total", "Audiences selected from the tag index.", \.selections),
        .init("belfry_flushes_total", "Times a session was given what waited for it.", \.flushes),
        .init(
            "belfry_log_pages_read_total",
            "Pages of the log read for devices that were away.",
            \.reads.pages
        ),
        .init(
            "belfry_readers_looked_at_total",
            "Sessions behind the head looked at because the log had grown.",
            \.reads.readersLookedAt
        ),
        .init(
            "belfry_losses_told_total",
            "Times a device was told of a gap within a session.",
            \.losses
        ),
        .init(
            "belfry_handles_proven_total",
            "Handles of direct sends whose proof was computed.",
            \.handlesProven
        ),
    ]
}
