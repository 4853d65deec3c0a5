package import HubModel
import HubTemplates
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
                changes: table.storedChanges + installations.storedChanges
                    + schedules.storedChanges + storedSettings + jobs.storedChanges
                    + departures.storedChanges
                    + revoking.map { .revoke($0.device, generation: $0.generation) },
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
        let published = settle(group, result, now: now)
        settleSchedules(group, result, now: now)
        if !published.changes.isEmpty || !published.records.isEmpty {
            feedNumber += 1
            actions.append(
                .feed(
                    FeedItem(
                        number: feedNumber,
                        changes: published.changes,
                        records: published.records,
                        head: bounds.head,
                        headCheck: headCheck
                    )
                )
            )
        }
        settleSettings(result)
        settleRevocations(areDurable: result.changes == nil)
        answers = pending.answers
        answerAll(changes: result.changes, records: result.records, now: now)
        handOutJob()
    }

    /// Makes final what is durable, takes back what is not.
    private func settle(
        _ group: CommitGroup,
        _ result: CommitResult,
        now: Now
    ) -> (changes: [RegistrationChange], records: [NotificationRecord]) {
        var changes: [RegistrationChange] = []
        departures.settle(areDurable: result.changes == nil)
        if let error = result.changes {
            if limits.planted.has(.changePublishedBeforeCommit) { changes = table.keep() }
            table.revert()
            installations.revert()
            jobs.revert()
            actions.append(.event(.changesRefused(error)))
        } else {
            changes = table.keep()
            for case .put(let registration, _) in changes {
                makeCursor(of: registration, now: now.time)
            }
            installations.keep()
            jobs.keep()
        }
        if let error = result.records {
            actions.append(.event(.recordsRefused(error)))
            if limits.planted.has(.headReusedAfterFailedCommit) { return (changes, group.records) }
            return (changes, [])
        }
        for record in group.records {
            bounds.head = record.sequence
            headCheck = record.id.check
            checks.append(record.id.check, at: record.sequence)
            recent.append(record)
        }
        return (changes, group.records)
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
    var isTouched: Bool {
        table.isTouched || installations.isTouched || schedules.isTouched || settingsBefore != nil
            || jobs.isTouched || !revoking.isEmpty
    }

    var touchedCount: Int {
        // Nearly every departure is that of a registration which the group removes.
        max(table.touchedCount, departures.group.count) + installations.touchedCount
            + schedules.touchedCount + jobs.touchedCount + revoking.count
    }

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
            let properties = try properties(of: draft)
            if answerRepeated(draft.idempotency, token, now: now) { return }
            answers.append(.sent(token, append(limited(draft), properties, now: now)))
        } catch {
            answers.append(.known(token, .failure(error)))
        }
    }

    /// The property bag of a template send; nil for a native one.
    func properties(of draft: NotificationDraft) throws(Refusal) -> PropertyBag? {
        guard draft.format == .template else { return nil }
        do throws(PropertyBagError) {
            return try PropertyBag(json: draft.body.span)
        } catch {
            let reason = "a template send takes a JSON object of strings"
            throw .invalid(field: "body", reason: reason)
        }
    }

    /// Puts a draft behind the group's other records.
    func append(
        _ draft: NotificationDraft,
        _ properties: PropertyBag?,
        schedule: ScheduleID? = nil,
        now: Now
    ) -> NotificationRecord {
        let record = NotificationRecord(
            sequence: bounds.head + 1 + UInt64(records.count),
            id: ids.make(now: now.time, random: &random),
            draft: draft,
            properties: properties,
            schedule: schedule,
            anchors: draft.anchors { table.count(tag: $0) }
        )
        records.append(record)
        if let key = record.storedKey { remember(key, isRecord: true) }
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
