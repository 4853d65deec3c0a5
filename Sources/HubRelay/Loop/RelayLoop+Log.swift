import HubModel
import HubVocabulary

// Reading: a page of the log, then the audiences of its records.
extension RelayLoop {
    /// Records of a page at most, and bytes of their bodies, but for the first.
    private static let page = (records: 64, bytes: 1 << 20)

    mutating func read(
        after place: UInt64,
        _ places: RelayRecords.Places,
        log: any LogReading,
        host: inout some RelayHost,
        now: Now
    ) {
        do throws(StoreError) {
            let found = try log.records(
                after: place,
                through: records.head,
                limit: Self.page.records,
                bytesMax: Self.page.bytes
            )
            let through = found.last?.sequence ?? records.head
            let mine = found.filter { $0.draft.format.concerns(platform) }
            guard !mine.isEmpty else {
                return lane.receive([], through: through, now: now)
            }
            records.reading = RelayRecords.Reading(
                records: mine,
                places: places,
                after: place,
                through: through
            )
            host.askAudiences(of: mine.map(\.header))
        } catch { lane.readFailed() }
    }

    /// Opens records whose audiences have come, up to the first that has no place.
    ///
    /// The directory may have answered for the first of them alone.
    mutating func open(_ found: Result<[[UInt32]], Refusal>, now: Now) {
        guard var reading = records.reading else { return }
        records.reading = nil
        guard case .success(let audiences) = found, !audiences.isEmpty else {
            return lane.readFailed()
        }
        if audiences.count < reading.records.count {
            reading.through = reading.records[audiences.count - 1].sequence
        }
        var opened: [LaneRecord] = []
        for (record, audience) in zip(reading.records, audiences) where !audience.isEmpty {
            let most = lane.limits.matchesOfSmallMax
            guard reading.places.take(audience, matchesOfSmallMax: most) else {
                reading.through = record.sequence - 1
                break
            }
            records.keep(record)
            opened.append(LaneRecord(record, audience: audience))
        }
        lane.receive(opened, through: reading.through, now: now)
        if records.purged > reading.after { lane.purge(through: records.purged) }
    }
}

extension NotificationFormat {
    /// Whether a platform's registrations may be meant.
    fileprivate func concerns(_ platform: Platform) -> Bool {
        switch self {
        case .native(let wanted): wanted == platform
        case .template: true
        }
    }
}

extension LaneRecord {
    fileprivate init(_ record: NotificationRecord, audience: [UInt32]) {
        let header = record.header
        self.init(
            sequence: record.sequence,
            accepted: record.id.time,
            expires: header.expires,
            isTransient: header.isTransient,
            collapse: header.collapseHash,
            audience: audience
        )
    }
}
