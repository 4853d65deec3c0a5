import Foundation
import HubClient
import HubSender
import HubWire
import Testing

@testable import ScenarioSupport

@Suite("An operator's signals")
struct DrainTests {
    @Test("SIGTERM ends it with 0 within the deadline, whoever stays silent")
    func drains() async throws {
        let hub = try await RunningHub.start()
        let phone = try await Phone.subscribed(
            hub.connection,
            RegistrationChoice(platform: .apple, tags: ["World"])
        )
        // Says nothing after its HTTP/2 preface and empty SETTINGS.
        let silent = try await RawLink(
            hub.connection,
            port: hub.connection.rest.port,
            .tls(alpn: ["h2"])
        )
        await silent.write(
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
        )
        try await silent.input.wait(for: "the server's SETTINGS") { !$0.isEmpty }
        let mute = try await RawLink(hub.connection, port: hub.connection.rest.port, .plain)
        let unspoken = try await RawLink(hub.connection, .plain)
        let nameless = try await RawLink(hub.connection)
        // Has a session and ignores GOAWAY.
        let stubborn = try await RawLink(hub.connection)
        try await stubborn.open(hub.connection)

        let code = try await hub.terminate(seconds: 20)
        #expect(code == 0, "\(hub.program.errors.events)")
        let goaway = try await stubborn.frame(.goaway)
        let frame = try GoawayFrame(
            decoding: goaway.bytes.span.extracting(8..<goaway.bytes.count),
            header: goaway.header
        )
        let (reason, mayReconnect) = (frame.reason, frame.mayReconnect)
        #expect(reason == GoawayReason.drain.rawValue)
        #expect(mayReconnect)
        try await phone.disconnected(times: 1)
        #expect(phone.departures.first?.label == "hub going away")
        for link in [silent, mute, unspoken, nameless, stubborn] { try await link.closedByHub() }
        await phone.close()
    }

    @Test("SIGTERM while sends are under way: each is answered, and what was 201 is delivered")
    func drainsSends() async throws {
        var hub = try await RunningHub.startRestartable()
        let phone = try await Phone.subscribed(
            hub.connection,
            RegistrationChoice(platform: .apple, tags: ["World"])
        )
        let accepted = EventLog<String>()
        let connection = hub.connection
        let sending = Task {
            let sender = try SenderClient(connection)
            for number in 0..<10_000 {
                let text = NewsFormat.payload(.apple, "send \(number)")
                let body = OutgoingNotification.native(
                    .apple,
                    body: Array(text.utf8),
                    tags: "World"
                )
                do throws(SenderError) {
                    _ = try await sender.send(body)
                } catch {
                    break
                }
                accepted.append(text)
            }
            await sender.close()
        }
        try await accepted.wait(for: "ten sends") { $0.count >= 10 }
        #expect(try await hub.terminate(seconds: 20) == 0, "\(hub.program.errors.events)")
        try await sending.value
        hub = try await hub.startedAgain()
        phone.reconnect()
        let sender = try SenderClient(hub.connection)
        let end = NewsFormat.payload(.apple, "the end")
        _ = try await sender.send(.native(.apple, body: Array(end.utf8), tags: "World"))
        await sender.close()
        try await phone.receive(containing: "the end")
        let texts = phone.texts
        #expect(accepted.events.filter { !texts.contains($0) } == [])
        #expect(Set(texts).count == texts.count)
        await phone.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("SIGHUP shows the new certificate on both ports and leaves connections alone")
    func reloads() async throws {
        let folder = ScenarioFolder()
        try SelfSigned.make("shown", in: folder)
        let hub = try await RunningHub.start(
            in: folder,
            ["--certificate", folder.file("shown.pem"), "--key", folder.file("shown-key.pem")]
        )
        let (rest, devices) = (hub.connection.rest.port, hub.connection.devices.port)
        let phone = try await Phone.subscribed(
            hub.connection,
            RegistrationChoice(platform: .apple, tags: ["World"])
        )
        let before = try await RawLink.certificate(port: devices, alpn: ["belfry/1"])
        #expect(try await RawLink.certificate(port: rest, alpn: ["h2"]) == before)

        // Broken files change nothing.
        let good = try Data(contentsOf: URL(fileURLWithPath: folder.file("shown.pem")))
        try folder.write("no certificate", to: "shown.pem")
        hub.program.signal(SIGHUP)
        try await hub.program.errors.wait(for: "a refused certificate") { lines in
            lines.contains { $0.contains("certificate not reloaded") }
        }
        #expect(try await RawLink.certificate(port: devices, alpn: ["belfry/1"]) == before)
        #expect(try await RawLink.certificate(port: rest, alpn: ["http/1.1"]) == before)
        try good.write(to: URL(fileURLWithPath: folder.file("shown.pem")))

        try SelfSigned.make("shown", in: folder)
        hub.program.signal(SIGHUP)
        try await hub.program.errors.wait(for: "a new certificate") { lines in
            lines.contains { $0.contains("certificate reloaded") }
        }
        let after = try await RawLink.certificate(port: devices, alpn: ["belfry/1"])
        #expect(after != before)
        #expect(try await RawLink.certificate(port: rest, alpn: ["h2"]) == after)

        let sender = try SenderClient(hub.connection)
        let body = Array(NewsFormat.payload(.apple, "still connected").utf8)
        _ = try await sender.send(.native(.apple, body: body, tags: "World"))
        await sender.close()
        try await phone.receive(1)
        #expect(phone.departures == [])
        #expect(phone.openings.count == 1)
        await phone.close()
        #expect(try await hub.terminate() == 0)
    }
}
