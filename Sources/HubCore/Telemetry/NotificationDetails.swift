/// How a caller names a notification: the id at the end of `Location`, or the bare id.
///
///     01935f0d7e3b5a4f62917d5c0a9be83f-20260504091203-17-1    id, time, place, partition
///     01935f0d7e3b5a4f62917d5c0a9be83f                        32 hex digits, or as a UUID
///
/// Source: REST §8.1, §12.
package struct NotificationName: Hashable, Sendable {
    /// The id.
    package var id: NotificationID
    /// Its place in the log, where the name tells it.
    package var sequence: UInt64?

    /// Names a notification.
    package init(id: NotificationID, sequence: UInt64? = nil) {
        self.id = id
        self.sequence = sequence
    }

    /// Reads a name; nil when it is none in any spelling.
    package init?(parsing text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        switch parts.count {
        case 1: self.init(digits: first, sequence: nil)
        case 5 where parts.map(\.count) == [8, 4, 4, 4, 12]:
            self.init(digits: text.filter { $0 != UInt8(ascii: "-") }[...], sequence: nil)
        case 4:
            guard let place = ASCII.decimal(Array(parts[2])), place > 0,
                ASCII.decimal(Array(parts[1])) != nil, ASCII.decimal(Array(parts[3])) != nil
            else { return nil }
            self.init(digits: first, sequence: place)
        default: return nil
        }
    }

    private init?(digits: ArraySlice<UInt8>, sequence: UInt64?) {
        guard digits.count == 32, let bytes = HexText.decode(Array(digits).span) else { return nil }
        id = NotificationID(
            high: UInt64(bigEndian: bytes),
            low: UInt64(bigEndian: bytes.dropFirst(8))
        )
        self.sequence = sequence
    }
}

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
    /// Nobody matches.
    case noTargetFound = "NoTargetFound"
    /// Not fanned out within 30 minutes.
    case abandoned = "Abandoned"
}

/// What became of a notification so far.
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

    /// Puts details together.
    package init(
        record: NotificationRecord,
        state: NotificationState,
        started: Timestamp?,
        ended: Timestamp?,
        platforms: [PlatformDetails]
    ) {
        self.record = record
        self.state = state
        self.started = started
        self.ended = ended
        self.platforms = platforms
    }
}

/// What became of a notification on one platform.
package struct PlatformDetails: Equatable, Sendable {
    /// The platform.
    package var platform: Platform
    /// Exact counters, live ones included.
    package var counts: CounterTable
    /// Registrations that match today; an estimate where there are very many.
    package var estimate: MatchEstimate

    /// Puts details together.
    package init(platform: Platform, counts: CounterTable, estimate: MatchEstimate) {
        self.platform = platform
        self.counts = counts
        self.estimate = estimate
    }

    /// One counter.
    package subscript(kind: TelemetryKind) -> UInt64 { counts[platform, kind] }

    /// Registrations that match and were not connected when it was fanned out; an estimate.
    package var matchedOffline: UInt64 {
        estimate.reachable - min(estimate.reachable, self[.matched])
    }

    /// Matches that were taken for delivery: sent, or held by the log for devices that are away.
    package var succeeded: UInt64 {
        let lost = self[.oversized] + self[.skipped] + dropped
        let all = self[.matched] + matchedOffline
        return all - min(all, lost)
    }

    /// Matches that are not sent any more: their time was over, a later one replaced them, too many
    /// waited, or an operator purged them.
    package var dropped: UInt64 {
        self[.expired] + self[.missed] + self[.collapsed] + self[.capped] + self[.purged]
    }

    /// Whether anything matched.
    package var isEmpty: Bool { counts == CounterTable() && estimate == MatchEstimate() }
}

/// How many registrations match a notification, by what can become of it there.
package struct MatchEstimate: Equatable, Sendable {
    /// Registrations of our devices.
    package var reachable: UInt64 = 0
    /// Registrations whose handle is none of ours.
    package var unknownHandle: UInt64 = 0
    /// Template registrations whose template no longer compiles.
    package var templateError: UInt64 = 0

    /// None.
    package init() {}
}
