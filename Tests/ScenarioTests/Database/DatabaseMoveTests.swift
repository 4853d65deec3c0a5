import Foundation
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("A hub that moves into a database", .enabled(if: TemporaryPostgres.isInstalled))
struct DatabaseMoveTests {
    private static let choice = RegistrationChoice(platform: .apple, tags: ["World"])

    private static func id(_ answer: RESTCaller.Answer) -> String? {
        answer.headers["location"].flatMap { URL(string: $0)?.lastPathComponent }
    }

    private static func move(
        _ folder: ScenarioFolder,
        to url: String
    ) async throws -> (code: Int32, lines: [String]) {
        let program = try Program.belfry(["migrate", "--data", folder.path, "--database", url])
        let code = try await program.exitCode()
        return (code, program.output.events + program.errors.events)
    }

    /// A move that was cut off begins anew, whatever it had written; one that has ended does not.
    private static func moveTwice(
        _ hub: RunningHub,
        _ url: String,
        _ server: TemporaryPostgres
    ) async throws {
        let name = String(try #require(url.split(separator: "/").last))
        let first = try await move(hub.folder, to: url)
        #expect(first.code == 0, "\(first.lines)")
        try FileManager.default.removeItem(atPath: hub.folder.file("cluster.json"))
        try server.query("UPDATE belfry.hub SET is_whole = false", in: name)
        try server.query("DELETE FROM belfry.item WHERE kind = 1", in: name)
        let second = try await move(hub.folder, to: url)
        #expect(second.code == 0, "\(second.lines)")
        let sum = second.lines.first { $0.hasPrefix("moved hub 'hub': 6 notifications") }
        #expect(sum?.contains("places of 2 devices") == true, "\(second.lines)")
        let third = try await move(hub.folder, to: url)
        #expect(third.code == 1 && third.lines.contains { $0.contains("already") })
        // The database alone has it all.
        try DatabaseKillTests.deleteCopy(in: hub.folder)
        try await RefusedStart.expect(
            ["--data", hub.folder.path],
            ["a copy", "--database"]
        )
    }

    @Test("is refused where a node leads the database")
    func led() async throws {
        let node = try ServedNode(try TemporaryPostgres.shared.get().newDatabase())
        try await node.leads()
        let hub = try await RunningHub.start()
        #expect(try await hub.terminate() == 0)
        let refused = try await Self.move(hub.folder, to: node.databaseURL)
        #expect(refused.code == 1, "\(refused.lines)")
        #expect(refused.lines.contains { $0.contains("leads") && $0.contains("end every node") })
        #expect(try await node.terminate() == 0)
        // Its own files still serve.
        let again = try await RunningHub.start(in: hub.folder)
        #expect(try await again.terminate() == 0)
    }

    private static func run(_ arguments: [String]) async throws {
        let program = try Program.belfry(arguments)
        #expect(try await program.exitCode() == 0, "\(arguments): \(program.errors.events)")
    }

    /// Makes files of what the database of a running hub holds, and serves them.
    private static func moveBack(
        _ hub: RunningHub,
        _ url: String
    ) async throws -> RunningHub {
        let backup = ScenarioFolder()
        let target = ["--to", backup.file("copy")]
        let nameless = try Program.belfry(["backup", "--data", hub.folder.path] + target)
        #expect(try await nameless.exitCode() == 1)
        #expect(nameless.errors.events.contains { $0.contains("name it with --database") })
        let place = ["--data", hub.folder.path, "--database", url]
        try await run(["backup", "--verify"] + place + target)
        #expect(try await hub.terminate() == 0)
        let folder = ScenarioFolder()
        try await run(["restore", "--from", backup.file("copy"), "--data", folder.path])
        return try await RunningHub.start(in: folder)
    }

    @Test("goes on there: devices, what they missed, schedules, keys and counters")
    func moves() async throws {
        let server = try TemporaryPostgres.shared.get()
        let url = try server.newDatabase()
        let hub = try await RunningHub.startRestartable()
        let caller = try RESTCaller(hub.connection)
        let phone = try await Phone.subscribed(hub.connection, Self.choice)
        let gone = try await Phone.subscribed(hub.connection, Self.choice)
        for number in 0..<5 { #expect(try await caller.sendNews("a\(number)").status == 201) }
        try await phone.receive(5)
        try await gone.receive(5)
        let away = gone.store
        await gone.close()
        let missed = try await caller.sendNews("missed")
        let id = Self.id(missed)
        try await phone.receive(6)
        let token = try caller.token(hub.connection.connectionStrings.full)
        let due = Date().addingTimeInterval(20).formatted(.iso8601)
        let scheduled = try await caller.perform(
            .POST,
            "\(hub.connection.hub)/schedulednotifications/",
            headers: [
                "ServiceBusNotification-Format": "apple", "Content-Type": "application/json",
                "ServiceBusNotification-ScheduleTime": due, "ServiceBusNotification-Tags": "World",
            ],
            body: NewsFormat.payload(.apple, "later"),
            authorization: token
        )
        #expect(scheduled.status == 201)
        await caller.close()
        let busy = try await Self.move(hub.folder, to: url)
        #expect(busy.code == 1 && busy.lines.contains { $0.contains("in use") }, "\(busy.lines)")
        #expect(try await hub.terminate() == 0)

        try await Self.moveTwice(hub, url, server)
        let moved = try await hub.startedAgain(["--database", url])
        let again = try RESTCaller(moved.connection)
        #expect(try await Self.id(again.sendNews("missed")) == id)
        #expect(try await again.sendNews("after").status == 201)
        phone.reconnect()
        let back = try Phone(moved.connection, store: away)
        try await back.receive(3)
        try await phone.receive(8)
        // The schedule fires when it is due, before or behind the new one.
        let texts = ["after", "later", "missed"].map { NewsFormat.payload(.apple, $0) }
        #expect(back.texts.sorted() == texts && back.texts.first == texts.last)
        #expect(Array(phone.texts.suffix(3)) == back.texts)
        #expect(back.openings.map(\.outcome) == [.resumed])
        #expect(phone.wasResumed, "\(phone.openings)")
        await back.close()
        await phone.close()
        #expect(try await again.sendNews("last").status == 201)
        await again.close()
        try await Self.goesBack(moved, url, id, [away, phone.store])
    }

    /// The hub on files has every registration, what devices missed, and the keys of sends.
    private static func goesBack(
        _ moved: RunningHub,
        _ url: String,
        _ id: String?,
        _ stores: [any DeviceStore]
    ) async throws {
        let files = try await moveBack(moved, url)
        let caller = try RESTCaller(files.connection)
        #expect(try await Self.id(caller.sendNews("missed")) == id)
        for store in stores {
            let phone = try Phone(files.connection, store: store)
            try await phone.receive(1)
            #expect(phone.texts == [NewsFormat.payload(.apple, "last")])
            #expect(phone.openings.map(\.outcome) == [.resumed])
            await phone.close()
        }
        await caller.close()
        #expect(try await files.terminate() == 0)
    }

    @Test("is refused where the database holds hubs, and where there is no hub to move")
    func refused() async throws {
        let server = try TemporaryPostgres.shared.get()
        let url = try server.newDatabase()
        let hub = try await RunningHub.start(in: ScenarioFolder(), ["--database", url])
        #expect(try await hub.terminate() == 0)
        let folder = try await RunningHub.usedFolder()
        let full = try await Self.move(folder, to: url)
        #expect(full.code == 1 && full.lines.contains { $0.contains("holds hubs already") })
        let none = try await Self.move(ScenarioFolder(), to: url)
        #expect(none.code == 1 && none.lines.contains { $0.contains("is not a data folder") })
        let started = try await RunningHub.start(in: folder)
        #expect(try await started.terminate() == 0)
    }
}
