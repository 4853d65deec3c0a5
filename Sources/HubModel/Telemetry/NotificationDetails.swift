package import HubVocabulary

/// Where a notification is on its way.
///
/// Source: REST §12.
package enum NotificationState: String, CaseIterable, Sendable {
    /// Waits for its time.
    case scheduled = "Scheduled"
    /// Was taken back before its time.
    case cancelled = "Canceled"
    /// Accepted; no shard has come to it.
    case enqueued = "Enqueued"
    /// Shards are fanning it out; counts are partial.
    case processing = "Processing"
    /// Fanned out to everybody who was connected; the log holds it for the others.
    case completed = "Completed"
    /// No registration matches.
    case noTargetFound = "NoTargetFound"
    /// Not fanned out within 30 minutes.
    case abandoned = "Abandoned"
}

/// The state of a notification and its counters so far.
package struct NotificationDetails: Sendable {
    /// The notification.
    package var record: NotificationRecord
    /// Where it is.
    package var state: NotificationState
    /// When the fan-out began; nil while it is enqueued.
    package var started: Timestamp?
    /// When every shard had fanned it out; nil before.
    package var ended: Timestamp?
    /// The platforms with anything to tell, ascending.
    package var platforms: [PlatformDetails]
    /// How old it was when devices told of it; nil for an old one, and when nothing was told since
    /// the process began.
    package var curve: ReceiptCurve?

    /// Puts details together.
    package init(
        record: NotificationRecord,
        state: NotificationState,
        started: Timestamp?,
        ended: Timestamp?,
        platforms: [PlatformDetails],
        curve: ReceiptCurve? = nil
    ) {
        self.record = record
        self.state = state
        self.started = started
        self.ended = ended
        self.platforms = platforms
        self.curve = curve
    }
}
