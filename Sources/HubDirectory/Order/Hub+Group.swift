package import HubModel
package import HubVocabulary

// One group: planned, committed by the owner, published, answered. Source: rules A.2.

extension Hub {
    /// Plans what waits, up to a full group, and says what must become durable.
    ///
    /// nil when nothing has to be written: what waited is answered then, but for patient requests that
    /// let others go first. After a group, `committed` must come before the next call.
    package func nextGroup(now: Now) -> CommitGroup? {
        precondition(pending == nil, "nextGroup before committed of group \(groupCounter)")
        while !queue.isEmpty {
            plan(now: now)
            let answers = state.group.answers
            let records = state.group.records
            state.group.answers.removeAll(keepingCapacity: true)
            state.group.records.removeAll(keepingCapacity: true)
            if touchedCount == 0, records.isEmpty {
                say(answers, CommitResult(), now: now)
                // What came meanwhile goes before the next of the patient ones.
                guard queue.hasPrompt else { return nil }
                continue
            }
            groupCounter += 1
            let group = CommitGroup(
                number: groupCounter,
                changes: parts.flatMap(\.storedChanges),
                records: records
            )
            pending = Pending(group: group, answers: answers)
            return group
        }
        return nil
    }

    /// The store has worked on the group: publishes what is durable, then answers.
    ///
    /// A part that the store refused leaves no trace: its changes are taken back, its numbers go
    /// to later records, its callers hear so.
    package func committed(_ group: CommitGroup, _ result: CommitResult, now: Now) {
        guard let pending, pending.group.number == group.number else {
            preconditionFailure("committed group \(group.number), not \(groupCounter)")
        }
        self.pending = nil
        if let error = result.changes { state.outbox.tell(.changesRefused(error)) }
        if let error = result.records { state.outbox.tell(.recordsRefused(error)) }
        let outcome = GroupOutcome(result)
        var news = GroupNews()
        for part in parts { part.settle(outcome, &news) }
        if outcome.areChangesDurable {
            for case .put(let registration, _) in news.registrations {
                state.makeCursor(of: registration, now: now.time)
            }
        }
        if outcome.areRecordsDurable { state.log.append(group.records) }
        for event in news.events { state.outbox.tell(event) }
        enqueue(scheduler.settled(outcome, now: now))
        let records = outcome.areRecordsDurable ? group.records : []
        publish(news.registrations, records, durable: now.instant)
        for message in news.broadcasts { state.outbox.append(.broadcast(message)) }
        say(pending.answers, result, now: now)
        handOutJob()
    }

    private var touchedCount: Int { parts.reduce(0) { $0 + $1.touchedCount } }

    private func publish(
        _ changes: [RegistrationChange],
        _ records: [NotificationRecord],
        durable: Instant
    ) {
        guard !changes.isEmpty || !records.isEmpty else { return }
        feedNumber += 1
        let item = FeedItem(
            number: feedNumber,
            changes: changes,
            records: records,
            head: state.log.bounds.head,
            headCheck: state.log.headCheck,
            durable: durable
        )
        state.outbox.append(.feed(item))
    }

    private func plan(now: Now) {
        state.table.begin(at: state.log.nextPlace)
        state.group.time = now.time
        while touchedCount < limits.log.groupMax, state.group.records.count < limits.log.groupMax,
            state.group.answers.count < Self.answersMax, let work = queue.popFirst()
        {
            plan(work, now: now)
        }
        // At least one, so that a busy hub comes to them.
        for _ in 0..<Self.patientRequestsMax {
            guard let work = queue.popPatient() else { break }
            plan(work, now: now)
            if touchedCount >= Self.patientChangesMax { break }
        }
    }

    private func plan(_ work: DirectoryWork, now: Now) {
        switch work {
        case .call(.question(let question)): state.group.answers.append(.question(question))
        case .call(.change(let change)), .call(.patientChange(let change)): change(state, now)
        case .call(.sendAll(let sequence)): state.plan(sequence, now: now)
        case .device(let device, let generation, let address, let reference, let request):
            guard state.devices.isCurrent(generation, of: device) else {
                return state.group.answers.append(.event(.staleSession))
            }
            let outcome = DeviceWriter(hub: state, device: device, now: now.time).plan(request)
            state.group.answers.append(.outcome(address, reference: reference, outcome))
        case .attach(let request): DeviceAttaching(hub: state, now: now).plan(request)
        case .reload(let sessions):
            for session in sessions { state.group.answers.append(.attached(session)) }
        case .detach(let device, let generation):
            state.detach(device, generation, now: now.time)
        case .forget(let device): state.planForgetting(device)
        case .expire(let number): state.planExpiry(of: number)
        case .expireInstallation(let number): state.planExpiry(of: number)
        case .schedules(let step):
            scheduler.began(step)
            switch step {
            case .fire: state.fireSchedules()
            case .removeFired:
                state.schedules.removeFired(limit: limits.log.groupMax - touchedCount)
            }
        case .failInterruptedJobs: state.jobs.failInterrupted(now: now.time)
        }
    }

    // MARK: Answers

    /// Says what the group's callers wait for, in the order in which they asked.
    private func say(_ answers: [GroupAnswer], _ result: CommitResult, now: Now) {
        let isDurable = result.changes == nil
        let sessions = DeviceAttaching(hub: state, now: now)
        for answer in answers {
            switch answer {
            case .answer(let answer, let needs):
                state.outbox.append(.answer(answer.refused(by: result.refusal(of: needs))))
            case .sendAll(let sequence): settle(sequence, result)
            case .question(let question): self.answer(question, now: now)
            case .outcome(let address, let reference, let outcome):
                let said = result.changes.map { outcome.refused(by: $0) } ?? outcome
                tell(said, to: address, reference: reference)
            case .attach(let request, let generation): sessions.attach(request, generation)
            case .attached(let session): sessions.reload(session)
            case .expired(let number, let time):
                if isDurable {
                    state.outbox.tell(.expired(1))
                } else {
                    state.lapses.registrations.insert(time, number)
                }
            case .forgotten(let device):
                guard isDurable else { continue }
                state.devices.forget(device)
                state.outbox.tell(.deviceForgotten)
            case .installationExpired(let number, let time):
                if !isDurable { state.lapses.installations.insert(time, number) }
            case .event(let event):
                if isDurable { state.outbox.tell(event) }
            }
        }
    }

    /// Answers when it was the last part; what is left waits behind what others asked before.
    private func settle(_ sequence: SendSequence, _ result: CommitResult) {
        var sequence = sequence
        sequence.settle(changes: result.changes, records: result.records)
        if sequence.next < sequence.drafts.count {
            queue.append(.call(.sendAll(sequence)))
        } else {
            let answer = HubAnswer(.success(sequence.outcomes), to: sequence.reply)
            state.outbox.append(.answer(answer))
        }
    }

    func answer(_ question: HubQuestionCall, now: Now) {
        precondition(touchedCount == 0, "a question among uncommitted changes")
        state.outbox.append(.answer(question.answer(HubView(state: state, now: now))))
        precondition(touchedCount == 0, "a question that changes something")
    }

    func tell(_ outcome: DeviceOutcome, to address: ConnectionAddress, reference: UInt16) {
        let message = ShardMessage.outcome(address, reference: reference, outcome)
        state.outbox.append(.message(shard: address.shard, message))
    }
}

extension CommitResult {
    /// Why what an answer needs is not durable; nil when it is.
    fileprivate func refusal(of needs: AnswerNeeds) -> StoreError? {
        switch needs {
        case .nothing: nil
        case .changes: changes
        case .records: records
        }
    }
}
