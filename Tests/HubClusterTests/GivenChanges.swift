import HubCluster
import HubHarness
import HubModel
import HubTestSupport
import HubVocabulary

extension SeededGenerator {
    /// A change of each kind and some more, in any order.
    mutating func changes() throws -> [StoredChange] {
        var changes: [StoredChange] = []
        for kind in (0..<13).shuffled(using: &self) {
            for _ in 0...below(2) { changes.append(try change(kind)) }
        }
        return changes
    }

    /// Records from a place on, some with keys, some that were scheduled.
    mutating func records(_ count: Int, from first: UInt64) throws -> [NotificationRecord] {
        try (0..<UInt64(count)).map { offset in
            let record = try record()
            var draft = record.draft
            if below(2) == 0 { draft.idempotency = key() }
            return NotificationRecord(
                sequence: first + offset,
                id: record.id,
                draft: draft,
                schedule: below(3) == 0 ? ScheduleID(high: next(), low: next()) : nil,
                anchors: record.anchors
            )
        }
    }

    /// Every value that an item can have.
    mutating func values() throws -> [ItemValue] {
        let device = DeviceID(high: next(), low: next())
        return [
            .registration(registration()), .tombstone(registration(), gone: next()),
            .installation(installation()), .schedule(try schedule(key: nil)),
            .scheduleKey(key(), ScheduleID(high: next(), low: next())),
            .cancelled(try schedule(key: nil)),
            .generation(device, UInt32(truncatingIfNeeded: next())),
            .settings(settings()), .job(job()), .departure(departure()),
        ]
    }

    private mutating func change(_ kind: Int) throws -> StoredChange {
        switch kind {
        case 0: .put(registration())
        case 1: .remove(registration())
        case 2: .putInstallation(installation())
        case 3: .removeInstallation(installation())
        case 4: .putSchedule(try schedule(key: below(2) == 0 ? key() : nil))
        case 5: .putSettings(settings())
        case 6: .removeSchedule(ScheduleID(high: next(), low: next()))
        case 7: .cancelSchedule(try schedule(key: nil))
        case 8: .forgetSchedule(ScheduleID(high: next(), low: next()))
        case 9:
            .revoke(
                DeviceID(high: next(), low: next()),
                generation: UInt32(truncatingIfNeeded: next())
            )
        case 10: .putJob(job())
        case 11: .removeJob(jobID())
        default: .putDeparture(departure())
        }
    }

    private mutating func key() -> IdempotencyKey {
        IdempotencyKey(
            scope: KeyHash(high: next(), low: next()),
            fingerprint: KeyHash(high: next(), low: next())
        )
    }

    private mutating func installation() -> Installation {
        Installation(
            number: InstallationNumber(UInt32(below(1_000))),
            id: Array("I-\(below(99))".utf8),
            platform: .browser,
            text: bytes(below(200)),
            isGranted: below(2) == 0,
            expires: below(2) == 0 ? nil : Timestamp(milliseconds: next())
        )
    }

    private mutating func schedule(key: IdempotencyKey?) throws -> ScheduledNotification {
        var draft = try draft()
        draft.idempotency = key
        return ScheduledNotification(
            id: ScheduleID(high: next(), low: next()),
            due: Timestamp(milliseconds: next()),
            notAfter: below(2) == 0 ? nil : Timestamp(milliseconds: 1 + next() % 1_000),
            draft: draft
        )
    }

    private mutating func settings() -> HubSettings {
        HubSettings(
            timeToLiveDefaultSeconds: UInt32(below(1_000)),
            retentionSeconds: UInt32(below(1_000)),
            deviceCap: UInt32(below(1_000)),
            purgedThrough: next() % 1_000,
            logBytesWarned: next()
        )
    }

    private mutating func jobID() -> JobID {
        .make(now: Timestamp(milliseconds: next() % 1_000_000_000_000), random: &self)
    }

    private mutating func job() -> BulkJob {
        let request = JobRequest(
            kind: .importUpsert,
            output: "file:///out\(below(9))",
            input: below(2) == 0 ? nil : "file:///in",
            rule: "Full",
            properties: [NamedValue(name: bytes(3), value: bytes(4))]
        )
        var job = BulkJob(id: jobID(), request: request, created: Timestamp(milliseconds: next()))
        job.report = JobReport(status: .failed, done: next(), failure: "no space \(below(9))")
        return job
    }

    private mutating func departure() -> DepartureRow {
        DepartureRow(
            number: next(),
            time: Timestamp(milliseconds: next()),
            cause: .idle,
            platform: .fcmV1,
            handle: bytes(below(40)),
            registration: bytes(9),
            installation: below(2) == 0 ? nil : bytes(5)
        )
    }
}
