import HubModel
import HubVocabulary

// Reads: answered from what is durable, behind every write that arrived before them.

extension HubDirectory {
    /// Whether a command only reads.
    func isQuery(_ command: HubCommand) -> Bool {
        switch command {
        case .reserveRegistrationID, .getSettings, .getRegistration, .listRegistrations,
            .getInstallation,
            .listInstallations, .notificationDetails, .inspect, .explain, .getSchedule,
            .listSchedules, .getJob, .listJobs, .departures, .failures:
            true
        case .changeSettings, .purge, .send, .sendAll, .testSend, .createRegistration,
            .putRegistration, .deleteRegistration, .putInstallation, .patchInstallation,
            .deleteInstallation, .schedule, .cancelSchedule, .createJob, .reportJob,
            .revokeDevice:
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
            answer(token) { () throws(Refusal) in
                let found = try reading { () throws(StoreError) in try table[id] }
                guard let found, !found.isExpired(now.time) else { throw .registrationNotFound }
                return .registration(found)
            }
        case .listRegistrations(let filter, let after, let limit):
            let count = max(1, min(limit, limits.pageRegistrationsMax))
            answer(token) { () throws(Refusal) in
                try list(filter, after: after, limit: count, now: now.time)
            }
        case .getInstallation(let id):
            answer(token) { () throws(Refusal) in
                guard let found = installations[id], !found.isExpired(now.time) else {
                    throw .installationNotFound
                }
                let expired = try reading { () throws(StoreError) in try isChannelExpired(found) }
                return .installation(found, channelExpired: expired)
            }
        case .listInstallations(let filter, let after, let limit):
            let count = max(0, min(limit, limits.pageRegistrationsMax))
            let page = list(filter, after: after, limit: count, now: now.time)
            actions.append(.reply(token, .success(page)))
        case .notificationDetails(let name):
            actions.append(.reply(token, details(of: name, now: now)))
        case .inspect(let inspection):
            answer(token) { () throws(Refusal) in
                .inspected(
                    try reading { () throws(StoreError) in
                        try inspect(inspection, now: now.time)
                    }
                )
            }
        case .explain(let name, let subject):
            actions.append(.reply(token, explain(name, subject, now: now)))
        case .getSchedule(let id):
            let reply = schedules[id].map { Result<HubReply, Refusal>.success(.schedule($0)) }
            actions.append(.reply(token, reply ?? .failure(.scheduleNotFound)))
        case .listSchedules(let place, let limit):
            actions.append(.reply(token, .success(listSchedules(after: place, limit: limit))))
        case .getJob(let id):
            let reply = jobs[id].map { Result<HubReply, Refusal>.success(.job($0)) }
            actions.append(.reply(token, reply ?? .failure(.jobNotFound)))
        case .departures, .failures:
            answer(token) { () throws(Refusal) in try feedback(command, now: now) }
        case .listJobs: actions.append(.reply(token, .success(.jobs(jobs.all))))
        case .changeSettings, .purge, .send, .sendAll, .testSend, .createRegistration,
            .putRegistration, .deleteRegistration, .putInstallation, .patchInstallation,
            .deleteInstallation, .schedule, .cancelSchedule, .createJob, .reportJob, .revokeDevice:
            // Callers have asked `isQuery`.
            preconditionFailure("a write among the reads")
        }
    }

    private func answer(
        _ token: RequestToken,
        _ body: () throws(Refusal) -> HubReply
    ) {
        do throws(Refusal) {
            actions.append(.reply(token, .success(try body())))
        } catch {
            actions.append(.reply(token, .failure(error)))
        }
    }

    private func list(
        _ filter: RegistrationFilter,
        after: RegistrationNumber,
        limit: Int,
        now: Timestamp
    ) throws(Refusal) -> HubReply {
        var page: [RegistrationNumber] = []
        var next: RegistrationNumber?
        // One more than asked for says whether another page follows.
        func take(_ number: RegistrationNumber) -> Bool {
            if table.facts(of: number)?.isExpired(now) == false { page.append(number) }
            return page.count <= limit
        }
        switch filter {
        case .all:
            // Deleted ones may leave long gaps: a page may be short, or empty, and name a next one.
            let looking = limits.registrationScanMax
            next = table.forEach(after: after, looking: looking, take)
        case .tag(let tag):
            let looking = limits.registrationScanMax
            next = table.forEach(tag: tag, after: after, looking: looking, take)
        case .handle(let spellings):
            var numbers: Set<RegistrationNumber> = []
            for spelling in spellings {
                let found = try reading { () throws(StoreError) in
                    try table.numbers(handle: spelling)
                }
                numbers.formUnion(found)
            }
            takeEach(numbers.sorted(), after: after, take)
        }
        if page.count > limit {
            page.removeLast()
            next = page.last
        }
        let registrations = try reading { () throws(StoreError) in
            try table.registrations(page, remembers: false)
        }
        return .registrations(registrations, next: next)
    }

    private func takeEach(
        _ numbers: [RegistrationNumber],
        after: RegistrationNumber,
        _ take: (RegistrationNumber) -> Bool
    ) {
        let start = numbers.partitioningIndex { $0 > after }
        for number in numbers[start...] where !take(number) { return }
    }

    /// A new external id, which no live registration has; that a deleted one had it is as unlikely
    /// as guessing it.
    func makeID() -> [UInt8] {
        while true {
            let id = RegistrationID.make(random: &random)
            if !table.mayHave(id: id) { return id }
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
