package import HubDirectory
package import HubModel
package import HubVocabulary

/// Looks for failures of a notification above a number of a registration, or from a place on in
/// the list of handles that it names.
///
/// Looks closely at `failuresPerPart`, and at `inspectedPerPart` in memory. Certain failures alone
/// are told. Failures of deleted registrations are in the journal of departures. Source: REST §12.
package struct FindFailures: HubQuestion {
    /// Which notification.
    package let name: NotificationName
    /// Where the part begins.
    package let from: UInt32

    /// Asks for one part.
    package init(_ name: NotificationName, from: UInt32) {
        self.name = name
        self.from = from
    }

    package func answer(_ hub: HubView) throws(Refusal) -> FailurePart {
        let part = try hub.reading { () throws(StoreError) in try self.part(hub) }
        guard let part else { throw .notificationNotFound }
        return part
    }

    private func part(_ hub: HubView) throws(StoreError) -> FailurePart? {
        guard let record = try hub.log.record(named: name) else { return nil }
        var search = FailureSearch(
            record: record,
            counts: try hub.counts(of: record.sequence),
            successors: ReplacingRecords(
                of: record,
                through: hub.log.bounds.head,
                hub.log.reader,
                hub.limits
            )
        )
        switch record.draft.target {
        case .handles(let handles): try look(at: handles, &search, hub)
        case .slots(let targets):
            let numbers = targets.compactMap { hub.table.number(of: $0) }
            try look(at: numbers.sorted().filter { $0.raw > from }, &search, hub)
        case .broadcast, .tags:
            let end = UInt32(
                clamping: UInt64(from) + UInt64(max(1, hub.limits.inspection.inspectedPerPart))
            )
            let last = min(end, hub.table.numberMax)
            guard from < last else { break }
            let numbers = candidates(of: record, hub, in: from + 1...last)
            try look(at: numbers, &search, hub)
            if search.part.next == nil, last < hub.table.numberMax { search.part.next = last }
        }
        if search.isExhausted {
            // A part that spent what it may read counts as a whole one, however few it came to.
            search.part.examined = max(search.part.examined, hub.limits.inspection.failuresPerPart)
        }
        return search.part
    }

    /// Registrations of a range that a record may have been for, ascending.
    private func candidates(
        of record: NotificationRecord,
        _ hub: HubView,
        in range: ClosedRange<UInt32>
    ) -> [RegistrationNumber] {
        let all = hub.table.numbers(in: range)
        guard case .tags = record.draft.target else { return all }
        let present = Set(
            hub.table.numbers(of: record.draft.target).filter { range.contains($0.raw) }
        )
        return all.filter { number in
            // Tags that hold only since then say nothing of those before.
            present.contains(number)
                || (hub.table.facts(of: number).map { record.sequence < $0.tagsSince } ?? false)
        }
    }

    private func look(
        at numbers: [RegistrationNumber],
        _ search: inout FailureSearch,
        _ hub: HubView
    ) throws(StoreError) {
        let record = search.record
        let close = numbers.filter { number in
            guard let facts = hub.table.facts(of: number), facts.isMeant(by: record.draft.format),
                !facts.isExpired(hub.now.time)
            else { return false }
            return !isSurelyNoFailure(facts, search, hub)
        }
        let some = close.prefix(max(1, hub.limits.inspection.failuresPerPart))
        var last: RegistrationNumber?
        for registration in try hub.table.registrations(Array(some), remembers: false) {
            let device = registration.target?.device
            let explainer = try explainer(search, device, hub)
            let reason = explainer.reason(registration, isDeleted: false)
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
                        installation: hub.installation(of: registration)?.id
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
        _ search: inout FailureSearch,
        _ hub: HubView
    ) throws(StoreError) {
        guard case .native(let platform) = search.record.draft.format else { return }
        for index in handles.indices.dropFirst(Int(from)) {
            guard search.part.examined < max(1, hub.limits.inspection.failuresPerPart),
                !search.isExhausted
            else {
                search.part.next = UInt32(index)
                return
            }
            search.part.examined += 1
            var reason = ExplainReason.unknownHandle
            if let device = hub.device(of: handles[index], platform: platform) {
                reason = try explainer(search, device, hub).explainDirect(platform).reason
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
        _ hub: HubView
    ) -> Bool {
        guard let target = facts.target, !facts.isUndeliverable else { return false }
        let record = search.record
        let isPast = hub.devices.cursor(of: target.device).map {
            $0.acknowledged >= record.sequence
        }
        if isPast == true { return !search.hasLost(facts.platform) }
        return !facts.isTemplate && record.expires > hub.now.time
            && record.sequence > hub.settings.purgedThrough && record.draft.collapseKey.isEmpty
    }

    private func explainer(
        _ search: FailureSearch,
        _ device: DeviceID?,
        _ hub: HubView
    ) throws(StoreError) -> Explainer {
        try Explaining(hub: hub).explainer(
            search.record,
            device,
            search.counts,
            search.successors
        )
    }
}
