package import HubVocabulary

/// Part of the log for one catching-up session, ascending from where it asked.
package struct LogPage: Sendable {
    /// A part of what the device missed that it does not get.
    package struct Cut: Hashable, Sendable {
        /// The last notification of it, whichever pages it spans.
        package var through: UInt64
        /// The check value there.
        package var check: UInt32
        /// How many notifications of it lie in this page.
        package var count: UInt32
        /// Whether an operator took them back; otherwise there were too many.
        package var isPurge: Bool

        /// Makes a cut.
        package init(through: UInt64, check: UInt32, count: UInt32, isPurge: Bool) {
            self.through = through
            self.check = check
            self.count = count
            self.isPurge = isPurge
        }
    }

    /// Records that cannot be read any more; a page ends with them.
    package struct Damage: Hashable, Sendable {
        /// The first of them.
        package var first: UInt64
        /// The last.
        package var through: UInt64
        /// The check value there, as far as it is known.
        package var check: UInt32
        /// How many.
        package var count: UInt32

        /// Names some records.
        package init(first: UInt64, through: UInt64, check: UInt32, count: UInt32) {
            self.first = first
            self.through = through
            self.check = check
            self.count = count
        }
    }

    /// Whom it is for.
    package var address: ConnectionAddress
    /// Distinguishes this read from an older one of the same connection.
    package var ticket: UInt32
    /// Records in `(after, through]`, ascending: those with a match that is sent, or all of them
    /// when `matches` is nil.
    package var records: [NotificationRecord]
    /// The matches, sent or not, ascending; nil when the records were not compared with
    /// registrations.
    package var matches: [MissedSet.Match]?
    /// The place through which records had been purged when the session asked.
    package var purgedThrough: UInt64 = 0
    /// The notifications that a GAP announces; nil for none.
    package var cut: Cut?
    /// The records that cannot be read, where the page ends; nil for none.
    package var damage: Damage?
    /// Matches in front of `matches` that were too many to be told one by one.
    package var forgotten = FateCounts()
    /// The check value that was wanted; nil when the log does not hold it.
    package var check: UInt32?
    /// Everything at or below was looked at.
    package var through: UInt64
    /// The read failed: the session closes with UNAVAILABLE and comes back.
    package var failed: Bool

    /// Makes a page.
    package init(
        address: ConnectionAddress,
        ticket: UInt32,
        records: [NotificationRecord],
        matches: [MissedSet.Match]? = nil,
        cut: Cut? = nil,
        check: UInt32? = nil,
        through: UInt64,
        failed: Bool = false
    ) {
        self.address = address
        self.ticket = ticket
        self.records = records
        self.matches = matches
        self.cut = cut
        self.check = check
        self.through = through
        self.failed = failed
    }

    /// The answer to a query that could not be read.
    package init(failing query: LogQuery) {
        self.init(
            address: query.address,
            ticket: query.ticket,
            records: [],
            through: 0,
            failed: true
        )
    }
}

extension LogPage {
    /// Returns the slots that get the record at a place; nil when `matches` is nil.
    package func slots(of sequence: UInt64) -> [UInt16]? {
        guard let matches else { return nil }
        var low = 0
        var high = matches.count
        while low < high {
            let middle = (low + high) / 2
            if matches[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return matches[low...].prefix { $0.sequence == sequence }
            .filter { $0.fate == .due }.map(\.slot)
    }
}
