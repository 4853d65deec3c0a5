package import HubModel
package import HubVocabulary
import HubWire

// One group: planned, committed by the owner, published, answered. Source: rules A.2.

extension HubDirectory {
    /// Plans what waits, up to a full group, and says what must become durable.
    ///
    /// nil when nothing has to be written: all that waited is answered then. After a group,
    /// `committed` must come before the next call.
    package func nextGroup(now: Now) -> CommitGroup? {
        precondition(pending == nil, "nextGroup before committed of group \(groupCounter)")
        while !queue.isEmpty {
            plan(now: now)
            if !isTouched, records.isEmpty {
                answerAll(changes: nil, records: nil, now: now)
                continue
            }
            groupCounter += 1
            let group = CommitGroup(
                number: groupCounter,
                changes: parts.flatMap(\.storedChanges),
                records: records
            )
            if limits.planted.has(.acknowledgeBeforeCommit) {
                answerAll(changes: nil, records: nil, now: now)
            }
            pending = Pending(group: group, answers: answers)
            answers.removeAll(keepingCapacity: true)
            records.removeAll(keepingCapacity: true)
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
        if let error = result.changes { actions.append(.event(.changesRefused(error))) }
        if let error = result.records { actions.append(.event(.recordsRefused(error))) }
        let outcome = GroupOutcome(result, planted: limits.planted)
        var news = GroupNews()
        for part in parts { part.settle(outcome, &news) }
        if outcome.areChangesDurable { makeCursors(of: news.registrations, now: now.time) }
        let records = logged(group.records, outcome)
        actions += news.events.map { .event($0) }
        settleSchedules(outcome, now: now)
        publish(news.registrations, records)
        actions += news.broadcasts.map(DirectoryAction.broadcast)
        answers = pending.answers
        answerAll(changes: result.changes, records: result.records, now: now)
        handOutJob()
    }

    /// Moves the head behind records that are durable.
    ///
    /// - Returns: what is to be published of them.
    private func logged(
        _ records: [NotificationRecord],
        _ outcome: GroupOutcome
    ) -> [NotificationRecord] {
        guard outcome.areRecordsDurable else {
            return limits.planted.has(.headReusedAfterFailedCommit) ? records : []
        }
        for record in records {
            bounds.head = record.sequence
            headCheck = record.id.check
            checks.append(record.id.check, at: record.sequence)
            recent.append(record)
        }
        return records
    }

    private func publish(_ changes: [RegistrationChange], _ records: [NotificationRecord]) {
        guard !changes.isEmpty || !records.isEmpty else { return }
        feedNumber += 1
        let item = FeedItem(
            number: feedNumber,
            changes: changes,
            records: records,
            head: bounds.head,
            headCheck: headCheck
        )
        actions.append(.feed(item))
    }

    private func makeCursors(of changes: [RegistrationChange], now: Timestamp) {
        for case .put(let registration, _) in changes { makeCursor(of: registration, now: now) }
    }

    private func plan(now: Now) {
        table.begin(at: nextPlace)
        planningTime = now.time
        while touchedCount < limits.groupMax, records.count < limits.groupMax,
            answers.count < Self.answersMax, let work = queue.popFirst()
        {
            switch work {
            case .command(let command, let token): plan(command, token, now: now)
            case .sendRest(let sequence): plan(sequence, now: now)
            case .device(let device, let generation, let address, let reference, let request):
                guard devices.isCurrent(generation, of: device) else {
                    answers.append(.event(.staleSession))
                    continue
                }
                let outcome = plan(request, of: device, now: now)
                answers.append(.outcome(address, reference: reference, outcome))
            case .attach(let request): plan(request, now: now)
            case .detach(let device, let generation): detach(device, generation, now: now)
            case .reload(let sessions):
                for session in sessions { answers.append(.attached(session)) }
            case .forget(let device): planForgetting(device, now: now)
            case .expire(let number): planExpiry(of: number, now: now)
            case .expireInstallation(let number): planExpiry(of: number, now: now)
            case .fireSchedules: fireSchedules(now: now)
            case .removeFiredSchedules: removeFiredSchedules()
            case .failInterruptedJobs: failInterruptedJobs(now: now)
            }
        }
    }

    /// Removes a registration whose time is over; looks at it again when it cannot be read.
    private func planExpiry(of number: RegistrationNumber, now: Now) {
        guard let facts = table.facts(of: number), let expires = facts.expires,
            facts.isExpired(now.time)
        else { return }
        do throws(StoreError) {
            guard let registration = try table[number] else { return }
            depart(registration, .lapsed)
            answers.append(.expired(number, expires))
        } catch {
            actions.append(.event(.readRefused(error)))
            expiry.insert(expires, number)
        }
    }

    /// As `planExpiry(of:now:)` of a registration, for an installation.
    private func planExpiry(of number: InstallationNumber, now: Now) {
        guard let installation = installations[number], let expires = installation.expires,
            installation.isExpired(now.time)
        else { return }
        do throws(StoreError) {
            try remove(installation, .lapsed)
            answers.append(.installationExpired(number, expires))
        } catch {
            actions.append(.event(.readRefused(error)))
            installationExpiry.insert(expires, number)
        }
    }

    private func plan(_ command: HubCommand, _ token: RequestToken, now: Now) {
        switch command {
        case .send(let draft): plan(draft, token, now: now)
        case .sendAll(let drafts): plan(SendSequence(drafts, token: token), now: now)
        case .testSend(let draft): planTest(draft, token, now: now)
        case .createRegistration(let content, let grant):
            answer(token) { () throws(Refusal) -> HubReply in
                .registration(try create(content, grant, now: now))
            }
        case .putRegistration(let id, let content, let condition, let grant):
            answer(token) { () throws(Refusal) -> HubReply in
                .registration(try put(id, content, condition, grant, now: now))
            }
        case .deleteRegistration(let id, let condition, let grant):
            answer(token) { () throws(Refusal) -> HubReply in
                try delete(id, condition, grant, now: now)
                return .deleted
            }
        case .putInstallation(let draft, let grant):
            answer(token) { () throws(Refusal) -> HubReply in
                .installation(try put(draft, grant, now: now), channelExpired: false)
            }
        case .patchInstallation(let id, let changes, let grant):
            answer(token) { () throws(Refusal) -> HubReply in
                .installation(try patch(id, changes, grant, now: now), channelExpired: false)
            }
        case .deleteInstallation(let id, let grant):
            answer(token) { () throws(Refusal) -> HubReply in
                try deleteInstallation(id, grant, now: now)
                return .deleted
            }
        case .schedule(let request): plan(request, token, now: now)
        case .cancelSchedule(let id): cancel(id, token)
        case .changeSettings(let change):
            answer(token) { () throws(Refusal) -> HubReply in try self.change(change) }
        case .purge(let extent): plan(extent, token)
        case .revokeDevice(let subject):
            answer(token) { () throws(Refusal) -> HubReply in try revoke(subject) }
        case .createJob(let request):
            answer(token) { () throws(Refusal) -> HubReply in
                .job(try create(request, now: now))
            }
        case .reportJob(let id, let report):
            answer(token) { () throws(Refusal) -> HubReply in
                .job(try note(report, of: id, now: now))
            }
        case .reserveRegistrationID, .getSettings, .getRegistration, .listRegistrations,
            .getInstallation,
            .listInstallations, .notificationDetails, .inspect, .explain, .getSchedule,
            .listSchedules, .getJob, .listJobs, .departures, .failures:
            answers.append(.query(command, token))
        }
    }

    /// Whether the group changes what the store keeps.
    var isTouched: Bool { touchedCount > 0 }

    /// How much of its room the group's changes take.
    var touchedCount: Int { parts.reduce(0) { $0 + $1.touchedCount } }

    private func answer(_ token: RequestToken, _ body: () throws(Refusal) -> HubReply) {
        do throws(Refusal) {
            answers.append(.changed(token, .success(try body())))
        } catch {
            answers.append(.changed(token, .failure(error)))
        }
    }

    /// Gives a draft its id and its place behind the group's other records.
    private func plan(_ draft: NotificationDraft, _ token: RequestToken, now: Now) {
        do throws(Refusal) {
            try requireProperties(draft)
            if answerRepeated(draft.idempotency, token, now: now) { return }
            answers.append(.sent(token, append(settingsBook.limited(draft), now: now)))
        } catch {
            answers.append(.known(token, .failure(error)))
        }
    }

    /// Refuses a template send whose body was not read as a property bag.
    func requireProperties(_ draft: NotificationDraft) throws(Refusal) {
        guard draft.format != .template || draft.properties != nil else {
            let reason = "a template send takes a JSON object of strings"
            throw .invalid(field: "body", reason: reason)
        }
    }

    /// Puts a draft behind the group's other records.
    func append(
        _ draft: NotificationDraft,
        schedule: ScheduleID? = nil,
        now: Now
    ) -> NotificationRecord {
        let record = NotificationRecord(
            sequence: bounds.head + 1 + UInt64(records.count),
            id: ids.make(now: now.time, random: &random),
            draft: draft,
            schedule: schedule,
            anchors: draft.anchors { table.count(tag: $0) }
        )
        records.append(record)
        if let key = record.storedKey { sends.remember(key, isRecord: true) }
        return record
    }

    /// Returns the result of `body`, or throws the refusal for the store's error that it meets.
    func reading<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(Refusal) -> Value {
        do throws(StoreError) { return try body() } catch {
            actions.append(.event(.readRefused(error)))
            throw error.refusal
        }
    }

    // MARK: Answers

    /// Says what the group's callers wait for, in the order in which they asked.
    private func answerAll(changes: StoreError?, records: StoreError?, now: Now) {
        let due = answers
        answers.removeAll(keepingCapacity: true)
        for answer in due {
            switch answer {
            case .changed(let token, let result):
                actions.append(.reply(token, changes.map { .failure($0.refusal) } ?? result))
            case .sent(let token, let record):
                let accepted = HubReply.accepted(record.id, sequence: record.sequence)
                let result = records.map { Result.failure($0.refusal) } ?? .success(accepted)
                actions.append(.reply(token, result))
            case .sentAll(let sequence): settle(sequence, changes: changes, records: records)
            case .recorded(let token, let result):
                actions.append(.reply(token, records.map { .failure($0.refusal) } ?? result))
            case .known(let token, let result): actions.append(.reply(token, result))
            case .outcome(let address, let reference, let outcome):
                let said = changes.map { outcome.refused(by: $0) } ?? outcome
                actions.append(message(said, to: address, reference: reference))
            case .query(let command, let token): self.answer(command, token, now: now)
            case .attach(let request, let generation):
                attach(request, generation, now: now)
            case .attached(let session): reload(session, now: now)
            case .expired(let number, let time):
                if changes == nil {
                    actions.append(.event(.expired(1)))
                } else {
                    expiry.insert(time, number)
                }
            case .forgotten(let device): forget(device, isDurable: changes == nil)
            case .installationExpired(let number, let time):
                if changes != nil { installationExpiry.insert(time, number) }
            case .event(let event):
                if changes == nil { actions.append(.event(event)) }
            }
        }
    }

    func message(
        _ outcome: DeviceOutcome,
        to address: ConnectionAddress,
        reference: UInt16
    ) -> DirectoryAction {
        .message(shard: address.shard, .outcome(address, reference: reference, outcome))
    }
}

extension DeviceOutcome {
    /// The answer to the same request when the store refused it.
    func refused(by error: StoreError) -> DeviceOutcome {
        DeviceOutcome(
            error: error == .full ? .storage : .unavailable,
            slot: slot,
            retryAfterMilliseconds: UInt32(HubDirectory.retrySeconds) * 1_000,
            detail: error.refusal.detail
        )
    }
}
