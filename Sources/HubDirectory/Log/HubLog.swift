package import HubModel
import HubTables
package import HubVocabulary

/// The log as the hub's writer sees it: how far it reaches, and where its records are.
package final class HubLog {
    /// Reads the log.
    package let reader: any LogReading
    /// Knows counters, and registrations of past times.
    private let store: any HubStorage
    /// The log's extent as far as it is durable.
    package private(set) var bounds: LogBounds
    /// The check value of the record at the head.
    private(set) var headCheck: UInt32
    /// The newest records.
    private(set) var recent: RecentNotifications
    private var checks = CheckWindow()
    /// Bytes of the log's files, about, as the store last said.
    private(set) var bytes = 0
    /// Whether an operator was told that the log has grown beyond what was meant for it.
    private var isTooLarge = false

    /// Goes on behind a store's log.
    init(_ storage: any HubStorage, limits: CoreLimits) throws(StoreError) {
        reader = storage.reader
        store = storage
        bounds = storage.bounds
        headCheck = try storage.reader.check(at: storage.bounds.head) ?? 0
        recent = RecentNotifications(sizeMax: limits.telemetry.recentNotificationsMax)
    }

    /// The place from which changes of the present group hold.
    var nextPlace: LogPlace { LogPlace(epoch: bounds.epoch, sequence: bounds.head + 1) }

    /// Moves the head behind records that are durable.
    func append(_ records: [NotificationRecord]) {
        for record in records {
            bounds.head = record.sequence
            headCheck = record.id.check
            checks.append(record.id.check, at: record.sequence)
            recent.append(record)
        }
    }

    /// The store has done a step of its housekeeping; `bounds` is the log's extent since then.
    ///
    /// - Returns: what an operator counts.
    func tidied(
        _ result: TidyResult,
        bounds: LogBounds,
        warnedAbove bytesMax: UInt64
    ) -> [DirectoryEvent] {
        self.bounds.first = bounds.first
        self.bounds.purged = bounds.purged
        bytes = result.logBytes
        let isLarge = UInt64(clamping: bytes) > bytesMax
        defer { isTooLarge = isLarge }
        return isLarge && !isTooLarge ? [.logTooLarge(bytes: bytes)] : []
    }

    // MARK: Records

    /// Returns the check value at a place; nil when the log does not hold it.
    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        if sequence == 0 { return 0 }
        if let known = checks.check(at: sequence) { return known }
        let read = try reader.check(at: sequence)
        if let read { checks.remember(read, at: sequence) }
        return read
    }

    /// Returns the record with a name; nil when there is none.
    package func record(named name: NotificationName) throws(StoreError) -> NotificationRecord? {
        guard let sequence = name.sequence else { return try record(of: name.id) }
        let found = try record(at: sequence)
        return found?.id == name.id ? found : nil
    }

    /// Returns the record with an id, found by halving; nil when there is none.
    func record(of id: NotificationID) throws(StoreError) -> NotificationRecord? {
        if recent.covers(id) {
            guard let found = recent.find(id) else { return nil }
            return try record(at: found.sequence)
        }
        guard let found = try firstRecord(where: { !($0.id < id) }), found.id == id else {
            return nil
        }
        return found
    }

    /// Returns the record at a place; nil when the log does not hold it.
    package func record(at sequence: UInt64) throws(StoreError) -> NotificationRecord? {
        guard sequence >= bounds.first, sequence <= bounds.head else { return nil }
        return try record(after: sequence - 1, through: sequence)
    }

    /// Returns the counters of a notification, as far as they are durable.
    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        try store.counters(of: sequence)
    }

    /// Returns the failures of a lane for a notification, as far as they are durable.
    func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try store.relayFailures(of: sequence, platform: platform)
    }

    /// Returns the deleted registrations that had an id, the newest first.
    package func deletedRegistrations(id: [UInt8]) throws(StoreError) -> [Registration] {
        try store.deletedRegistrations(id: id)
    }

    /// Returns the deleted registrations that led to a device, the newest first.
    package func deletedRegistrations(of device: DeviceID) throws(StoreError) -> [Registration] {
        try store.deletedRegistrations(of: device)
    }

    /// Returns some of the registrations that were deleted behind a place, in that order.
    package func deletedRegistrations(
        since sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [Registration] {
        try store.deletedRegistrations(since: sequence, limit: limit)
    }

    /// Returns the id of the newest record; nil for an empty log.
    func newestID() throws(StoreError) -> NotificationID? {
        guard bounds.head >= bounds.first else { return nil }
        return try record(after: bounds.head - 1, through: bounds.head)?.id
    }

    /// Returns the first record from which on a condition holds; at most 64 reads of one record.
    package func firstRecord(
        where holds: (NotificationRecord) -> Bool
    ) throws(StoreError) -> NotificationRecord? {
        var low = bounds.first
        var high = bounds.head + 1
        var found: NotificationRecord?
        while low < high {
            let middle = low + (high - low) / 2
            // Behind an epoch that began above lost history there may be a hole.
            guard let next = try record(after: middle - 1, through: bounds.head) else {
                high = middle
                continue
            }
            if holds(next) {
                found = next
                high = middle
            } else {
                low = next.sequence + 1
            }
        }
        return found
    }

    /// Returns every record above a place and through another one, ascending.
    package func records(
        after sequence: UInt64,
        through end: UInt64
    ) throws(StoreError) -> [NotificationRecord] {
        let count = Int(clamping: end - min(end, sequence))
        return try reader.records(after: sequence, through: end, limit: count, bytesMax: .max)
    }

    /// Returns the place of the newest record through another place, found by halving; nil when
    /// there is none.
    package func newest(through end: UInt64) throws(StoreError) -> UInt64? {
        guard end >= bounds.first, try record(after: bounds.first - 1, through: end) != nil else {
            return nil
        }
        // There is one above `low`, and none above `high`.
        var (low, high) = (bounds.first - 1, end)
        while low + 1 < high {
            let middle = low + (high - low) / 2
            if let found = try record(after: middle, through: end) {
                low = found.sequence - 1
            } else {
                high = middle
            }
        }
        return low + 1
    }

    private func record(
        after sequence: UInt64,
        through end: UInt64
    ) throws(StoreError) -> NotificationRecord? {
        try reader.records(after: sequence, through: end, limit: 1, bytesMax: 0).first
    }
}
