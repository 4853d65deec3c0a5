package import HubModel
package import HubVocabulary

/// A store that reads registrations and the log in its own files, wherever the truth is.
package protocol CopiedStorage: HubStorage {
    /// The files, once they have all that was committed.
    func current() throws(StoreError) -> HubCopy
}

// The files alone answer these.
extension CopiedStorage {
    // MARK: Registrations

    /// Calls `body` with the bytes of every live registration, ascending by number.
    package func forEachStoredRegistration(
        _ body: (Span<UInt8>) throws(RecordProblem) -> Void
    ) throws(StoreError) {
        let copy = try current()
        var count = 0
        try copy.registrations.forEach(until: copy.progress.ending) { bytes throws(RecordProblem) in
            count += 1
            if count.isMultiple(of: 4_096) { copy.progress.step("read \(count) registrations") }
            try body(bytes)
        }
    }

    /// The live registrations with these numbers, in this order; those that do not live are left out.
    package func registrations(
        _ numbers: [RegistrationNumber]
    ) throws(StoreError) -> [Registration] {
        try current().registrations.registrations(numbers)
    }

    /// Whether a deleted registration had an external id.
    package func wasRegistrationDeleted(id: [UInt8]) throws(StoreError) -> Bool {
        try current().registrations.wasDeleted(id)
    }

    /// Number and slot of a device's newest deleted registration in a slot from `first` on.
    package func lastDeletedSlot(
        of device: DeviceID,
        from first: UInt16
    ) throws(StoreError) -> (number: RegistrationNumber, slot: UInt16)? {
        try current().registrations.lastDeletedSlot(of: device, from: first)
    }

    /// Calls `body` with every installation, ascending by key.
    package func forEachInstallation(_ body: (Installation) -> Void) throws(StoreError) {
        try current().registrations.forEachInstallation(body)
    }

    /// Tombstones of an external id, the newest first.
    package func deletedRegistrations(id: [UInt8]) throws(StoreError) -> [Registration] {
        try current().registrations.deleted(id: id)
    }

    /// Tombstones that led to a device, the newest first.
    package func deletedRegistrations(
        of device: DeviceID
    ) throws(StoreError) -> [Registration] {
        try current().registrations.deleted(of: device)
    }

    /// Tombstones of what went behind a place in the log, the oldest first.
    package func deletedRegistrations(
        since sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [Registration] {
        try current().registrations.deleted(since: sequence, limit: limit)
    }

    /// Key generations above 0, by device.
    package func forEachRevocation(_ body: (DeviceID, UInt32) -> Void) throws(StoreError) {
        try current().registrations.forEachRevocation(body)
    }

    /// Returns the operators' settings; nil until an operator sets one.
    package func settings() throws(StoreError) -> HubSettings? {
        try current().registrations.settings()
    }

    // MARK: Schedules, keys and jobs

    /// Calls `body` with every scheduled notification, in the order in which they fire.
    package func forEachSchedule(
        _ body: (ScheduledNotification, _ isInLog: Bool) -> Void
    ) throws(StoreError) {
        let copy = try current()
        let all = try copy.registrations.schedules()
        guard !all.isEmpty else { return }
        let recorded = try copy.log.recorded(Set(all.map(\.id)))
        for schedule in all { body(schedule, recorded.contains(schedule.id)) }
    }

    /// The place of the record that a scheduled notification became.
    package func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        try current().log.sequence(of: schedule)
    }

    /// Calls `body` with every cancelled notification, ascending by id.
    package func forEachCancelled(
        _ body: (ScheduledNotification) -> Void
    ) throws(StoreError) {
        try current().registrations.forEachCancelled(body)
    }

    /// Calls `body` with every bulk job, ascending by id.
    package func forEachJob(_ body: (BulkJob) -> Void) throws(StoreError) {
        try current().registrations.forEachJob(body)
    }

    /// The newest idempotency keys, ascending by time.
    package func newestKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        let copy = try current()
        let all =
            try copy.log.newestKeys(limit: limit) + copy.registrations.newestKeys(limit: limit)
        return all.sorted { $0.time < $1.time }.suffix(limit)
    }

    /// The newest idempotency keys of schedules alone, ascending by time.
    package func newestScheduleKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        try current().registrations.newestKeys(limit: limit)
    }

    /// The newest record or schedule with a key.
    package func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        let copy = try current()
        let found = [try copy.log.key(scope), try copy.registrations.key(scope)].compactMap { $0 }
        return found.max { $0.time < $1.time }
    }

    // MARK: Departures

    /// The numbers of the rows that are kept.
    package func departureNumbers() throws(StoreError) -> ClosedRange<UInt64>? {
        try current().registrations.departureNumbers()
    }

    /// Rows from a number on, ascending.
    package func departures(
        from number: UInt64,
        limit: Int
    ) throws(StoreError) -> [DepartureRow] {
        try current().registrations.departures(from: number, limit: limit)
    }
}
