import HubClient
import HubCore
import HubServer
import Testing

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
            options.sessionLimits.recentRecordsMax = recentRecords
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
            options.sessionLimits.recentRecordsMax = 0
            options.coreLimits.deviceCap = 4
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
            options.sessionLimits.recentRecordsMax = 0
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
}
