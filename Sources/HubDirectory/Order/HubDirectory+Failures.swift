import HubModel
import HubVocabulary

extension HubDirectory {
    /// Looks for failures of a notification above a number of a registration, or from a place on in
    /// the list of handles that it names.
    ///
    /// Looks closely at `failuresPerPart`, and at `inspectedPerPart` in memory.
    /// Only certain failures are told. A registration that ended by itself is not among them: it is
    /// in the journal of departures. Source: REST §12.
    /// - Returns: nil when there is no such notification.
    func failures(
        of name: NotificationName,
        from start: UInt32,
        now: Now
    ) throws(StoreError) -> FailurePart? {
        guard let record = try record(named: name) else { return nil }
        var search = FailureSearch(
            record: record,
            counts: try counts(of: record.sequence),
            successors: Successors(of: record, through: bounds.head, reader, limits)
        )
        switch record.draft.target {
        case .handles(let handles): try look(at: handles, from: start, &search, now: now)
        case .slots(let targets):
            let numbers = targets.compactMap { table.places(of: $0.device).number(in: $0.slot) }
            try look(at: numbers.sorted().filter { $0.raw > start }, &search, now: now)
        case .broadcast, .tags:
            let end = UInt32(clamping: UInt64(start) + UInt64(max(1, limits.inspectedPerPart)))
            let last = min(end, table.numberMax)
            guard start < last else { break }
            let numbers = candidates(of: record, in: start + 1...last)
            try look(at: numbers, &search, now: now)
            if search.part.next == nil, last < table.numberMax { search.part.next = last }
        }
        if search.isExhausted {
            // A part that spent what it may read counts as a whole one, however few it came to.
            search.part.examined = max(search.part.examined, limits.failuresPerPart)
        }
        return search.part
    }

    /// Registrations of a range that a record may have been for, ascending.
    private func candidates(
        of record: NotificationRecord,
        in range: ClosedRange<UInt32>
    ) -> [RegistrationNumber] {
        let all = table.numbers(in: range)
        guard case .tags = record.draft.target else { return all }
        let present = Set(table.numbers(of: record.draft.target).filter { range.contains($0.raw) })
        return all.filter { number in
            // Tags that hold only since then say nothing of those before.
            present.contains(number)
                || (table.facts(of: number).map { record.sequence < $0.tagsSince } ?? false)
        }
    }

    private func look(
        at numbers: [RegistrationNumber],
        _ search: inout FailureSearch,
        now: Now
    ) throws(StoreError) {
        let record = search.record
        let close = numbers.filter { number in
            guard let facts = table.facts(of: number), facts.isMeant(by: record.draft.format),
                !facts.isExpired(now.time)
            else { return false }
            return !isSurelyNoFailure(facts, search, now: now)
        }
        let some = close.prefix(max(1, limits.failuresPerPart))
        var last: RegistrationNumber?
        for registration in try table.registrations(Array(some), remembers: false) {
            let device = registration.target?.device
            let explainer = try explainer(search, device, now: now)
            let reason = explainer.explain(registration, isDeleted: false).reason
            if search.isExhausted {
                // What replaced it may not have been found: looked at again, if it was not the first.
                if let last {
                    search.part.next = last.raw
                    return
                }
            } else if let (kind, time) = search.failure(reason) {
                search.part.found.append(
                    DeliveryFailure(
                        time: time,
                        kind: kind,
                        platform: registration.content.platform,
                        handle: registration.content.handle,
                        registration: registration.id,
                        installation: installation(of: registration)?.id
                    )
                )
            }
            search.part.examined += 1
            last = registration.number
            if search.isExhausted { break }
        }
        // Those that are gone meanwhile were passed over.
        let passed = search.isExhausted ? last : some.last
        if let passed, passed != close.last { search.part.next = passed.raw }
    }

    private func look(
        at handles: [[UInt8]],
        from start: UInt32,
        _ search: inout FailureSearch,
        now: Now
    ) throws(StoreError) {
        guard case .native(let platform) = search.record.draft.format else { return }
        for index in handles.indices.dropFirst(Int(start)) {
            guard search.part.examined < max(1, limits.failuresPerPart), !search.isExhausted else {
                search.part.next = UInt32(index)
                return
            }
            search.part.examined += 1
            var reason = ExplainReason.unknownHandle
            if let device = device(of: handles[index], platform: platform) {
                reason = try explainer(search, device, now: now).explainDirect(platform).reason
            }
            guard !search.isExhausted, let (kind, time) = search.failure(reason) else { continue }
            search.part.found.append(
                DeliveryFailure(
                    time: time,
                    kind: kind,
                    platform: platform,
                    handle: handles[index],
                    registration: []
                )
            )
        }
    }

    /// Whether what is in memory says already that a registration has got it, or may get it yet.
    private func isSurelyNoFailure(
        _ facts: RegistrationFacts,
        _ search: FailureSearch,
        now: Now
    ) -> Bool {
        guard let target = facts.target, !facts.isUndeliverable else { return false }
        let record = search.record
        let isPast = devices.cursor(of: target.device).map { $0.acknowledged >= record.sequence }
        if isPast == true { return !search.hasLost(facts.platform) }
        return !facts.isTemplate && record.expires > now.time
            && record.sequence > settings.purgedThrough && record.draft.collapseKey.isEmpty
    }

    private func explainer(
        _ search: FailureSearch,
        _ device: DeviceID?,
        now: Now
    ) throws(StoreError) -> Explainer {
        try explainer(search.record, device, search.counts, search.successors, now: now)
    }
}

/// The state of one part of a search for failures.
private struct FailureSearch {
    let record: NotificationRecord
    let counts: CounterTable
    let successors: Successors
    var part: FailurePart

    init(record: NotificationRecord, counts: CounterTable, successors: Successors) {
        self.record = record
        self.counts = counts
        self.successors = successors
        part = FailurePart(notification: NotificationName(id: record.id, sequence: record.sequence))
    }

    /// Whether no more records are read to find what replaced this one.
    var isExhausted: Bool { successors.isExhausted }

    /// Whether anything of a platform is counted as not delivered.
    func hasLost(_ platform: Platform) -> Bool {
        [TelemetryKind.expired, .oversized, .collapsed, .capped, .purged].contains {
            counts[platform, $0] > 0
        }
    }

    /// Returns the kind and time of the failure that a reason states; nil where perhaps none
    /// happened.
    func failure(_ reason: ExplainReason) -> (DeliveryFailure.Kind, Timestamp)? {
        switch reason {
        case .expired(let time): (.dropped, time)
        case .collapsed(let newer): (.dropped, newer.id.time)
        case .overCap, .purged: (.dropped, record.id.time)
        case .unknownHandle: (.unknownHandle, record.id.time)
        case .templateError: (.templateError, record.id.time)
        case .invalidSize: (.invalidSize, record.id.time)
        case .unknownNotification, .unknownRegistration, .unknownInstallation, .unknownDevice,
            .notRegisteredThen, .deleted, .formatDiffers, .notNamed, .tagsDiffer, .historyCut,
            .transient, .passed, .collapsedOrStored, .overCapOrStored, .purgedOrStored,
            .historyCutOrStored, .waiting, .pending, .sentUnacknowledged, .acknowledged:
            nil
        }
    }
}
