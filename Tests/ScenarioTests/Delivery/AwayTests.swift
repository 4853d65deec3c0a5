import HubClient
import HubSender
import HubServer
import HubVocabulary
import Testing

@testable import ScenarioSupport

@Suite("Devices that were away")
struct AwayTests {
    /// A subscribed phone that has gone, and what it keeps.
    private static func gone(
        _ hub: HostedHub,
        _ choice: RegistrationChoice
    ) async throws -> any DeviceStore {
        let phone = try await Phone.subscribed(hub.connection, choice)
        await phone.close()
        await hub.expectNoConnections()
        return phone.store
    }

    private static func text(_ name: String) -> String { #"{"aps":{"alert":"\#(name)"}}"# }

    private static func losses(_ phone: Phone) -> [LossNotice] {
        phone.events.events.compactMap { if case .gap(let loss) = $0 { loss } else { nil } }
    }

    @Test(
        "get the newest of what has one collapse key, and everything else",
        arguments: [0, 65_536]
    )
    func collapse(recentRecords: Int) async throws {
        try await HostedHub.run { options in
            options.devices.sessionLimits.catchUp.recentRecordsMax = recentRecords
        } _: { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            let store = try await Self.gone(hub, choice)
            let sender = try SenderClient(hub.connection)
            func send(_ name: String, key: String? = nil) async throws -> String {
                var sent = OutgoingNotification.native(
                    .apple,
                    body: Array(Self.text(name).utf8),
                    tags: "World && !Sports"
                )
                if let key { sent.headers.append(.init(name: "apns-collapse-id", value: key)) }
                return try await sender.send(sent).id
            }
            let first = try await send("score 1", key: "score")
            _ = try await send("plain")
            let second = try await send("score 2", key: "score")
            _ = try await send("weather", key: "weather")
            let phone = try Phone(hub.connection, store: store)
            try await phone.receive(3)
            #expect(phone.texts == ["plain", "score 2", "weather"].map(Self.text))
            await phone.close()
            await hub.expectNoConnections()
            let why = try await sender.explain(notification: first, device: phone.handle)
            #expect(why.reason == "collapsed", "\(why.sentence)")
            #expect(why.sentence.contains(second.prefix(32)), "\(why.sentence)")
            await sender.close()
        }
    }

    @Test("for very long are told how much was cut, and get the newest")
    func cap() async throws {
        try await HostedHub.run { options in
            options.devices.sessionLimits.catchUp.recentRecordsMax = 0
            options.coreLimits.devices.deviceCap = 4
        } _: { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            let store = try await Self.gone(hub, choice)
            let sender = try SenderClient(hub.connection)
            var ids: [String] = []
            for number in 1...10 {
                let body = Array(Self.text("\(number)").utf8)
                ids.append(try await sender.send(.native(.apple, body: body, tags: "World")).id)
            }
            let phone = try Phone(hub.connection, store: store)
            try await phone.receive(4)
            #expect(phone.texts == (7...10).map { Self.text("\($0)") })
            #expect(phone.openings.map(\.outcomeName) == ["resumed"])
            let losses = Self.losses(phone)
            #expect(losses.map(\.reason) == [.deviceCap])
            #expect(losses.map(\.lost) == [6] && losses.map(\.position) == [6])
            await phone.close()
            await hub.expectNoConnections()
            let why = try await sender.explain(notification: ids[0], device: phone.handle)
            #expect(why.reason == "overCap", "\(why.sentence)")
            // It was told, and is not told again.
            let again = try Phone(hub.connection, store: store)
            try await again.connected(times: 1)
            let body = Array(Self.text("more").utf8)
            _ = try await sender.send(.native(.apple, body: body, tags: "World"))
            try await again.receive(1)
            #expect(again.texts == [Self.text("more")] && Self.losses(again) == [])
            await sender.close()
            await again.close()
        }
    }

    @Test("are meant by the tags that they had when each notification was sent")
    func tagsOfThen() async throws {
        try await HostedHub.run { options in
            options.devices.sessionLimits.catchUp.recentRecordsMax = 0
        } _: { hub in
            let phone = try Phone(hub.connection)
            try await phone.connected(times: 1)
            let sender = try SenderClient(hub.connection)
            func register(_ tags: [String], id: String?) async throws -> String {
                let entry = RegistrationEntry(platform: .apple, handle: phone.handle, tags: tags)
                if let id {
                    _ = try await sender.putRegistration(id: id, entry)
                    return id
                }
                return try await sender.createRegistration(entry).id
            }
            let id = try await register(["one"], id: nil)
            await phone.close()
            await hub.expectNoConnections()
            for tags in [["two"], ["three"], ["nobody"]] {
                for tag in ["one", "two", "three"] {
                    let body = Array(Self.text("\(tag) before \(tags[0])").utf8)
                    _ = try await sender.send(.native(.apple, body: body, tags: tag))
                }
                _ = try await register(tags, id: id)
            }
            let again = try Phone(hub.connection, store: phone.store)
            try await again.receive(3)
            let expected = ["one before two", "two before three", "three before nobody"]
            #expect(again.texts == expected.map(Self.text))
            await sender.close()
            await again.close()
        }
    }

    @Test("hear of a purge, which holds over a restart; settings are changed where it runs")
    func purge() async throws {
        let hub = try await RunningHub.startRestartable()
        let choice = RegistrationChoice(platform: .apple, tags: ["World"])
        let phone = try await Phone.subscribed(hub.connection, choice)
        await phone.close()
        let sender = try SenderClient(hub.connection)
        var ids: [String] = []
        for number in 1...4 {
            let body = Array(Self.text("\(number)").utf8)
            ids.append(try await sender.send(.native(.apple, body: body, tags: "World")).id)
        }
        func ran(_ arguments: [String]) async throws -> (code: Int32, output: String) {
            let program = try Program.belfry(arguments + ["--data", hub.folder.path])
            let code = try await program.exitCode()
            return (code, program.output.events.joined())
        }
        #expect(try await ran(["purge", "--through", "3"]).code == 64)
        #expect(try await ran(["purge", "--yes"]).code == 64)
        let purged = try await ran(["purge", "--through", "3", "--yes", "--json"])
        #expect(purged.code == 0 && purged.output.contains(#""purgedThrough":3"#), "\(purged)")
        // All are younger than an hour.
        let older = try await ran(["purge", "--older-than", "3600", "--yes", "--json"])
        #expect(older.code == 0 && older.output.contains(#""purgedThrough":3"#), "\(older)")
        let changed = try await ran(["settings", "--ttl", "3600", "--json"])
        #expect(changed.output.contains(#""timeToLiveSeconds":3600"#), "\(changed)")
        #expect(try await ran(["settings", "--device-cap", "0"]).code == 1)
        let why = try await sender.explain(notification: ids[1], device: phone.handle)
        #expect(why.reason == "purged", "\(why.sentence)")
        await sender.close()
        #expect(try await hub.terminate() == 0)

        let again = try await hub.startedAgain()
        let back = try Phone(again.connection, store: phone.store)
        try await back.receive(1)
        #expect(back.texts == [Self.text("4")])
        let losses = Self.losses(back)
        #expect(losses.map(\.reason) == [.purge] && losses.map(\.lost) == [3])
        let kept = try await ran(["settings"])
        #expect(kept.output.contains("time to live: 3600 s"), "\(kept)")
        await back.close()
        #expect(try await again.terminate() == 0)
    }

    @Test("whose tags changed more often than is remembered are told GAP, in WELCOME and as a line")
    func cutHistory() async throws {
        let hub = try await RunningHub.start()
        let folder = ScenarioFolder()
        func device(_ count: Int) throws -> Program {
            try Program.belfry([
                "device", "--json", "--show-handle", "--state", folder.file("device.json"),
                "--count", "\(count)", "--data", hub.folder.path,
            ])
        }
        let sender = try SenderClient(hub.connection)
        func send(_ text: String, _ tags: String) async throws {
            let body = Array(Self.text(text).utf8)
            _ = try await sender.send(.native(.apple, body: body, tags: tags))
        }
        let first = try device(1)
        try await first.output.wait(for: "a registration") { lines in
            lines.contains { $0.contains(#""event":"registered""#) }
        }
        let before = first.output.events.joined(separator: "\n")
        let name = try #require(before.firstRange(of: #""handle":""#))
        let handle = before[name.upperBound...].prefix(64)
        func entry(_ number: Int) -> RegistrationEntry {
            RegistrationEntry(platform: .apple, handle: String(handle), tags: ["t\(number)"])
        }
        let id = try await sender.createRegistration(entry(0)).id
        try await send("first", "t0")
        #expect(try await first.exitCode() == 0, "\(first.output.events)")
        for number in 1...66 {
            try await send("old \(number)", "t\(number - 1)")
            _ = try await sender.putRegistration(id: id, entry(number))
        }
        let second = try device(1)
        try await second.output.wait(for: "what was lost") { lines in
            lines.contains { $0.contains(#""event":"gap""#) }
        }
        let lines = second.output.events.joined(separator: "\n")
        #expect(lines.contains(#""outcome":"gap""#), "\(lines)")
        _ = try await second.exitCode()
        await sender.close()
        #expect(try await hub.terminate() == 0)
    }
}
