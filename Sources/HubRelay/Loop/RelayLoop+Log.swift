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
            try learnKeys(log)
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
            host.askAudiences(of: mine.map(\.header), above: nil)
        } catch { lane.readFailed(now: now.instant) }
    }

    /// Finds the collapse keys of rows that wait since before the process began.
    private mutating func learnKeys(_ log: any LogReading) throws(StoreError) {
        var unknown = lane.unknownKeys[...]
        while !unknown.isEmpty {
            let part = unknown.prefix(Self.page.records)
            unknown = unknown.dropFirst(part.count)
            var keys: [UInt64: UInt64] = [:]
            for record in try log.records(at: part, bytesMax: .max)
            where !record.header.isTransient {
                keys[record.sequence] = record.header.collapseHash
            }
            for sequence in part { lane.learn(keys[sequence], of: sequence) }
        }
    }

    /// Opens records whose audiences have come, up to the first that has no place.
    ///
    /// The directory may have answered for the first of them alone, and for a part of the last.
    mutating func open(
        _ found: Result<FoundAudiences, Refusal>,
        of sequences: [UInt64],
        host: inout some RelayHost,
        now: Now
    ) {
        // The answer to an earlier question says nothing of these records.
        guard var reading = records.reading, reading.sequences == sequences else { return }
        records.reading = nil
        guard case .success(let answer) = found,
            1...sequences.count ~= answer.audiences.count
        else { return lane.readFailed(now: now.instant) }
        var audiences = answer.audiences
        if !reading.begun.isEmpty {
            reading.begun += audiences[0]
            audiences[0] = reading.begun
            reading.begun = []
        }
        if let above = answer.next {
            let begun = audiences.removeLast()
            guard !audiences.isEmpty else {
                reading.begun = begun
                records.reading = reading
                return host.askAudiences(of: reading.records.map(\.header), above: above)
            }
        }
        if audiences.count < reading.records.count {
            reading.through = reading.records[audiences.count - 1].sequence
        }
        open(reading, audiences, now: now)
    }

    private mutating func open(
        _ reading: RelayRecords.Reading,
        _ audiences: [[UInt32]],
        now: Now
    ) {
        var reading = reading
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
