// Reads: answered from what is durable, behind every write that arrived before them.

extension HubDirectory {
    /// Whether a command only reads.
    func isQuery(_ command: HubCommand) -> Bool {
        switch command {
        case .reserveRegistrationID, .getSettings, .getRegistration, .listRegistrations,
            .getInstallation,
            .listInstallations, .notificationDetails, .inspect, .explain, .getSchedule,
            .listSchedules, .getJob, .listJobs:
            true
        case .changeSettings, .purge, .send, .testSend, .createRegistration, .putRegistration,
            .deleteRegistration, .putInstallation, .patchInstallation, .deleteInstallation,
            .schedule, .cancelSchedule, .createJob, .reportJob, .revokeDevice:
            false
        }
    }

    /// Answers a command that only reads; no uncommitted change may be in memory.
    func answer(_ command: HubCommand, _ token: RequestToken, now: Now) {
        precondition(!isTouched, "a read among uncommitted changes")
        switch command {
        case .getSettings: actions.append(.reply(token, .success(.settings(settings))))
        case .reserveRegistrationID:
            actions.append(.reply(token, .success(.reserved(id: makeID()))))
        case .getRegistration(let id):
            if let found = table[id], !found.isExpired(now.time) {
                actions.append(.reply(token, .success(.registration(found))))
            } else {
                actions.append(.reply(token, .failure(.registrationNotFound)))
            }
        case .listRegistrations(let filter, let after, let limit):
            let count = max(1, min(limit, limits.pageRegistrationsMax))
            let page = list(filter, after: after, limit: count, now: now.time)
            actions.append(.reply(token, .success(page)))
        case .getInstallation(let id):
            if let found = installations[id], !found.isExpired(now.time) {
                let reply = HubReply.installation(found, channelExpired: isChannelExpired(found))
                actions.append(.reply(token, .success(reply)))
            } else {
                actions.append(.reply(token, .failure(.installationNotFound)))
            }
        case .listInstallations(let filter, let after, let limit):
            let count = max(0, min(limit, limits.pageRegistrationsMax))
            let page = list(filter, after: after, limit: count, now: now.time)
            actions.append(.reply(token, .success(page)))
        case .notificationDetails(let name):
            actions.append(.reply(token, details(of: name, now: now)))
        case .inspect(let inspection):
            let part = inspect(inspection, now: now.time)
            actions.append(.reply(token, .success(.inspected(part))))
        case .explain(let name, let subject):
            actions.append(.reply(token, explain(name, subject, now: now)))
        case .getSchedule(let id):
            if let found = schedules[id] {
                actions.append(.reply(token, .success(.schedule(found))))
            } else {
                actions.append(.reply(token, .failure(.scheduleNotFound)))
            }
        case .listSchedules(let place, let limit):
            actions.append(.reply(token, .success(listSchedules(after: place, limit: limit))))
        case .getJob(let id):
            let reply = jobs[id].map { Result<HubReply, Refusal>.success(.job($0)) }
            actions.append(.reply(token, reply ?? .failure(.jobNotFound)))
        case .listJobs: actions.append(.reply(token, .success(.jobs(jobs.all))))
        case .changeSettings, .purge, .send, .testSend, .createRegistration, .putRegistration,
            .deleteRegistration, .putInstallation, .patchInstallation, .deleteInstallation,
            .schedule, .cancelSchedule, .createJob, .reportJob, .revokeDevice:
            // Callers have asked `isQuery`.
            preconditionFailure("a write among the reads")
        }
    }

    private func list(
        _ filter: RegistrationFilter,
        after: RegistrationNumber,
        limit: Int,
        now: Timestamp
    ) -> HubReply {
        var page: [Registration] = []
        // One more than asked for says whether another page follows.
        func take(_ registration: Registration) -> Bool {
            if !registration.isExpired(now) { page.append(registration) }
            return page.count <= limit
        }
        switch filter {
        case .all:
            // Deleted ones may leave long gaps: a page may be short, or empty, and name a next one.
            let looking = limits.registrationScanMax
            let last = table.forEach(after: after, looking: looking, take)
            if page.count <= limit { return .registrations(page, next: last) }
        case .tag(let tag): takeEach(table.numbers(tag: tag), after: after, take)
        case .handle(let spellings):
            let numbers = spellings.reduce(into: Set<RegistrationNumber>()) { found, spelling in
                found.formUnion(table.numbers(handle: spelling))
            }
            takeEach(numbers.sorted(), after: after, take)
        }
        guard page.count > limit else { return .registrations(page, next: nil) }
        page.removeLast()
        return .registrations(page, next: page.last?.number)
    }

    private func takeEach(
        _ numbers: [RegistrationNumber],
        after: RegistrationNumber,
        _ take: (Registration) -> Bool
    ) {
        let start = numbers.partitioningIndex { $0 > after }
        for number in numbers[start...] {
            if let registration = table[number], !take(registration) { return }
        }
    }

    /// A new external id, in use neither now nor before.
    func makeID() -> [UInt8] {
        while true {
            let id = RegistrationID.make(random: &random)
            if table[id] == nil, !table.isDeleted(id) { return id }
        }
    }
}

extension [RegistrationNumber] {
    /// The first index from which on `isBehind` holds; the numbers ascend.
    fileprivate func partitioningIndex(_ isBehind: (RegistrationNumber) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
