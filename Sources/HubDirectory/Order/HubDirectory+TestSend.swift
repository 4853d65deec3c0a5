import HubModel
import HubTags
import HubTemplates
import HubVocabulary

// Test sends: a few registrations at random, each with what happens there. Source: REST §10.

extension HubDirectory {
    /// Plans a send to at most `testSendsMax` of the registrations that it matches.
    ///
    /// Devices that can get it get it as a notification of the log for exactly them. An idempotency
    /// key is passed over: some clients send one with everything, and a repeated test is a new one.
    func planTest(_ draft: NotificationDraft, _ token: RequestToken, now: Now) {
        do throws(Refusal) {
            try requireProperties(draft)
            try admitTest(now: now)
            let results: [TestOutcome.Result]
            var narrowed = settingsBook.limited(draft)
            narrowed.idempotency = nil
            if case .handles(let handles) = draft.target {
                let few = Array(handles.prefix(limits.testSendsMax))
                results = try few.map { handle throws(Refusal) in
                    try reading { () throws(StoreError) in try result(of: handle, draft) }
                }
                narrowed.target = .handles(zip(few, results).compactMap { $1.isSuccess ? $0 : nil })
            } else {
                let chosen = try reading { () throws(StoreError) in
                    try choose(draft, now: now)
                }
                results = chosen.map { result(of: $0, draft) }
                if case .tags(let expression) = draft.target {
                    narrowed.testedExpression = expression.source
                }
                narrowed.target = .slots(
                    zip(chosen, results).compactMap { $1.isSuccess ? $0.target : nil }
                )
            }
            guard results.contains(where: \.isSuccess) else {
                let outcome = TestOutcome(notification: nil, results: results)
                answers.append(.known(token, .success(.tested(outcome))))
                return
            }
            let record = append(narrowed, now: now)
            let name = NotificationName(id: record.id, sequence: record.sequence)
            let outcome = TestOutcome(notification: name, results: results)
            answers.append(.recorded(token, .success(.tested(outcome))))
        } catch {
            answers.append(.known(token, .failure(error)))
        }
    }

    /// Refuses more than so many test sends in a minute.
    private func admitTest(now: Now) throws(Refusal) {
        let minute: UInt64 = 60_000
        testSends.removeAll { now.instant.milliseconds(since: $0) >= minute }
        guard testSends.count >= limits.testSendsPerMinute, let first = testSends.first else {
            return testSends.append(now.instant)
        }
        let left = minute - now.instant.milliseconds(since: first)
        throw .throttled(retryAfterSeconds: Int((left + 999) / 1_000))
    }

    /// Some of the registrations that match now, by lot; looks at a bounded number of them.
    private func choose(
        _ draft: NotificationDraft,
        now: Now
    ) throws(StoreError) -> [Registration] {
        var chosen: [RegistrationNumber] = []
        var numbers = table.numbers(of: draft.target)
        var looked = 0
        while chosen.count < limits.testSendsMax, !numbers.isEmpty,
            looked < limits.matchSampleMax
        {
            looked += 1
            numbers.swapAt(Int.random(in: numbers.indices, using: &random), numbers.count - 1)
            guard let number = numbers.popLast(), let found = table.facts(of: number),
                found.isMeant(by: draft.format), !found.isExpired(now.time)
            else { continue }
            chosen.append(number)
        }
        return try table.registrations(chosen)
    }

    private func result(
        of registration: Registration,
        _ draft: NotificationDraft
    ) -> TestOutcome.Result {
        TestOutcome.Result(
            platform: registration.content.platform,
            handle: registration.content.handle,
            registration: registration.id,
            verdict: verdict(of: registration, draft)
        )
    }

    private func verdict(
        of registration: Registration,
        _ draft: NotificationDraft
    ) -> TestVerdict {
        guard let target = registration.target else { return .unknownHandle }
        if registration.content.template != nil {
            guard let template = registration.template else { return .templateError }
            let own = registration.content.pushVariables
            let rendered = template.compiled.render(
                draft.properties ?? PropertyBag(),
                variables: own.isEmpty ? nil : PropertyBag(own)
            )
            guard rendered.body.count <= limits.payloadBytesMax else {
                return .invalidSize(bytes: rendered.body.count, limit: limits.payloadBytesMax)
            }
        }
        return verdict(of: target.device, draft)
    }

    /// Returns the verdict for a notification that can be delivered to a device.
    private func verdict(of device: DeviceID, _ draft: NotificationDraft) -> TestVerdict {
        guard devices.session(of: device) == nil else { return .sent }
        return draft.timeToLive == .transient ? .missed : .held
    }

    private func result(
        of handle: [UInt8],
        _ draft: NotificationDraft
    ) throws(StoreError) -> TestOutcome.Result {
        guard case .native(let platform) = draft.format else {
            preconditionFailure("a direct send in the format template")
        }
        var verdict = TestVerdict.unknownHandle
        if let device = device(of: handle, platform: platform) {
            verdict = self.verdict(of: device, draft)
        }
        let number = try table.numbers(handle: handle).first { number in
            table.facts(of: number)?.platform == platform
        }
        return TestOutcome.Result(
            platform: platform,
            handle: handle,
            registration: try number.map { number throws(StoreError) in
                try table[number]
            }??.id,
            verdict: verdict
        )
    }
}
