import Foundation
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("What became of a notification")
struct TelemetryTests {
    /// The document that clients of the API read.
    private static func document(
        _ caller: RESTCaller,
        _ connection: ConnectionFile,
        _ id: String
    ) async throws -> String {
        let answer = try await caller.perform(
            .GET,
            "\(connection.hub)/messages/\(id)",
            authorization: caller.token(connection.connectionStrings.full)
        )
        #expect(answer.status == 200, "\(answer.text)")
        return answer.text
    }

    /// A template that makes too much of a long message.
    private static let tooLarge = RegistrationChoice.template(
        platform: .gcm,
        name: "large",
        body: #"{"data":{"m":"{$(messageParam) + $(messageParam) + $(messageParam)}"}}"#,
        tags: ["World"]
    )

    @Test("is finished soon, also where nobody is connected and nothing else happens")
    func finishes() async throws {
        let hub = try await RunningHub.start(["--shards", "2"])
        let connection = hub.connection
        let caller = try RESTCaller(connection)
        let device = try await Phone.subscribed(connection, .news(.apple, tags: ["World"]))
        // Each within the pause that a shard makes between two reports.
        for _ in 0..<5 {
            let sent = try await caller.send(#"{"messageParam":"m"}"#, tags: "World")
            #expect(sent.status == 201, "\(sent.text)")
            let path = try #require(sent.headers["location"]).split(separator: "?")[0]
            let id = String(try #require(path.split(separator: "/").last))
            let counted = "acknowledged 1, matchedConnected 1"
            try await caller.expect(["apple": counted], connection, id)
        }
        await device.close()
        await caller.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("is counted live by platform, away, failed and opened alike, and again after a restart")
    func counts() async throws {
        let hub = try await RunningHub.startRestartable()
        let connection = hub.connection
        let apple = try await Phone.subscribed(connection, .news(.apple, tags: ["World"]))
        let wns = try await Phone.subscribed(connection, .news(.windows, tags: ["World"]))
        let store = MemoryDeviceStore()
        let away = try Phone(connection, name: "away", store: store)
        try await away.register(.news(.gcm, tags: ["World"]))
        await away.close()
        let large = try await Phone.subscribed(connection, name: "large", Self.tooLarge)
        let caller = try RESTCaller(connection)
        let message = String(repeating: "x", count: 3_000)
        let sent = try await caller.send(
            #"{"messageParam":"\#(message)"}"#,
            tags: "World",
            headers: ["Belfry-Receipts": "true"]
        )
        #expect(sent.status == 201, "\(sent.text)")
        let path = try #require(sent.headers["location"]).split(separator: "?")[0]
        let id = String(try #require(path.split(separator: "/").last))
        // Right after the 201.
        let document = try await Self.document(caller, connection, id)
        #expect(document.contains("<NotificationId>\(id)</NotificationId>"))
        let seen = try await apple.receive(1)[0]
        apple.report(.displayed, of: seen)
        apple.report(.opened, of: seen)
        wns.report(.dismissed, of: try await wns.receive(1)[0])
        let expected = [
            "apple": "acknowledged 1, displayed 1, matchedConnected 1, opened 1",
            "windows": "acknowledged 1, dismissed 1, matchedConnected 1",
            "gcm": "invalidSize 1, matchedConnected 1, matchedOffline 1",
        ]
        try await caller.expect(expected, connection, id)
        await large.close()
        for phone in [apple, wns] { await phone.close() }
        #expect(try await hub.terminate() == 0)

        let again = try await hub.startedAgain()
        try await caller.expect(expected, connection, id)
        let back = try Phone(again.connection, name: "back", store: store)
        try await back.receive(1)
        try await caller.expect(
            ["gcm": "acknowledged 1, invalidSize 1, matchedConnected 1, matchedOffline 1"],
            connection,
            id
        )
        let last = try await Self.document(caller, connection, id)
        for part in [
            "<State>Completed</State>", "<Tags>World</Tags>",
            "<TargetPlatforms>windowstemplate,appletemplate,gcmtemplate</TargetPlatforms>",
            "<ApnsOutcomeCounts><Outcome><Name>Success</Name><Count>1</Count></Outcome>",
            "<Name>InvalidNotificationSize</Name><Count>1</Count>",
        ] {
            #expect(last.contains(part), "\(last)")
        }
        await back.close()
        await caller.close()
        #expect(try await again.terminate() == 0)
    }

    @Test("a crash doubles no acknowledgement", arguments: [1, 2])
    func crash(run: Int) async throws {
        let hub = try await RunningHub.startRestartable()
        let phone = try await Phone.subscribed(
            hub.connection,
            RegistrationChoice(platform: .apple, tags: ["World"])
        )
        let caller = try RESTCaller(hub.connection)
        var ids: [String] = []
        for number in 0..<5 {
            let sent = try await caller.send(
                #"{"aps":{"alert":"\#(number)"}}"#,
                format: "apple",
                tags: "World"
            )
            let path = try #require(sent.headers["location"]).split(separator: "?")[0]
            ids.append(String(try #require(path.split(separator: "/").last)))
        }
        try await phone.receive(5)
        try await hub.kill()
        let again = try await hub.startedAgain()
        try await phone.connected(times: 2)
        for id in ids {
            let count = try await eventually("an acknowledgement of \(id)") {
                let found = try await caller.counters(again.connection, id)
                return found.platforms["apple"]?["acknowledged"].flatMap { $0 > 0 ? $0 : nil }
            }
            #expect(count == 1, "\(id)")
        }
        #expect(phone.texts.count == 5)
        await phone.close()
        await caller.close()
        #expect(try await again.terminate() == 0)
    }
}
