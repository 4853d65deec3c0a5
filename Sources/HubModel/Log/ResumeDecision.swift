import HubVocabulary
package import HubWire

/// How the position a device shows relates to the log, and where delivery goes on.
///
/// A pure function of its arguments; every row of the rules is one branch. Source: rules B.1–B.6.
package struct ResumeDecision: Hashable, Sendable {
    /// FRESH, RESUMED, GAP or RESET.
    package var outcome: ResumeOutcome
    /// Where delivery goes on, with the check value of that place.
    package var start: Position
    /// Notifications lost with GAP; `ResumeDecision.lostUnknown` when the hub cannot know.
    package var lost: UInt32
    /// Everything at or below needs no evaluation; at least `start.sequence`.
    package var scannedThrough: UInt64
    /// The position is not of this history: the operator hears *history fork suspected*.
    package var isMismatch: Bool

    /// The value of `lost` that says how many is unknown.
    package static let lostUnknown: UInt32 = 0xFFFF_FFFF

    /// A device's progress, as the hub knows it.
    ///
    /// Source: rules B.5.
    package struct Cursor: Hashable, Sendable {
        /// Highest acknowledged sequence number.
        package var acknowledged: UInt64
        /// Evaluated up to here, and nothing is outstanding.
        package var scannedThrough: UInt64

        /// Makes a cursor.
        package init(acknowledged: UInt64, scannedThrough: UInt64) {
            self.acknowledged = acknowledged
            self.scannedThrough = scannedThrough
        }
    }

    /// Decides.
    ///
    /// `lowestSince` is the lowest place from which a registration of the device gets anything,
    /// `historyCut` the highest place below which a tag history was cut; nil when there is none.
    /// `check` is the log's check value at a sequence number, asked for at most two places.
    /// - Throws: what `check` throws; nothing is decided then.
    package static func decide(
        position: Position,
        bounds: LogBounds,
        cursor: Cursor?,
        lowestSince: UInt64?,
        historyCut: UInt64?,
        check: (UInt64) throws(StoreError) -> UInt32?
    ) throws(StoreError) -> ResumeDecision {
        let floor = bounds.first - 1
        var outcome: ResumeOutcome
        var start: UInt64
        if position.epoch != 0, try fits(position, bounds: bounds, check: check) {
            outcome = .resumed
            start = max(floor, position.sequence)
        } else {
            outcome = position.epoch == 0 ? .fresh : .reset
            start = max(floor, min(bounds.head, known(cursor, lowestSince, bounds)))
        }
        var scanned = start
        if let cursor, cursor.acknowledged == start {
            scanned = max(start, min(cursor.scannedThrough, bounds.head))
        }
        var lost: UInt32 = 0
        let seen = outcome == .resumed ? position.sequence : known(cursor, lowestSince, bounds)
        if isPurgeUntold(after: seen, cursor, bounds) {
            lost = lostUnknown
            if outcome != .reset { outcome = .gap }
        }
        if let historyCut, scanned < historyCut - 1, start < bounds.head {
            start = min(historyCut - 1, bounds.head)
            scanned = start
            lost = lostUnknown
            if outcome != .reset { outcome = .gap }
        }
        let isAsShown = outcome == .resumed && start == position.sequence
        return ResumeDecision(
            outcome: outcome,
            start: Position(
                epoch: bounds.epoch,
                sequence: start,
                check: isAsShown ? position.check : try check(start) ?? 0
            ),
            lost: lost,
            scannedThrough: scanned,
            isMismatch: outcome == .reset
        )
    }

    /// Whether what was purged has left the log before a device was told how much of it was its own.
    ///
    /// Source: rules B.6.
    private static func isPurgeUntold(
        after seen: UInt64,
        _ cursor: Cursor?,
        _ bounds: LogBounds
    ) -> Bool {
        var scanned = seen
        if let cursor, cursor.acknowledged == seen { scanned = max(seen, cursor.scannedThrough) }
        return scanned < bounds.purgedGone
    }

    /// How far a device has come that shows no position, or none of this history.
    private static func known(
        _ cursor: Cursor?,
        _ lowestSince: UInt64?,
        _ bounds: LogBounds
    ) -> UInt64 {
        cursor?.acknowledged ?? lowestSince.map { $0 - 1 } ?? bounds.head
    }

    /// Whether the position is one that this very history gave out.
    ///
    /// Source: rules B.2, B.3.
    private static func fits(
        _ position: Position,
        bounds: LogBounds,
        check: (UInt64) throws(StoreError) -> UInt32?
    ) throws(StoreError) -> Bool {
        guard let index = bounds.epochs.firstIndex(where: { $0.epoch == position.epoch }) else {
            return false
        }
        if index + 1 < bounds.epochs.count,
            position.sequence >= bounds.epochs[index + 1].sequence
        {
            return false
        }
        guard position.sequence <= bounds.head else { return false }
        let floor = bounds.first - 1
        if position.sequence < floor { return true }
        guard let recorded = try check(position.sequence) else {
            // The record just below the log's first may be forgotten with its file.
            return position.sequence == floor
        }
        return recorded == position.check
    }
}
