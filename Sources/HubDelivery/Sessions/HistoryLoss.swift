import HubWire

/// A piece of the log that a session skips, and that its device must hear of.
///
/// Its matches are not known any more, or are more than the hub keeps, or an operator purged them.
struct HistoryLoss {
    /// The last record of it.
    var through: UInt64
    /// That record's check value; nil until everything up to there was looked at.
    var check: UInt32?
    /// Notifications that are lost; `ResumeDecision.lostUnknown` when the hub cannot know.
    var lost: UInt32
    /// Why.
    var reason: GapReason
    /// GAP was written.
    var isTold = false
}
