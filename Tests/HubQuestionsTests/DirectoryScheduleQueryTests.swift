import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubVocabulary
import Testing

@Suite("Cancelling and listing scheduled notifications")
struct DirectoryScheduleQueryTests {
    @Test("a cancelled one never fires; a second cancellation finds nothing")
    func cancel() throws {
        var harness = try DirectoryHarness()
        let id = try harness.schedule(in: 1_000)
        try harness.perform(CancelSchedule(id)).get()
        #expect(try harness.refusal(CancelSchedule(id)) == .scheduleNotFound)
        #expect(Refusal.scheduleNotFound.status == 404)
        harness.pass(milliseconds: 1_000)
        harness.tick()
        harness = try harness.reopened()
        harness.tick()
        #expect(harness.fired.isEmpty)
    }

    @Test("a cancellation that the store refused leaves it to fire")
    func refusedCancel() throws {
        let harness = try DirectoryHarness()
        let id = try harness.schedule(in: 1_000)
        harness.storage.refuseChanges = .full
        #expect(try harness.refusal(CancelSchedule(id)) == .storeFull)
        harness.storage.refuseChanges = nil
        #expect(try harness.waiting() == [id])
        harness.pass(milliseconds: 1_001)
        harness.tick()
        #expect(harness.fired == [id])
    }

    @Test("success means that no record exists, whichever was first", arguments: [true, false])
    func race(isCancelFirst: Bool) throws {
        let harness = try DirectoryHarness()
        let id = try harness.schedule(in: 1_000)
        harness.pass(milliseconds: 1_000)
        var token: Asked<Void>?
        if isCancelFirst { token = harness.submit(CancelSchedule(id)) }
        harness.directory.tick(now: harness.now)
        if !isCancelFirst { token = harness.submit(CancelSchedule(id)) }
        harness.run()
        let reply = try #require(token?.reply)
        switch reply {
        case .success:
            #expect(isCancelFirst)
            #expect(harness.fired.isEmpty)
        case .failure(.scheduleNotFound):
            #expect(!isCancelFirst)
            #expect(harness.fired == [id])
        default: Issue.record("\(reply)")
        }
        #expect(harness.storage.schedules.isEmpty)
    }

    @Test("a cancellation behind a firing that the store refuses is not told that it was sent")
    func raceWithRefusal() throws {
        let harness = try DirectoryHarness()
        let id = try harness.schedule(in: 1_000)
        harness.pass(milliseconds: 1_000)
        harness.directory.tick(now: harness.now)
        let token = harness.submit(CancelSchedule(id))
        harness.storage.refuseRecords = .full
        harness.run()
        guard case .failure(.storeFull) = token.reply else {
            Issue.record("\(String(describing: token.reply))")
            return
        }
        #expect(try harness.waiting() == [id])
    }

    @Test("pages follow the order of firing and end where the list ends")
    func pages() throws {
        var limits = CoreLimits()
        limits.schedules.pageSchedulesMax = 3
        let harness = try DirectoryHarness(limits: limits)
        var ids: [ScheduleID] = []
        for delay in [UInt64(7_000), 3_000, 5_000, 1_000, 9_000] {
            ids.append(try harness.schedule(in: delay))
        }
        let order = [3, 1, 2, 0, 4].map { ids[$0] }
        var found: [[ScheduleID]] = []
        var place: SchedulePlace?
        repeat {
            let reply = try harness.perform(ListSchedules(after: place, limit: 99)).get()
            found.append(reply.entries.map(\.id))
            place = reply.next
        } while place != nil
        #expect(found == [Array(order[..<3]), Array(order[3...])])
        #expect(try harness.waiting(limit: 0) == [order[0]], "a page has at least one")
        let read = try harness.perform(GetSchedule(ids[1])).get()
        #expect(read.id == ids[1])
        #expect(read.due.milliseconds == harness.now.time.milliseconds + 3_000)
        let unknown = ScheduleID(high: 1, low: 1)
        #expect(try harness.refusal(GetSchedule(unknown)) == .scheduleNotFound)
    }

    @Test("at most so many wait, and so many bytes; room comes back")
    func limits() throws {
        var limits = CoreLimits()
        limits.schedules.schedulesMax = 2
        limits.schedules.scheduleBytesMax = 3 * (512 + 2)
        let harness = try DirectoryHarness(limits: limits)
        let due = harness.now.time.adding(seconds: 10)
        let large = ScheduleRequest(
            draft: Given.draft(String(repeating: "x", count: 2 * 514 + 1)),
            due: due
        )
        let first = try harness.schedule(in: 10_000)
        let bytes = Refusal.tooMany(what: "bytes of scheduled notifications", limit: 1_542)
        #expect(try harness.refusal(ScheduleSend(large)) == bytes)
        try harness.schedule(in: 10_000)
        let request = ScheduleRequest(draft: Given.draft(), due: due)
        let many = Refusal.tooMany(what: "scheduled notifications", limit: 2)
        #expect(try harness.refusal(ScheduleSend(request)) == many)
        #expect(many.status == 403)
        _ = try harness.perform(CancelSchedule(first)).get()
        #expect(try harness.refusal(ScheduleSend(request)) == nil)
    }

    @Test("a repeated request gets the same id, also after the firing, a cancellation, a restart")
    func idempotency() throws {
        var harness = try DirectoryHarness()
        let due = harness.now.time.adding(seconds: 1)
        func ask(_ key: UInt64, _ body: String = "{}", due: Timestamp) throws -> ScheduleID {
            let request = ScheduleRequest(draft: Given.keyed(key, body), due: due)
            let reply = try harness.perform(ScheduleSend(request)).get()
            let id = reply
            return id
        }
        let first = try ask(1, due: due)
        let second = try ask(2, due: due)
        let past = try ask(3, due: Timestamp(milliseconds: 1))
        #expect(try ask(1, due: due) == first)
        let other = ScheduleRequest(draft: Given.keyed(1, "{ }"), due: due)
        #expect(try harness.refusal(ScheduleSend(other)) == .idempotencyConflict)
        _ = try harness.perform(CancelSchedule(second)).get()
        harness.pass(milliseconds: 1_000)
        harness.tick()
        for _ in 0..<2 {
            #expect(try ask(1, due: due) == first)
            #expect(try ask(2, due: due) == second)
            #expect(try ask(3, due: Timestamp(milliseconds: 1)) == past)
            harness = try harness.reopened()
        }
        #expect(harness.fired == [past, first])
        // In one group with the first request.
        let tokens = (0..<2).map { _ in
            harness.submit(ScheduleSend(ScheduleRequest(draft: Given.keyed(9), due: due)))
        }
        harness.run()
        let ids = tokens.compactMap { token -> ScheduleID? in
            guard case .success(let id) = token.reply else { return nil }
            return id
        }
        #expect(ids.count == 2 && ids[0] == ids[1])
    }
}
