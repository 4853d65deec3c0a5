package import HubModel
import HubTags
import HubTemplates
package import HubVocabulary

/// Sends to a few of the registrations that match, at random, and says what happens at each.
///
/// Devices that can get it get it as a notification of the log for exactly them. An idempotency key
/// is passed over: some clients send one with everything, and a repeated test is a new one.
/// Source: REST §10.
package struct TestSend: HubChange {
    /// The draft.
    package let draft: NotificationDraft

    /// Tests a draft.
    package init(_ draft: NotificationDraft) { self.draft = draft }

    /// Bytes of the draft, about.
    package var bodyBytes: Int { draft.weight }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<TestOutcome> {
        do throws(Refusal) {
            try draft.requireProperties()
            try hub.rates.testSends.admit(
                limit: hub.terms.limits.sends.testSendsPerMinute,
                now: now.instant
            )
            let (narrowed, results) = try hub.outbox.reading { () throws(StoreError) in
                try narrow(hub, now: now)
            }
            guard results.contains(where: \.isSuccess) else {
                let outcome = TestOutcome(notification: nil, results: results)
                return PlannedAnswer(.success(outcome), needs: .nothing)
            }
            let record = hub.append(narrowed)
            let name = NotificationName(id: record.id, sequence: record.sequence)
            let outcome = TestOutcome(notification: name, results: results)
            return PlannedAnswer(.success(outcome), needs: .records)
        } catch {
            return PlannedAnswer(.failure(error), needs: .nothing)
        }
    }

    /// The draft for those alone that can get it, and what happens at each.
    private func narrow(
        _ hub: HubState,
        now: Now
    ) throws(StoreError) -> (NotificationDraft, [TestOutcome.Result]) {
        var narrowed = hub.settings.limited(draft)
        narrowed.idempotency = nil
        if case .handles(let handles) = draft.target {
            let few = Array(handles.prefix(hub.terms.limits.sends.testSendsMax))
            let results = try few.map { handle throws(StoreError) in try result(of: handle, hub) }
            narrowed.target = .handles(zip(few, results).compactMap { $1.isSuccess ? $0 : nil })
            return (narrowed, results)
        }
        let chosen = try choose(hub, now: now)
        let results = chosen.map { result(of: $0, hub) }
        if case .tags(let expression) = draft.target {
            narrowed.testedExpression = expression.source
        }
        narrowed.target = .slots(
            zip(chosen, results).compactMap { $1.isSuccess ? $0.target : nil }
        )
        return (narrowed, results)
    }

    /// Some of the registrations that match now, by lot; looks at a bounded number of them.
    private func choose(
        _ hub: HubState,
        now: Now
    ) throws(StoreError) -> [Registration] {
        let limits = hub.terms.limits
        var chosen: [RegistrationNumber] = []
        var numbers = hub.table.numbers(of: draft.target)
        var looked = 0
        while chosen.count < limits.sends.testSendsMax, !numbers.isEmpty,
            looked < limits.inspection.matchSampleMax
        {
            looked += 1
            numbers.swapAt(
                Int.random(in: numbers.indices, using: &hub.identifiers.random),
                numbers.count - 1
            )
            guard let number = numbers.popLast(), let found = hub.table.facts(of: number),
                found.isMeant(by: draft.format), !found.isExpired(now.time)
            else { continue }
            chosen.append(number)
        }
        return try hub.table.registrations(chosen)
    }

    private func result(
        of registration: Registration,
        _ hub: HubState
    ) -> TestOutcome.Result {
        TestOutcome.Result(
            platform: registration.content.platform,
            handle: registration.content.handle,
            registration: registration.id,
            verdict: verdict(of: registration, hub),
            stored: registration.target == nil ? registration : nil
        )
    }

    private func verdict(
        of registration: Registration,
        _ hub: HubState
    ) -> TestVerdict {
        guard let target = registration.target else {
            return withoutDevice(registration.content.platform, hub)
        }
        if registration.content.template != nil {
            guard let template = registration.template else { return .templateError }
            let own = registration.content.pushVariables
            let rendered = template.compiled.render(
                draft.properties ?? PropertyBag(),
                variables: own.isEmpty ? nil : PropertyBag(own)
            )
            let limit = hub.terms.limits.sends.payloadBytesMax
            guard rendered.body.count <= limit else {
                return .invalidSize(bytes: rendered.body.count, limit: limit)
            }
        }
        return verdict(of: target.device, hub)
    }

    /// The verdict on a handle that no device of this hub has.
    private func withoutDevice(_ platform: Platform, _ hub: HubState) -> TestVerdict {
        hub.progress.relays[platform] == nil ? .unknownHandle : .forService
    }

    /// The verdict on a notification that can be delivered to a device.
    private func verdict(of device: DeviceID, _ hub: HubState) -> TestVerdict {
        guard !hub.devices.isConnected(device) else { return .sent }
        return draft.timeToLive == .transient ? .missed : .held
    }

    private func result(
        of handle: [UInt8],
        _ hub: HubState
    ) throws(StoreError) -> TestOutcome.Result {
        guard case .native(let platform) = draft.format else {
            preconditionFailure("a direct send in the format template")
        }
        var verdict = withoutDevice(platform, hub)
        if let device = hub.device(of: handle, platform: platform) {
            verdict = self.verdict(of: device, hub)
        }
        let number = try hub.table.numbers(handle: handle).first { number in
            hub.table.facts(of: number)?.platform == platform
        }
        let stored = try number.map { number throws(StoreError) in try hub.table[number] } ?? nil
        return TestOutcome.Result(
            platform: platform,
            handle: handle,
            registration: stored?.id,
            verdict: verdict,
            stored: verdict == .forService ? stored : nil
        )
    }
}
