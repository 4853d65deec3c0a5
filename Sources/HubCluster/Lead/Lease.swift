package import HubVocabulary

/// One run of a node, and whether it leads the hubs of a database.
///
///     standby ──── took ────▶ leading ──── lost, or ended ────▶ over
///
/// A run sends one request at a time. It counts its belief from before a request was sent, so that
/// ends before the lease does, whenever the answer comes. Belief is for questions; a commit
/// is stored under its fence alone.
package struct Lease: Sendable {
    private enum State {
        /// `term` may be taken over from `lapse` on; nil until the row was read.
        case standby(LeadRow?, lapse: Instant)
        /// Believed until `end`.
        case leading(UInt64, end: Instant)
        case over
    }

    /// This run; no other has the same number.
    package let run: UInt64
    private let limits: LeaseLimits
    private var state: State
    /// When the next request is due.
    private var due: Instant

    /// A run that has asked nothing yet.
    package init(run: UInt64, limits: LeaseLimits = LeaseLimits(), now: Instant) {
        self.run = run
        self.limits = limits
        state = .standby(nil, lapse: now)
        due = now
    }

    // MARK: Requests

    /// Milliseconds until the next request is due; nil when none is any more.
    package func pause(now: Instant) -> UInt64? {
        if case .over = state { return nil }
        return due.milliseconds(since: now)
    }

    /// The request that is due; nil when none is any more.
    package func request(now: Instant) -> LeaseRequest? {
        switch state {
        case .standby(let row?, let lapse) where now >= lapse: .take(over: row.term)
        case .standby: .look
        case .leading(let term, _): .renew(term)
        case .over: nil
        }
    }

    /// Gives the lead up, or the wait for it; the request that lets another have it at once.
    package mutating func end() -> LeaseRequest? {
        defer { state = .over }
        guard case .leading(let term, _) = state else { return nil }
        return .release(term)
    }

    // MARK: Answers

    /// Takes the answer to the request that was sent at `sent`.
    package mutating func receive(_ row: LeadRow, sent: Instant, now: Instant) -> LeaseNews? {
        switch state {
        case .standby(let known, _):
            // A request to take whose answer was lost may have been carried out.
            if row.holder == run, row.isHeld {
                lead(row, sent: sent)
                return .took(row.term)
            }
            // One that is promised to another is asked for again until the promise has lapsed.
            let wait = row.isPromised(beside: run) ? max(row.left, limits.look) : row.left
            let lapse = now.adding(milliseconds: wait)
            state = .standby(row, lapse: lapse)
            due = min(now.adding(milliseconds: limits.look), lapse)
            let isNews = known.map { ($0.term, $0.isHeld) != (row.term, row.isHeld) } ?? true
            return isNews ? .follows(row) : nil
        case .leading(let term, _):
            guard row.term == term, row.holder == run else {
                state = .over
                return .lost(row)
            }
            lead(row, sent: sent)
            return row.isPromised(beside: run) ? .asked : nil
        case .over: return nil
        }
    }

    /// Notes that a request was not answered; it may have been carried out, or may yet be.
    package mutating func fail(now: Instant) { due = now.adding(milliseconds: limits.retry) }

    private mutating func lead(_ row: LeadRow, sent: Instant) {
        let believed = row.left > limits.margin ? row.left - limits.margin : 0
        state = .leading(row.term, end: sent.adding(milliseconds: believed))
        due = sent.adding(milliseconds: limits.renewal)
    }

    // MARK: Beliefs

    /// Whether no other node can lead at this moment.
    package func leads(at now: Instant) -> Bool { left(at: now) > 0 }

    /// Milliseconds for which it still believes in its lease; 0 when it does not.
    package func left(at now: Instant) -> UInt64 {
        guard case .leading(_, let end) = state else { return 0 }
        return end.milliseconds(since: now)
    }

    /// The term under which it leads; nil when it does not, or no longer.
    package var term: UInt64? {
        guard case .leading(let term, _) = state else { return nil }
        return term
    }
}
