import Foundation
import HubClient
import HubSender
import HubServer
import HubVocabulary
import HubWire
import Testing

@testable import ScenarioSupport

/// What the specification promises a device, over real sockets.
@Suite("Promises of the device link")
struct LinkRuleTests {
    private static func apple(_ text: String, tags: String) -> OutgoingNotification {
        .native(.apple, body: Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8), tags: tags)
    }

    @Test("UNREGISTER and BYE in one write are a logout that is answered. [C-1]")
    func logout() async throws {
        try await HostedHub.run { hub in
            var register: [UInt8] = []
            try RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
                .encode(into: &register, ref: 1)
            var leaving: [UInt8] = []
            UnregisterFrame(slot: 0, ref: 2).encode(into: &leaving)
            ByeFrame(reason: 3).encode(into: &leaving)
            for _ in 0..<20 {
                let link = try await RawLink(hub.connection)
                try await link.open(hub.connection)
                await link.write(register)
                _ = try await link.frame(.result)
                await link.write(leaving)
                try await link.closedByHub()
                let results = try link.frames.filter { $0.type == .result }.map { frame in
                    try ResultFrame(
                        decoding: frame.bytes.span.extracting(8..<frame.bytes.count),
                        header: frame.header
                    )
                }
                #expect(results.map(\.status) == [0, 0])
                #expect(results.last?.etag == 0)
            }
            await hub.expectNoConnections()
        }
    }

    @Test("a device that catches up on many large notifications is not closed for its ACKs. [S-6]")
    func catchesUp() async throws {
        try await HostedHub.run { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            let former = try await Phone.subscribed(hub.connection, choice)
            await former.close()
            await hub.expectNoConnections()
            var random = SystemRandomNumberGenerator()
            let noise = (0..<5_500).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Data(noise).base64EncodedString()
            let all = (0..<1_500).map { Self.apple("\($0) " + text, tags: "World") }
            let sender = try SenderClient(hub.connection)
            for outcome in await sender.send(all) { _ = try outcome.get() }
            await sender.close()
            let phone = try Phone(hub.connection, store: former.store)
            try await phone.receive(all.count)
            #expect(phone.departures.isEmpty)
            #expect(phone.openings.count == 1)
            await phone.close()
        }
    }
}
