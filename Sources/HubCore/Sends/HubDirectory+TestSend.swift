import HubTags

// Test sends: a few registrations at random, each with what happens there. Source: REST §10.

extension HubDirectory {
    /// Plans a send to at most `testSendsMax` of the registrations that it matches.
    ///
    /// Whoever can get it gets it as a notification of the log for exactly them.
    func planTest(_ draft: NotificationDraft, _ token: RequestToken, now: Now) {
        do throws(Refusal) {
            let properties = try properties(of: draft)
            let results: [TestOutcome.Result]
            var narrowed = limited(draft)
            narrowed.idempotency = nil
            if case .handles(let handles) = draft.target {
                let few = Array(handles.prefix(limits.testSendsMax))
                results = few.map { result(of: $0, draft) }
                narrowed.target = .handles(zip(few, results).compactMap { $1.isSuccess ? $0 : nil })
            } else {
                let chosen = choose(draft, now: now)
                results = chosen.map { result(of: $0, properties) }
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

    /// Some of the registrations that match now, by lot.
    private func choose(_ draft: NotificationDraft, now: Now) -> [Registration] {
        var numbers = table.numbers(of: draft.target)
        var chosen: [Registration] = []
        while chosen.count < limits.testSendsMax, !numbers.isEmpty {
            numbers.swapAt(Int.random(in: numbers.indices, using: &random), numbers.count - 1)
            guard let number = numbers.popLast(), let found = table[number],
                draft.isFormat(of: found), !found.isExpired(now.time)
            else { continue }
            chosen.append(found)
        }
        return chosen
    }

    private func result(
        of registration: Registration,
        _ properties: PropertyBag?
    ) -> TestOutcome.Result {
        TestOutcome.Result(
            platform: registration.content.platform,
            handle: registration.content.handle,
            registration: registration.id,
            verdict: verdict(of: registration, properties)
        )
    }

    private func verdict(
        of registration: Registration,
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
        return devices.session(of: target.device) == nil ? .held : .sent
    }

    private func result(of handle: [UInt8], _ draft: NotificationDraft) -> TestOutcome.Result {
        guard case .native(let platform) = draft.format else {
            preconditionFailure("a direct send in the format template")
        }
        var verdict = TestVerdict.unknownHandle
        if let device = device(of: handle, platform: platform) {
            verdict = devices.session(of: device) == nil ? .held : .sent
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
