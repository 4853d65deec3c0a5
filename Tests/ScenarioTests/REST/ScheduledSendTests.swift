import Foundation
import HubClient
import HubSender
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("A scheduled send", .timeLimit(.minutes(3)))
struct ScheduledSendTests {
    private static func notification(_ text: String) -> OutgoingNotification {
        .native(.apple, body: Array(NewsFormat.payload(.apple, text).utf8), tags: "World")
    }

    /// A time so many seconds ahead, as clients write it.
    private static func time(in seconds: Double) -> String {
        Date().addingTimeInterval(seconds)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func subscribed(_ connection: ConnectionFile) async throws -> Phone {
        try await .subscribed(connection, RegistrationChoice(platform: .apple, tags: ["World"]))
    }

    @Test("fires once, in its order, however often the hub is killed meanwhile")
    func killed() async throws {
        var hub = try await RunningHub.startRestartable()
        let phone = try await Self.subscribed(hub.connection)
        let sender = try SenderClient(hub.connection)
        var expected: [String] = []
        for number in 0..<12 {
            let time = Self.time(in: 1 + Double(number) * 0.25)
            let notification = Self.notification("\(number)")
            let scheduled = try await sender.schedule(notification, at: time)
            #expect(scheduled.status == 201)
            #expect(scheduled.location.contains("/schedulednotifications/\(scheduled.id)?"))
            expected.append(NewsFormat.payload(.apple, "\(number)"))
        }
        // Once before the first is due, then as soon as some have arrived.
        for count in [0, 3, 7] {
            try await phone.receive(count)
            try await hub.kill()
            hub = try await hub.startedAgain()
            phone.reconnect()
        }
        try await phone.receive(12)
        _ = try await sender.send(Self.notification("the end"))
        try await phone.receive(containing: "the end")
        #expect(phone.texts.dropLast() == expected)
        await phone.close()
        await sender.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("can be listed, read, and cancelled once; repeated with its key it is the same one")
    func cancelled() async throws {
        var hub = try await RunningHub.startRestartable()
        let sender = try SenderClient(hub.connection)
        let notification = Self.notification("never")
        let time = Self.time(in: 3_600)
        let first = try await sender.schedule(notification, at: time)
        let second = try await sender.schedule(Self.notification("kept"), at: time)
        try await hub.kill()
        hub = try await hub.startedAgain()
        #expect(try await sender.schedule(notification, at: time).id == first.id)

        let caller = try RESTCaller(hub.connection)
        let token = try caller.token(hub.connection.connectionStrings.full)
        let path = "hub/$belfry/schedulednotifications"
        func list() async throws -> String {
            let answer = try await caller.perform(.GET, path, authorization: token)
            #expect(answer.status == 200, "\(answer.text)")
            return answer.text
        }
        let listed = try await list()
        #expect(listed.contains(first.id) && listed.contains(second.id), "\(listed)")
        #expect(!listed.contains("never"), "payloads are not shown")
        let read = try await caller.perform(.GET, "\(path)/\(first.id)", authorization: token)
        #expect(read.text.contains(#""tags":"World""#), "\(read.text)")

        try await sender.cancelSchedule(id: first.id)
        for id in [first.id, "0123"] {
            do throws(SenderError) {
                try await sender.cancelSchedule(id: id)
                Issue.record("cancelled \(id)")
            } catch {
                guard case .refused(let refused) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(refused.status == 404)
            }
        }
        try await hub.kill()
        hub = try await hub.startedAgain()
        let left = try await list()
        #expect(!left.contains(first.id) && left.contains(second.id), "\(left)")
        #expect(try await sender.schedule(notification, at: time).id == first.id)
        await caller.close()
        await sender.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("has telemetry under its own id: before it fires, after it, and when it was cancelled")
    func telemetry() async throws {
        var hub = try await RunningHub.startRestartable()
        let phone = try await Self.subscribed(hub.connection)
        let sender = try SenderClient(hub.connection)
        let time = Self.time(in: 3_600)
        let taken = try await sender.schedule(Self.notification("taken"), at: time)
        let kept = try await sender.schedule(Self.notification("kept"), at: time)
        let past = try await sender.schedule(Self.notification("past"), at: Self.time(in: 0.5))
        try await sender.cancelSchedule(id: taken.id)
        try await phone.receive(containing: "past")
        func details(_ id: String) async throws -> String {
            let caller = try RESTCaller(hub.connection)
            let answer = try await caller.perform(
                .GET,
                "hub/messages/\(id)",
                authorization: caller.token(hub.connection.connectionStrings.full)
            )
            await caller.close()
            #expect(answer.status == 200, "\(answer.text)")
            return answer.text
        }
        for isAgain in [false, true] {
            #expect(try await details(taken.id).contains("<State>Canceled</State>"))
            let waiting = try await details(kept.id)
            #expect(waiting.contains("<State>Scheduled</State>"), "\(waiting)")
            #expect(waiting.contains("<NotificationId>\(kept.id)</NotificationId>"))
            #expect(waiting.contains("<EnqueueTime>") && !waiting.contains("<StartTime>"))
            let fired = try await details(past.id)
            #expect(fired.contains("-1-1</NotificationId>"), "\(fired)")
            #expect(!fired.contains("<State>Scheduled"), "\(fired)")
            guard !isAgain else { break }
            try await hub.kill()
            hub = try await hub.startedAgain()
        }
        await phone.close()
        await sender.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("of the command line arrives when it is due, and at once when that has passed")
    func commandLine() async throws {
        let hub = try await RunningHub.start()
        let phone = try await Self.subscribed(hub.connection)
        func send(_ time: String, _ text: String) async throws -> (Int32, [String], [String]) {
            let body = NewsFormat.payload(.apple, text)
            let program = try Program.belfry([
                "send", "--data", hub.folder.path, "--at", time, "--format", "apple", "--tags",
                "World", body,
            ])
            return (try await program.exitCode(), program.output.events, program.errors.events)
        }
        let later = try await send("+2s", "later")
        #expect(later.0 == 0, "\(later)")
        #expect(later.1.first?.hasPrefix("scheduled 0") == true, "\(later)")
        let past = try await send("2020-05-06T18:30:00", "at once")
        #expect(past.0 == 0, "\(past)")
        #expect(try await send("+8d", "too late").0 == 1)
        #expect(try await send("soon", "never").0 == 1)
        #expect(try await send("+2x", "never").0 == 64)
        try await phone.receive(2)
        #expect(
            Set(phone.texts) == Set(["at once", "later"].map { NewsFormat.payload(.apple, $0) })
        )
        await phone.close()
        #expect(try await hub.terminate() == 0)
    }
}
