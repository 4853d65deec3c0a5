package import HubVocabulary

/// A question to the log by a session that is behind: the next notifications its device still gets.
///
/// The answer depends on the log alone. So the log's owner chooses the thread that reads it and the
/// number of parts.
package struct LogQuery: Sendable {
    /// Who asks.
    package var address: ConnectionAddress
    /// Distinguishes this read from an older one of the same connection.
    package var ticket: UInt32
    /// Everything at or below was evaluated.
    package var after: UInt64
    /// How far to look.
    package var through: UInt64
    /// Records in one answer at most.
    package var limit: Int
    /// The device.
    package var device: DeviceID
    /// Its session; of two that ask for one device the one with the higher number is newer.
    package var sessionGeneration: UInt64
    /// The 64 digits of its present handle.
    package var handle: [UInt8]
    /// The registrations that lead to the device.
    package var registrations: [Registration]
    /// The place through which the device has stored everything; matches up to it are counted, not
    /// sent.
    ///
    /// Source: rules B.4.
    package var recountThrough: UInt64
    /// Notifications kept for one absence.
    package var deviceCap: Int
    /// The place through which an operator purged records; 0 for nothing.
    package var purgedThrough: UInt64
    /// A place whose check value is wanted; 0 for none.
    package var checkAt: UInt64
    /// Everything at or below is cut, as an earlier page has said; 0 for nothing.
    package var cutThrough: UInt64

    /// Makes a query.
    package init(
        address: ConnectionAddress,
        ticket: UInt32,
        after: UInt64,
        through: UInt64,
        limit: Int,
        device: DeviceID,
        handle: [UInt8],
        registrations: [Registration],
        recountThrough: UInt64 = 0,
        deviceCap: Int = CoreLimits.standard.devices.deviceCap,
        purgedThrough: UInt64 = 0,
        checkAt: UInt64 = 0,
        cutThrough: UInt64 = 0,
        sessionGeneration: UInt64 = 0
    ) {
        self.address = address
        self.ticket = ticket
        self.after = after
        self.through = through
        self.limit = limit
        self.device = device
        self.handle = handle
        self.registrations = registrations
        self.recountThrough = recountThrough
        self.deviceCap = deviceCap
        self.purgedThrough = purgedThrough
        self.checkAt = checkAt
        self.cutThrough = cutThrough
        self.sessionGeneration = sessionGeneration
    }

    /// Every list in which records for the device stand.
    package var anchors: Set<AnchorKey> {
        var found: Set<AnchorKey> = [.everyone, AnchorKey(device: device)]
        for registration in registrations { registration.addAnchors(after: after, to: &found) }
        return found
    }

    /// Whether one of these handles is the device's present one.
    func isNamed(in handles: [[UInt8]], _ platform: Platform) -> Bool {
        handles.contains { PushHandle.digits(in: $0, platform: platform) == handle }
    }
}

extension LogQuery {
    /// Matches of one page at most, sent or not.
    package static let pageMatchesMax = 4_096
    /// Bytes of the bodies of one page, but for its first record.
    package static let pageBytes = 1 << 20

    /// Works out the whole missed set and reads the first part of it.
    ///
    /// - Throws: what the reading throws.
    package func page(
        from log: any MissedReading,
        now: Timestamp
    ) throws(StoreError) -> LogPage {
        var set = MissedSet(self, now: now)
        try set.look(at: log)
        return try set.page(from: log)
    }

    /// As `page(from:now:)`, for a log whose records in question are all in memory.
    ///
    /// - Throws: nothing of its own; reading records in memory does not fail.
    package func page(
        ofAll records: [NotificationRecord],
        now: Timestamp
    ) throws(StoreError) -> LogPage {
        try page(from: RecordsAtHand(records: records), now: now)
    }
}

/// Records that need not be read: dense and ascending.
private struct RecordsAtHand: MissedReading {
    let records: [NotificationRecord]
    let purgedGone: UInt64 = 0

    private func record(at sequence: UInt64) -> NotificationRecord? {
        guard let first = records.first?.sequence, sequence >= first,
            sequence - first < UInt64(records.count)
        else { return nil }
        return records[Int(sequence - first)]
    }

    func check(at sequence: UInt64) -> UInt32? { record(at: sequence)?.id.check }

    func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) -> LogCandidates {
        let listed = records.filter { record in
            record.sequence > after && record.sequence <= through
                && record.anchors.contains { anchors.contains($0) }
        }
        return LogCandidates(sequences: listed.map(\.sequence), through: through)
    }

    func records(at sequences: ArraySlice<UInt64>, bytesMax: Int) -> [NotificationRecord] {
        sequences.compactMap(record)
    }

    func headers(at sequences: ArraySlice<UInt64>) -> [RecordHeader] {
        sequences.compactMap { record(at: $0)?.header }
    }
}
