import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubVocabulary
import Testing

@Suite("Scheduled notifications of a directory")
struct DirectoryScheduleTests {
    @Test("fire once, when their time has come and not before")
    func fires() throws {
        let harness = try DirectoryHarness()
        let id = try harness.schedule(in: 1_000)
        #expect(harness.storage.records.isEmpty)
        #expect(harness.directory.millisecondsUntilDue(now: harness.now) == 1_000)
        harness.pass(milliseconds: 999)
        harness.tick()
        #expect(harness.fired.isEmpty)
        #expect(harness.directory.millisecondsUntilDue(now: harness.now) == 1)
        harness.pass(milliseconds: 1)
        harness.forget()
        harness.tick()
        #expect(harness.fired == [id])
        #expect(harness.feed.flatMap(\.records).map(\.schedule) == [id])
        #expect(harness.storage.records[0].id.time == harness.now.time)
        #expect(harness.storage.schedules.isEmpty, "removed in the group behind")
        #expect(harness.events == [.schedulesFired(1)])
        #expect(harness.directory.millisecondsUntilDue(now: harness.now) == nil)
        harness.pass(milliseconds: 1_000_000)
        harness.tick()
        #expect(harness.fired == [id])
        #expect(harness.directory.gauges.schedules == 0)
    }

    @Test("whose time has passed are sent at once, with the id of a schedule")
    func past() throws {
        let harness = try DirectoryHarness()
        let id = try harness.schedule(in: 0)
        #expect(harness.fired == [id])
        #expect(harness.storage.schedules.isEmpty)
        #expect(try harness.refusal(CancelSchedule(id)) == .scheduleNotFound)
        harness.storage.refuseRecords = .full
        let request = ScheduleRequest(draft: Given.draft(), due: Timestamp(milliseconds: 5))
        #expect(try harness.refusal(ScheduleSend(request)) == .storeFull)
    }

    @Test("are refused without a trace when the store does not keep them")
    func refused() throws {
        let harness = try DirectoryHarness()
        harness.storage.refuseChanges = .full
        let due = harness.now.time.adding(seconds: 1)
        let request = ScheduleRequest(draft: Given.keyed(1), due: due)
        #expect(try harness.refusal(ScheduleSend(request)) == .storeFull)
        harness.storage.refuseChanges = nil
        #expect(harness.directory.gauges.schedules == 0)
        harness.pass(milliseconds: 5_000)
        harness.tick()
        #expect(harness.fired.isEmpty)
        // Nor is its idempotency key remembered.
        #expect(try harness.refusal(ScheduleSend(request)) == nil)
        #expect(harness.fired.count == 1)
    }

    @Test("survive a restart; those that came due meanwhile fire late")
    func restart() throws {
        var harness = try DirectoryHarness()
        let late = try harness.schedule(in: 1_000)
        let later = try harness.schedule(in: 20_000)
        harness = try harness.reopened()
        harness.pass(milliseconds: 10_000)
        harness.tick()
        #expect(harness.fired == [late])
        #expect(try harness.waiting() == [later])
        harness = try harness.reopened()
        harness.pass(milliseconds: 10_000)
        harness.tick()
        #expect(harness.fired == [late, later])
    }

    @Test("fire once although the hub was cut off between the record and the removal")
    func crash() throws {
        var harness = try DirectoryHarness()
        let id = try harness.schedule(in: 1_000)
        harness.pass(milliseconds: 1_000)
        harness.directory.tick(now: harness.now)
        let group = try harness.commitOne()
        #expect(group.records.map(\.schedule) == [id])
        #expect(harness.storage.schedules.count == 1, "the removal comes later")
        // The end of the first process.
        harness = try harness.reopened()
        #expect(try harness.refusal(CancelSchedule(id)) == .scheduleNotFound)
        #expect(try harness.waiting().isEmpty)
        harness.pass(milliseconds: 1_000)
        harness.tick()
        #expect(harness.fired == [id])
        #expect(harness.storage.schedules.isEmpty)
    }

    @Test("wait a second and fire once when the store refuses the record")
    func refusedRecord() throws {
        let harness = try DirectoryHarness()
        let ids = [try harness.schedule(in: 1_000), try harness.schedule(in: 1_001)]
        harness.pass(milliseconds: 1_001)
        harness.storage.refuseRecords = .unavailable(reason: "away")
        harness.tick()
        #expect(harness.fired.isEmpty)
        #expect(harness.directory.millisecondsUntilDue(now: harness.now) == 1_001)
        harness.storage.refuseRecords = nil
        harness.pass(milliseconds: 999)
        harness.tick()
        #expect(harness.fired.isEmpty, "the store is left alone for a second")
        harness.pass(milliseconds: 1)
        harness.tick()
        #expect(harness.fired == ids)
    }

    @Test("that are in the log are removed later when the store refuses the removal")
    func refusedRemoval() throws {
        let harness = try DirectoryHarness()
        let id = try harness.schedule(in: 1_000)
        harness.pass(milliseconds: 1_000)
        harness.storage.refuseChanges = .full
        harness.tick()
        #expect(harness.fired == [id])
        #expect(harness.storage.schedules.count == 1)
        #expect(try harness.refusal(GetSchedule(id)) == .scheduleNotFound)
        harness.storage.refuseChanges = nil
        harness.pass(milliseconds: 1_000)
        harness.tick()
        #expect(harness.fired == [id])
        #expect(harness.storage.schedules.isEmpty)
    }

