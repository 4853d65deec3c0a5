package import HubVocabulary

/// Whether the clock of a database goes as a node's own does, which goes on evenly.
///
/// Leases hold by that clock. One that is set, or that of another host, ends a lease sooner or later
/// than its node believes.
package struct ClockWatch: Sendable {
    private struct Answer {
        var clock: UInt64
        var sent: Instant
        var received: Instant
    }

    private let margin: UInt64
    private var last: Answer?

    /// Looks for steps of more milliseconds than `margin`.
    package init(margin: UInt64) { self.margin = margin }

    /// Takes the clock, in milliseconds since 1970, that an answer had: it was read after `sent` and
    /// before `received`.
    ///
    /// - Returns: milliseconds by which it was stepped at least, negative for back; nil where the time
    ///   that answers take explains what is seen.
    package mutating func receive(
        _ clock: UInt64,
        sent: Instant,
        received: Instant
    ) -> Int64? {
        defer { last = Answer(clock: clock, sent: sent, received: received) }
        guard let last else { return nil }
        let elapsed = Int64(clamping: clock) - Int64(clamping: last.clock)
        let least = Int64(clamping: sent.milliseconds(since: last.received))
        // Both ends are cut to whole milliseconds.
        let most = Int64(clamping: received.milliseconds(since: last.sent)) + 1
        if elapsed > most + Int64(margin) { return elapsed - most }
        if elapsed < least - 1 - Int64(margin) { return elapsed - least }
        return nil
    }
}
