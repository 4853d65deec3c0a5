import HubTags

// Test sends: a few registrations at random, each with what happens there. Source: REST §10.

extension HubDirectory {
    /// Plans a send to at most `testSendsMax` of the registrations that it matches.
    ///
    /// Whoever can get it gets it as a notification of the log for exactly them. An idempotency key
    /// is passed over: some clients send one with everything, and a repeated test is a new one.
    func planTest(_ draft: NotificationDraft, _ token: RequestToken, now: Now) {
        do throws(Refusal) {
            let properties = try properties(of: draft)
            try admitTest(now: now)
            let results: [TestOutcome.Result]
            var narrowed = limited(draft)
            narrowed.idempotency = nil
            if case .handles(let handles) = draft.target {
                let few = Array(handles.prefix(limits.testSendsMax))
                results = few.map { result(of: $0, draft) }
                narrowed.target = .handles(zip(few, results).compactMap { $1.isSuccess ? $0 : nil })
            } else {
                let chosen = choose(draft, now: now)
                results = chosen.map { result(of: $0, draft, properties) }
                narrowed.target = .slots(
                    zip(chosen, results).compactMap { $1.isSuccess ? $0.target : nil }
                )
            }
            guard results.contains(where: \.isSuccess) else {
                let outcome = TestOutcome(notification: nil, results: results)
                answers.append(.known(token, .success(.tested(outcome))))
                return
            }
            let record = append(narrowed, properties, now: now)
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

    /// Some of the registrations that match now, by lot.
    ///
    /// Most are found by trying numbers; when that finds few, the target selects few and the index
    /// names them. Looks at a bounded number of registrations in both.
    private func choose(_ draft: NotificationDraft, now: Now) -> [Registration] {
        var chosen: [Registration] = []
        var looked = 0
        if table.bound(of: draft.target) > limits.matchSampleMax {
            while chosen.count < limits.testSendsMax, looked < limits.inspectedPerPart {
                looked += 1
                let raw = UInt32.random(in: 1...table.numberMax, using: &random)
                guard let found = table[RegistrationNumber(raw)],
                    isMeant(found, by: draft, now: now),
                    !chosen.contains(where: { $0.number == found.number })
                else { continue }
                chosen.append(found)
            }
            if chosen.count == limits.testSendsMax { return chosen }
        }
        var numbers = table.numbers(of: draft.target)
        chosen.removeAll()
        looked = 0
        while chosen.count < limits.testSendsMax, !numbers.isEmpty,
            looked < limits.matchSampleMax
        {
            looked += 1
            numbers.swapAt(Int.random(in: numbers.indices, using: &random), numbers.count - 1)
            guard let number = numbers.popLast(), let found = table[number],
                draft.isFormat(of: found), !found.isExpired(now.time)
            else { continue }
            chosen.append(found)
        }
        return chosen
    }

    private func isMeant(_ found: Registration, by draft: NotificationDraft, now: Now) -> Bool {
        guard draft.isFormat(of: found), !found.isExpired(now.time) else { return false }
        if case .tags(let expression) = draft.target { return expression.matches(tags: found.tags) }
        return true
    }

    private func result(
        of registration: Registration,
        _ draft: NotificationDraft,
        _ properties: PropertyBag?
    ) -> TestOutcome.Result {
        TestOutcome.Result(
            platform: registration.content.platform,
            handle: registration.content.handle,
            registration: registration.id,
            verdict: verdict(of: registration, draft, properties)
        )
    }

    private func verdict(
        of registration: Registration,
        _ draft: NotificationDraft,
        _ properties: PropertyBag?
    ) -> TestVerdict {
        guard let target = registration.target else { return .unknownHandle }
        if registration.content.template != nil {
            guard let template = registration.template else { return .templateError }
            let own = registration.content.pushVariables
            let rendered = template.compiled.render(
                properties ?? PropertyBag(),
                variables: own.isEmpty ? nil : PropertyBag(own)
            )
            guard rendered.body.count <= limits.payloadBytesMax else {
                return .invalidSize(bytes: rendered.body.count, limit: limits.payloadBytesMax)
            }
        }
        return verdict(of: target.device, draft)
    }

    /// What becomes of a notification that can be delivered to a device.
    private func verdict(of device: DeviceID, _ draft: NotificationDraft) -> TestVerdict {
        guard devices.session(of: device) == nil else { return .sent }
        return draft.timeToLive == .transient ? .missed : .held
    }

    private func result(of handle: [UInt8], _ draft: NotificationDraft) -> TestOutcome.Result {
        guard case .native(let platform) = draft.format else {
            preconditionFailure("a direct send in the format template")
        }
        var verdict = TestVerdict.unknownHandle
        if let device = device(of: handle, platform: platform) {
            verdict = self.verdict(of: device, draft)
        }
        let number = table.numbers(handle: handle).first { number in
            table[number]?.content.platform == platform
        }
        return TestOutcome.Result(
            platform: platform,
            handle: handle,
            registration: number.flatMap { table[$0]?.id },
            verdict: verdict
        )
    }
}

extension TestOutcome.Result {
    /// Whether the device has it, or will.
    package var isSuccess: Bool { verdict.isSuccess }
}