    @Test("10,000 due at once fire in groups of 128, by time and then by id")
    func many() throws {
        let harness = try DirectoryHarness()
        var asked: [(due: Timestamp, id: Asked<ScheduleID>)] = []
        for number in UInt64(0)..<10_000 {
            let due = harness.now.time.milliseconds + 1 + number * 7 % 3
            let request = ScheduleRequest(draft: Given.draft(), due: Timestamp(milliseconds: due))
            asked.append((request.due, harness.submit(ScheduleSend(request))))
            if number % 128 == 127 || number == 9_999 { harness.run() }
        }
        let places = try asked.map {
            SchedulePlace(due: $0.due, id: try #require($0.id.reply).get())
        }
        harness.forget()
        harness.pass(milliseconds: 10)
        var sizes: [Int] = []
        while harness.directory.millisecondsUntilDue(now: harness.now) == 0 {
            harness.directory.tick(now: harness.now)
            while harness.directory.hasWork {
                let group = try harness.commitOne()
                if !group.records.isEmpty { sizes.append(group.records.count) }
            }
        }
        #expect(sizes == Array(repeating: 128, count: 78) + [16])
        #expect(harness.fired == places.sorted().map(\.id))
        #expect(harness.storage.schedules.isEmpty)
    }

    @Test("never fire twice however the clock steps, and late rather than never")
    func clockSteps() throws {
        let harness = try DirectoryHarness()
        let id = try harness.schedule(in: 60_000)
        let start = harness.now.time
        harness.now.time = start.adding(seconds: 60)
        harness.tick()
        #expect(harness.fired == [id])
        harness.now.time = Timestamp(milliseconds: 1_000)
        harness.tick()
        harness.now.time = start.adding(seconds: 120)
        harness.tick()
        #expect(harness.fired == [id])
        let next = try harness.schedule(in: 60_000)
        harness.now.time = Timestamp(milliseconds: 1_000)
        harness.tick()
        #expect(harness.fired == [id])
        harness.now.time = start.adding(seconds: 10_000_000)
        harness.tick()
        #expect(harness.fired == [id, next])
    }

    @Test("live from their firing; a time of expiry stays where it was")
    func timeToLive() throws {
        let harness = try DirectoryHarness()
        try harness.schedule(in: 1_000)
        for seconds in [UInt64(30), 3] {
            let request = ScheduleRequest(
                draft: Given.draft(),
                due: harness.now.time.adding(seconds: 1),
                notAfter: harness.now.time.adding(seconds: seconds)
            )
            _ = try harness.perform(ScheduleSend(request)).get()
        }
        harness.pass(milliseconds: 5_500)
        harness.tick()
        // 60 seconds as the draft says; 30 - 5.5, rounded up; too late for the last one.
        let found = Set(harness.storage.records.map(\.draft.timeToLive))
        #expect(found == [.seconds(60), .seconds(25), .transient])
    }

    @Test("are found by their id: before they fire, after it, and cancelled ones")
    func telemetry() throws {
        let harness = try DirectoryHarness()
        let id = try harness.schedule(in: 1_000)
        let cancelled = try harness.schedule(in: 1_000)
        _ = try harness.perform(CancelSchedule(cancelled)).get()
        func details(_ id: ScheduleID) throws -> NotificationDetails {
            let name = try #require(NotificationName(parsing: Array(id.text.utf8)))
            let found = try harness.perform(GetDetails(name)).get()
            return found
        }
        let waiting = try details(id)
        #expect(waiting.state == .scheduled)
        #expect(waiting.record.sequence == 0 && waiting.record.draft.body == Array("{}".utf8))
        #expect(try details(cancelled).state == .cancelled)
        harness.pass(milliseconds: 1_000)
        harness.tick()
        let fired = try details(id)
        #expect(fired.state != .scheduled)
        #expect(fired.record.sequence == 1 && fired.record.schedule == id)
    }

    @Test("are remembered when they are cancelled, the newest of them, across a restart")
    func cancelledOnes() throws {
        var limits = CoreLimits()
        limits.schedules.cancelledKeptMax = 2
        let harness = try DirectoryHarness(limits: limits)
        var ids: [ScheduleID] = []
        for _ in 0..<3 {
            ids.append(try harness.schedule(in: 1_000))
            harness.pass(milliseconds: 1)
        }
        func state(_ id: ScheduleID, _ harness: DirectoryHarness) throws -> NotificationState? {
            let name = try #require(NotificationName(parsing: Array(id.text.utf8)))
            let reply = try harness.perform(GetDetails(name))
            guard case .success(let found) = reply else { return nil }
            return found.state
        }
        _ = try harness.perform(CancelSchedule(ids[0])).get()
        harness.storage.refuseChanges = .full
        for id in ids[1...] {
            #expect(try harness.refusal(CancelSchedule(id)) == .storeFull)
            #expect(try state(id, harness) == .scheduled)
        }
        harness.storage.refuseChanges = nil
        harness.pass(milliseconds: 1)
        for id in ids[1...] { _ = try harness.perform(CancelSchedule(id)).get() }
        for harness in [harness, try harness.reopened(limits: limits)] {
            #expect(try ids.map { try state($0, harness) } == [nil, .cancelled, .cancelled])
        }
        #expect(harness.storage.schedules.isEmpty && harness.storage.cancelled.count == 2)
    }

    @Test("are not begun by a hub that stops")
    func stopping() throws {
        let harness = try DirectoryHarness()
        try harness.schedule(in: 1_000)
        harness.pass(milliseconds: 1_000)
        harness.directory.stop()
        harness.tick()
        #expect(harness.fired.isEmpty)
        #expect(harness.storage.schedules.count == 1)
    }

    @Test("with a template are checked when they are scheduled")
    func properties() throws {
        let harness = try DirectoryHarness()
        var draft = Given.draft("[1]")
        draft.format = .template
        let request = ScheduleRequest(draft: draft, due: harness.now.time.adding(seconds: 1))
        #expect(try harness.refusal(ScheduleSend(request))?.status == 400)
        #expect(harness.directory.gauges.schedules == 0)
    }
}
