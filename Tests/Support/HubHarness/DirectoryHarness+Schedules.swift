import HubDirectory
import HubMemory
import HubModel
import HubQuestions
import HubVocabulary
import Testing

extension DirectoryHarness {
    /// Schedules a notification so many milliseconds ahead.
    @discardableResult
    func schedule(
        in milliseconds: UInt64,
        _ draft: NotificationDraft = Given.draft()
    ) throws -> ScheduleID {
        let due = Timestamp(milliseconds: now.time.milliseconds + milliseconds)
        return try perform(ScheduleSend(ScheduleRequest(draft: draft, due: due))).get()
    }

    /// Lets time pass as the owner does.
    func tick() {
        directory.tick(now: now)
        run()
    }

    /// What fired, by the order of the log.
    var fired: [ScheduleID] { storage.records.compactMap(\.schedule) }

    /// One group, committed.
    func commitOne() throws -> CommitGroup {
        let group = try #require(directory.nextGroup(now: now))
        let result = storage.commit(changes: group.changes, records: group.records)
        directory.committed(group, result, now: now)
        collect()
        return group
    }

    func waiting(after place: SchedulePlace? = nil, limit: Int = 100) throws -> [ScheduleID] {
        let reply = try perform(ListSchedules(after: place, limit: limit)).get()
        return reply.entries.map(\.id)
    }
}
