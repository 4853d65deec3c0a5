package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads what became of a notification.
package struct GetDetails: HubQuestion {
    /// Milliseconds after which a notification that was not fanned out is given up.
    ///
    /// Source: REST §12.
    private static let abandonedMilliseconds: UInt64 = 1_800_000

    /// Which notification.
    package let name: NotificationName

    /// Makes the question.
    package init(_ name: NotificationName) {
        self.name = name
    }

    package func answer(_ hub: HubView) throws(Refusal) -> NotificationDetails {
        let found = try hub.reading { () throws(StoreError) -> NotificationDetails? in
            var record = try hub.log.record(named: name)
            if record == nil { record = try self.record(scheduledAs: name, hub) }
            guard let record else { return waiting(hub) }
            return try details(of: record, hub)
        }
        guard let found else { throw .notificationNotFound }
        return found
    }

    /// Returns the record of a scheduled notification; nil for another name, or before it fires.
    private func record(
        scheduledAs name: NotificationName,
        _ hub: HubView
    ) throws(StoreError) -> NotificationRecord? {
        guard name.sequence == nil else { return nil }
        let schedule = ScheduleID(high: name.id.high, low: name.id.low)
        guard let sequence = try hub.sequence(of: schedule) else { return nil }
        return try hub.log.record(at: sequence)
    }

    /// A scheduled notification that has not fired, or was cancelled; nil when the name is that of
    /// none.
    private func waiting(_ hub: HubView) -> NotificationDetails? {
        let id = ScheduleID(high: name.id.high, low: name.id.low)
        let cancelled = hub.schedules.cancelled(id)
        guard name.sequence == nil, let schedule = hub.schedules[id] ?? cancelled else {
            return nil
        }
        let record = NotificationRecord(
            sequence: 0,
            id: name.id,
            draft: schedule.draft,
            schedule: schedule.id
        )
        return NotificationDetails(
            record: record,
            state: cancelled == nil ? .scheduled : .cancelled,
            started: nil,
            ended: nil,
            platforms: []
        )
    }

    private func details(
        of record: NotificationRecord,
        _ hub: HubView
    ) throws(StoreError) -> NotificationDetails {
        let sequence = record.sequence
        let counts = try hub.counts(of: sequence)
        let estimates = try hub.table.estimate(of: record, limits: hub.limits) { handle in
            guard case .native(let platform) = record.draft.format else { return nil }
            return hub.device(of: handle, platform: platform)
        }
        var isRelaying = false
        let platforms = Platform.allCases.map { platform in
            var estimate = estimates[Int(platform.rawValue)]
            if hub.relay(record, to: platform) != nil {
                let mark = hub.lanes.mark(of: platform)
                if mark?.hasPassed(sequence) != true, estimate.unknownHandle > 0 {
                    isRelaying = true
                }
                // The service says what became of each.
                estimate.unknownHandle = 0
            }
            return PlatformDetails(
                platform: platform,
                counts: counts.only(platform),
                estimate: estimate
            )
        }.filter { !$0.isEmpty }
        var details = NotificationDetails(
            record: record,
            state: .completed,
            started: record.id.time,
            ended: nil,
            platforms: platforms,
            curve: hub.curve(of: sequence)
        )
        if isRelaying {
            details.state = .processing
        } else if sequence <= hub.fannedOut {
            let milliseconds = counts[nil, .fanOutMilliseconds]
            details.ended = Timestamp(milliseconds: record.id.time.milliseconds + milliseconds)
            if platforms.isEmpty, try !mayHaveHadTarget(record, hub) {
                details.state = .noTargetFound
            }
        } else if hub.now.time.milliseconds > record.id.time.milliseconds
            + Self.abandonedMilliseconds
        {
            details.state = .abandoned
        } else if counts == CounterTable() {
            details.state = .enqueued
            details.started = nil
        } else {
            details.state = .processing
        }
        return details
    }

    /// Whether a registration that is gone matched; when more have gone since than are looked at,
    /// it is not denied.
    private func mayHaveHadTarget(
        _ record: NotificationRecord,
        _ hub: HubView
    ) throws(StoreError) -> Bool {
        let gone = try hub.log.deletedRegistrations(
            since: record.sequence,
            limit: hub.limits.inspection.matchReadsMax + 1
        )
        return gone.count > hub.limits.inspection.matchReadsMax
            || gone.contains { record.matches($0) }
    }
}

extension CounterTable {
    /// The counters of one platform alone.
    fileprivate func only(_ platform: Platform) -> CounterTable {
        var table = CounterTable()
        for kind in TelemetryKind.allCases where self[platform, kind] > 0 {
            table.add(
                CounterDelta(
                    sequence: 0,
                    platform: platform,
                    kind: kind,
                    count: self[platform, kind]
                )
            )
        }
        return table
    }
}
