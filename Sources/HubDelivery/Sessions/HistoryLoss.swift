import HubWire

/// A piece of the log that a session skips, and of which its device must hear: nobody knows any more
/// what matched there, or more did than the hub keeps, or an operator took it back.
struct HistoryLoss {
    /// The last record of it.
    var through: UInt64
    /// That record's check value; nil until everything up to there was looked at.
    var check: UInt32?
    /// Notifications that are lost; `ResumeDecision.lostUnknown` when nobody can know.
    var lost: UInt32
    /// Why.
    var reason: GapReason
    /// GAP was written.
    var isTold = false
}
