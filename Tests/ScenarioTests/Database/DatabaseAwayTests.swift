import Foundation
import GRDB
import HubClient
import HubDatabase
import HubPostgres
import HubServer
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("A database that is away", .enabled(if: TemporaryPostgres.isInstalled))
struct DatabaseAwayTests {
    private static let choice = RegistrationChoice(platform: .apple, tags: ["World"])

    private static func send(
        _ number: Int,
        _ caller: RESTCaller
    ) async throws -> RESTCaller.Answer {
        try await caller.send(
            NewsFormat.payload(.apple, "number \(number)"),
            format: "apple",
            tags: "World",
            headers: ["Idempotency-Key": "k\(number)"]
        )
    }

    @Test("answers 503 meanwhile, keeps devices, and delivers each send once when it is back")
    func away() async throws {
        let server = try TemporaryPostgres()
        var database = try DatabaseOptions(url: try server.newDatabase(), passwordFile: nil)
        database.callMilliseconds = 500
        database.logLimits.waiting = .milliseconds(300)
        try await HostedHub.run {
            $0.storage.database = database
        } _: { hub in
            let caller = try RESTCaller(hub.connection)
            let phone = try await Phone.subscribed(hub.connection, Self.choice)
            for number in 0..<3 { #expect(try await Self.send(number, caller).status == 201) }
            try await phone.receive(3)
            try server.stop(immediately: true)
            // The first is in doubt, which the next ones wait behind.
            for number in 3..<6 {
                let answer = try await Self.send(number, caller)
                #expect(answer.status == 503)
                #expect(answer.headers["retry-after"].flatMap { Int($0) } != nil)
                #expect(answer.text.contains("<Code>503</Code>"), "\(answer.text)")
            }
            try await eventually("a hub that says that it is not ready") {
                try await caller.perform(.GET, "healthz", authorization: nil).status == 503
            }
            #expect(phone.departures.isEmpty && phone.openings.count == 1)
            try server.start()
            try await eventually("a hub that is ready") {
                try await caller.perform(.GET, "healthz", authorization: nil).status == 200
            }
            for number in 3..<7 { #expect(try await Self.send(number, caller).status == 201) }
            try await phone.receive(7)
            let expected = (0..<7).map { NewsFormat.payload(.apple, "number \($0)") }
            #expect(phone.texts.sorted() == expected)
            #expect(phone.departures.isEmpty && phone.openings.count == 1)
            await phone.close()
            await caller.close()
        }
    }

    @Test("whose standby is away takes nothing for certain; it goes on when the standby is back")
    func standbyAway() async throws {
        let pair = try PostgresPair()
        let hub = try await RunningHub.start(in: ScenarioFolder(), ["--database", pair.url])
        let caller = try RESTCaller(hub.connection)
        let phone = try await Phone.subscribed(hub.connection, Self.choice)
        #expect(try await Self.send(1, caller).status == 201)
        try await phone.receive(1)
        try pair.endStandby()
        let held = try await Self.send(2, caller)
        #expect(held.status == 503 && held.headers["retry-after"] != nil, "\(held.text)")
        try await hub.program.errors.wait(for: "a database that takes nothing") { lines in
            lines.contains { $0.contains("the database is away") }
        }
        try pair.startStandby()
        try await eventually("a hub that is ready") {
            try await caller.perform(.GET, "healthz", authorization: nil).status == 200
        }
        for number in 2...3 { #expect(try await Self.send(number, caller).status == 201) }
        try await phone.receive(3)
        #expect(phone.texts == (1...3).map { NewsFormat.payload(.apple, "number \($0)") })
        #expect(phone.departures.isEmpty && phone.openings.count == 1)
        let token = try hub.folder.metricsToken()
        let numbers = try await caller.perform(.GET, "$belfry/metrics", authorization: token).text
        #expect(numbers.contains(#"event="in_doubt""#) && numbers.contains(#"event="regained""#))
        await phone.close()
        await caller.close()
        #expect(try await hub.terminate() == 0)
    }

    /// Damages the hub's copy, or deletes it.
    private static func spoil(_ how: String, in folder: ScenarioFolder) async throws {
        let path = folder.file("hubs/hub/registrations.sqlite")
        switch how {
        case "damaged":
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.write(contentsOf: Data(repeating: 7, count: 5_000))
            try file.close()
        case "row":
            // Noticed when the hub reads its registrations, and not when the file is opened.
            let queue = try DatabaseQueue(path: path)
            try await queue.write {
                try $0.execute(sql: "UPDATE registration SET body = zeroblob(9)")
            }
            try queue.close()
        default: try DatabaseKillTests.deleteCopy(in: folder)
        }
    }

    @Test(
        "fills a copy anew that was damaged or deleted, and says so",
        arguments: [
            ("damaged", "it was damaged"), ("deleted", "there was none"),
            ("row", "a copy is thrown away"),
        ]
    )
    func copyLost(how: String, words: String) async throws {
        let url = try TemporaryPostgres.shared.get().newDatabase()
        var hub = try await RunningHub.start(in: ScenarioFolder(), ["--database", url])
        let phone = try await Phone.subscribed(hub.connection, Self.choice)
        var caller = try RESTCaller(hub.connection)
        #expect(try await Self.send(1, caller).status == 201)
        try await phone.receive(1)
        let store = phone.store
        await phone.close()
        #expect(try await Self.send(2, caller).status == 201)
        await caller.close()
        #expect(try await hub.terminate() == 0)
        try await Self.spoil(how, in: hub.folder)
        hub = try await hub.startedAgain()
        #expect(hub.program.errors.events.contains { $0.contains("the copy is filled") })
        #expect(hub.program.errors.events.contains { $0.contains(words) })
        caller = try RESTCaller(hub.connection)
        let token = try hub.folder.metricsToken()
        let numbers = try await caller.perform(.GET, "$belfry/metrics", authorization: token).text
        #expect(numbers.contains(#"event="copy_filled""#))
        let back = try Phone(hub.connection, store: store)
        #expect(try await Self.send(3, caller).status == 201)
        try await back.receive(2)
        #expect(back.texts == (2...3).map { NewsFormat.payload(.apple, "number \($0)") })
        #expect(back.openings.map(\.outcome) == [.resumed])
        await back.close()
        await caller.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("ends an idle hub in time, also while it is away, and loses nothing")
    func endsWhileAway() async throws {
        let server = try TemporaryPostgres()
        var hub = try await RunningHub.start(
            in: ScenarioFolder(),
            ["--database", try server.newDatabase()]
        )
        let phone = try await Phone.subscribed(hub.connection, Self.choice)
        let caller = try RESTCaller(hub.connection)
        #expect(try await Self.send(1, caller).status == 201)
        try await phone.receive(1)
        try server.kill()
        #expect(try await hub.terminate(seconds: 60) == 0)
        await caller.close()
        try server.start()
        hub = try await hub.startedAgain()
        phone.reconnect()
        let again = try RESTCaller(hub.connection)
        #expect(try await Self.send(2, again).status == 201)
        try await phone.receive(2)
        #expect(phone.wasResumed, "\(phone.openings)")
        await phone.close()
        await again.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("ends a hub that another server has taken over; its next start takes it back")
    func takenOver() async throws {
        let server = try TemporaryPostgres()
        let url = try server.newDatabase()
        let name = String(try #require(url.split(separator: "/").last))
        let hub = try await RunningHub.start(in: ScenarioFolder(), ["--database", url])
        let caller = try RESTCaller(hub.connection)
        #expect(try await Self.send(1, caller).status == 201)
        try server.query("UPDATE belfry.head SET fence = fence + 1", in: name)
        let answer = try await Self.send(2, caller)
        #expect(answer.status == 503 && answer.text.contains("same Idempotency-Key"))
        #expect(try await hub.program.exitCode() == 1)
        let told = hub.program.errors.events.contains {
            $0.contains("Error: another server has taken over hub 'hub'")
        }
        #expect(told, "\(hub.program.errors.events)")
        await caller.close()
        let again = try await hub.startedAgain()
        let next = try RESTCaller(again.connection)
        #expect(try await Self.send(2, next).status == 201)
        await next.close()
        #expect(try await again.terminate() == 0)
    }
}
