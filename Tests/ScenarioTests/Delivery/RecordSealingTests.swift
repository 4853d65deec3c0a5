import HubClient
import HubMetrics
import HubSender
import HubServer
import HubTransport
import TLSRecords
import Testing

@testable import ScenarioSupport

@Suite("A hub that seals records itself")
struct RecordSealingTests {
    private static func text(_ name: String) -> String { #"{"aps":{"alert":"\#(name)"}}"# }

    /// Sends numbered notifications, one after another.
    private static func send(_ numbers: Range<Int>, _ hub: HostedHub) async throws {
        let sender = try SenderClient(hub.connection)
        for number in numbers {
            let body = Array(text("news \(number)").utf8)
            _ = try await sender.send(.native(.apple, body: body, tags: "World"))
        }
        await sender.close()
    }

    private static func handedOver(_ hub: HostedHub) async -> UInt64 {
        await hub.server.reports().reduce(0) { $0 + $1.transport.handedOver }
    }

    @Test("delivers live and after an absence, like any other")
    func delivers() async throws {
        try await HostedHub.run { options in
            options.devices.records = .own
        } _: { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            let phone = try await Phone.subscribed(hub.connection, choice)
            try await Self.send(0..<5, hub)
            try await phone.receive(5)
            await phone.close()
            await hub.expectNoConnections()
            try await Self.send(5..<9, hub)
            let back = try Phone(hub.connection, store: phone.store)
            try await back.receive(4)
            #expect(back.texts == (5..<9).map { Self.text("news \($0)") })
            #expect(await Self.handedOver(hub) == 2)
            await back.close()
        }
    }

    @Test("has a device come back before its key is used up, and nothing is lost")
    func renewsKeys() async throws {
        try await HostedHub.run { options in
            options.devices.records = .own
            options.devices.transportLimits.records.recordsPerKey = 60
            options.devices.transportLimits.records.recordsReserved = 45
        } _: { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            let phone = try await Phone.subscribed(hub.connection, choice)
            try await Self.send(0..<30, hub)
            try await phone.receive(30)
            #expect(phone.texts == (0..<30).map { Self.text("news \($0)") })
            #expect(await Self.handedOver(hub) > 1)
            await phone.close()
        }
    }
}
