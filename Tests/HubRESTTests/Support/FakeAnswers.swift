import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubVocabulary

/// A request that the fake hub answers by itself.
protocol FakeAnswered: HubRequest {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> Reply
}

extension Send: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> AcceptedSend {
        AcceptedSend(id: FakeHub.sent, sequence: 17)
    }
}

extension SendAll: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> [Result<AcceptedSend, Refusal>] {
        drafts.indices.map {
            .success(AcceptedSend(id: FakeHub.sent, sequence: 17 + UInt64($0)))
        }
    }
}

extension TestSend: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> TestOutcome {
        TestOutcome(notification: nil, results: [])
    }
}

extension GetSettings: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> HubSettings { HubSettings(.standard) }
}

extension ChangeSettings: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> HubSettings { HubSettings(.standard) }
}

extension Purge: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> HubSettings { HubSettings(.standard) }
}

extension ReserveRegistrationID: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> [UInt8] { hub.newID() }
}

extension CreateRegistration: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> Registration {
        hub.store(content, id: hub.newID())
    }
}

extension PutRegistration: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> Registration {
        if hub.deleted.contains(id) { throw .registrationGone }
        try hub.check(condition, hub.index(of: id))
        return hub.store(content, id: id)
    }
}

extension GetRegistration: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> Registration {
        guard let index = hub.index(of: id) else { throw .registrationNotFound }
        return hub.registrations[index]
    }
}

extension DeleteRegistration: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) {
        guard let index = hub.index(of: id) else { throw .registrationNotFound }
        try hub.check(condition, index)
        hub.registrations.remove(at: index)
        hub.deleted.insert(id)
    }
}

extension ListRegistrations: FakeAnswered {
    func answer(
        _ hub: inout FakeHub.State
    ) -> ListPage<Registration, RegistrationNumber> {
        let all = hub.registrations.filter { $0.number > after && matches($0) }
        let page = Array(all.prefix(limit))
        return ListPage(page, next: all.count > limit ? page.last?.number : nil)
    }

    private func matches(_ registration: Registration) -> Bool {
        switch filter {
        case .all: true
        case .tag(let tag): registration.tags.contains(tag.span)
        case .handle(let handles): handles.contains(registration.content.handle)
        }
    }
}

extension GetDetails: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> NotificationDetails {
        guard let details = hub.details else { throw .notificationNotFound }
        return details
    }
}

extension FindFailures: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> FailurePart {
        guard let part = hub.failures[from] else { throw .notificationNotFound }
        return part
    }
}

extension Explain: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> Reply {
        Reply([Explanation(reason: .unknownNotification)])
    }
}

extension ScheduleSend: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> ScheduleID {
        throw .scheduleNotFound
    }
}

extension CancelSchedule: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) { throw .scheduleNotFound }
}

extension GetSchedule: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> ScheduledNotification {
        throw .scheduleNotFound
    }
}

extension ListSchedules: FakeAnswered {
    func answer(
        _ hub: inout FakeHub.State
    ) throws(Refusal) -> ListPage<ScheduledNotification, SchedulePlace> {
        throw .scheduleNotFound
    }
}

extension CreateJob: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> BulkJob { throw .jobNotFound }
}

extension GetJob: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> BulkJob { throw .jobNotFound }
}

extension ListJobs: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> [BulkJob] { throw .jobNotFound }
}

extension RevokeDevice: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> Reply { throw .deviceNotFound }
}

extension GetDepartures: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> [DepartureRow] {
        let rows = hub.departures.filter { numbers.contains($0.number) }
        return Array(rows.prefix(hub.departureLimits.feedback.departuresPerAnswer))
    }
}

extension ListDepartureParts: FakeAnswered {
    /// As the directory answers, but in the simplest way.
    func answer(_ hub: inout FakeHub.State) -> ListPage<DeparturePart, UInt64> {
        var parts: [DeparturePart] = []
        for row in hub.departures where row.number >= from {
            let day = row.time.milliseconds / 86_400_000
            let block = row.number / hub.departureLimits.feedback.departuresPerPart
            if let last = parts.indices.last, parts[last].day == day, parts[last].block == block {
                parts[last].numbers = parts[last].numbers.lowerBound...row.number
                parts[last].modified = row.time
            } else if parts.count == hub.departureLimits.feedback.departurePartsPerAnswer {
                return ListPage(parts, next: row.number)
            } else {
                let numbers = row.number...row.number
                parts.append(
                    DeparturePart(day: day, block: block, numbers: numbers, modified: row.time)
                )
            }
        }
        return ListPage(parts, next: nil)
    }
}

extension PutInstallation: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> Installation {
        let stored = Installation(
            number: InstallationNumber(UInt32(hub.installations.count + 1)),
            id: draft.id,
            platform: draft.platform,
            text: draft.text,
            expires: draft.expires
        )
        hub.installations[draft.id] = stored
        return stored
    }
}

extension GetInstallation: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> Reply {
        guard let found = hub.installations[id] else { throw .installationNotFound }
        return Reply(installation: found, channelExpired: false)
    }
}

extension PatchInstallation: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> Installation {
        guard let found = hub.installations[id] else { throw .installationNotFound }
        return found
    }
}

extension DeleteInstallation: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) { hub.installations[id] = nil }
}

extension ListInstallations: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> Reply {
        let all = hub.installations.values.sorted { $0.number < $1.number }
        let page = all.filter { $0.number > after }.prefix(limit)
        return Reply(Array(page), matched: page.count, next: nil, total: all.count)
    }
}

extension InspectTags: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> InspectedPart<[TagCount]> {
        InspectedPart([], next: nil)
    }
}

extension InspectAudience: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> InspectedPart<InspectedAudience> {
        InspectedPart(InspectedAudience(), next: nil)
    }
}

extension ListNotifications: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> ListPage<Entry, UInt64> {
        ListPage([], next: nil)
    }
}

extension ListDevices: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) -> InspectedPart<[ListedDevice]> {
        InspectedPart([], next: nil)
    }
}

extension GetDevice: FakeAnswered {
    func answer(_ hub: inout FakeHub.State) throws(Refusal) -> Reply { throw .deviceNotFound }
}
