package import HubModel
import HubTags
import HubVocabulary

// What became of a notification: counters of the store, what is counted since, and whom it matches.

extension HubDirectory {
    /// Milliseconds after which a notification that was not fanned out is given up.
    ///
    /// Source: REST §12.
    static let abandonedMilliseconds: UInt64 = 1_800_000

    /// Everything known of one notification.
    func details(of name: NotificationName, now: Now) -> Result<HubReply, Refusal> {
        do throws(StoreError) {
            var found = try record(named: name)
            if found == nil { found = try record(scheduledAs: name) }
            if let found { return .success(.details(try details(of: found, now: now))) }
            return waiting(as: name).map { .success(.details($0)) }
                ?? .failure(.notificationNotFound)
        } catch {
            actions.append(.event(.readRefused(error)))
            return .failure(error.refusal)
        }
    }

    /// The record of a name; nil when there is none.
    func record(named name: NotificationName) throws(StoreError) -> NotificationRecord? {
        guard let sequence = name.sequence else { return try record(of: name.id) }
        let found = try record(at: sequence)
        return found?.id == name.id ? found : nil
    }

    /// Returns a scheduled notification's record; nil for another name, or when it has not fired.
    private func record(
        scheduledAs name: NotificationName
    ) throws(StoreError) -> NotificationRecord? {
        guard name.sequence == nil else { return nil }
        let schedule = ScheduleID(high: name.id.high, low: name.id.low)
        guard let sequence = try sends.sequence(of: schedule) else { return nil }
        return try record(at: sequence)
    }

    /// A scheduled notification that has not fired, or was cancelled; nil when the name is that of
    /// none.
    private func waiting(as name: NotificationName) -> NotificationDetails? {
        let id = ScheduleID(high: name.id.high, low: name.id.low)
        let cancelled = schedules.cancelled(id)
        guard name.sequence == nil, let schedule = schedules[id] ?? cancelled else { return nil }
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
        now: Now
    ) throws(StoreError) -> NotificationDetails {
        let sequence = record.sequence
        let counts = try counts(of: sequence)
        let estimates = try table.estimate(of: record, limits: limits) { handle in
            guard case .native(let platform) = record.draft.format else { return nil }
            return device(of: handle, platform: platform)
        }
        let platforms = Platform.allCases.map { platform in
            PlatformDetails(
                platform: platform,
                counts: counts.only(platform),
                estimate: estimates[Int(platform.rawValue)]
            )
        }.filter { !$0.isEmpty }
        var details = NotificationDetails(
            record: record,
            state: .completed,
            started: record.id.time,
            ended: nil,
            platforms: platforms
        )
        if sequence <= telemetry.fannedOut {
            let milliseconds = counts[nil, .fanOutMilliseconds]
            details.ended = Timestamp(milliseconds: record.id.time.milliseconds + milliseconds)
            if platforms.isEmpty, try !mayHaveHadTarget(record) { details.state = .noTargetFound }
        } else if now.time.milliseconds > record.id.time.milliseconds + Self.abandonedMilliseconds {
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
    private func mayHaveHadTarget(_ record: NotificationRecord) throws(StoreError) -> Bool {
        let gone = try history.deletedRegistrations(
            since: record.sequence,
            limit: limits.matchReadsMax + 1
        )
        return gone.count > limits.matchReadsMax || gone.contains { record.matches($0) }
    }

    /// Everything counted of a notification, what is not durable yet included.
    func counts(of sequence: UInt64) throws(StoreError) -> CounterTable {
        CounterTable(try history.counters(of: sequence) + telemetry.waiting(of: sequence))
    }

    /// The device that holds a handle now.
    func device(of handle: [UInt8], platform: Platform) -> DeviceID? {
        PushHandle.device(of: handle, platform: platform, hub: hub, secret: secret) {
            keyGenerations[$0]
        }
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

extension RegistrationTable {
    /// How many registrations a record matches, by platform; beyond `matchSampleMax` of them only
    /// some are looked at and counted for the others.
    ///
    /// Who has other tags since is not found; who got them since is left out. `device` says whose
    /// handle a direct send names.
    func estimate(
        of record: NotificationRecord,
        limits: CoreLimits,
        device: ([UInt8]) -> DeviceID?
    ) throws(StoreError) -> [MatchEstimate] {
        var estimates = [MatchEstimate](repeating: MatchEstimate(), count: Platform.allCases.count)
        switch record.draft.target {
        case .handles(let handles):
            guard case .native(let platform) = record.draft.format else { break }
            for handle in handles {
                if device(handle) == nil {
                    estimates[Int(platform.rawValue)].unknownHandle += 1
                } else {
                    estimates[Int(platform.rawValue)].reachable += 1
                }
            }
        case .slots(let targets):
            for target in targets {
                guard let number = places(of: target.device).number(in: target.slot),
                    let found = facts(of: number)
                else { continue }
                estimates[Int(found.platform.rawValue)].reachable += 1
            }
        case .broadcast, .tags:
            let numbers = numbers(of: record.draft.target)
            let step = Self.step(numbers.count, sampleMax: limits.matchSampleMax)
            var unclear: [RegistrationNumber] = []
            for index in stride(from: 0, to: numbers.count, by: step) {
                guard let found = facts(of: numbers[index]),
                    found.isMeant(by: record.draft.format)
                else { continue }
                if record.sequence < found.tagsSince {
                    unclear.append(numbers[index])
                } else {
                    estimates.count(found, weight: step)
                }
            }
            // What held at the time of the record is in the store alone.
            let readStep = Self.step(unclear.count, sampleMax: limits.matchReadsMax)
            let some = stride(from: 0, to: unclear.count, by: readStep).map { unclear[$0] }
            for registration in try registrations(some, remembers: false)
            where record.matches(registration) {
                estimates.count(RegistrationFacts(registration), weight: step * readStep)
            }
        }
        return estimates
    }

    /// Every how many of `count` make a sample.
    private static func step(_ count: Int, sampleMax: Int) -> Int {
        let most = max(1, sampleMax)
        return max(1, (count + most - 1) / most)
    }
}

extension [MatchEstimate] {
    /// Counts a registration that stands for so many.
    fileprivate mutating func count(_ found: RegistrationFacts, weight: Int) {
        let platform = Int(found.platform.rawValue)
        if found.target == nil {
            self[platform].unknownHandle += UInt64(weight)
        } else if found.isUndeliverable {
            self[platform].templateError += UInt64(weight)
        } else {
            self[platform].reachable += UInt64(weight)
        }
    }
}

extension NotificationDraft {
    /// Whether a registration's platform and kind are those that the draft is for.
    package func isFormat(of registration: Registration) -> Bool {
        format.isFormat(of: registration)
    }
}
