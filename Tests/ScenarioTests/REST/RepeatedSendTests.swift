import HubClient
import HubSender
import HubServer
import Testing

@testable import ScenarioSupport

@Suite("A send that is repeated with its idempotency key", .timeLimit(.minutes(3)))
struct RepeatedSendTests {
    private static func notification(_ text: String) -> OutgoingNotification {
        .native(.apple, body: Array(NewsFormat.payload(.apple, text).utf8), tags: "World")
    }

    @Test("is the same notification, also for a hub that was killed in between")
    func restarts() async throws {
        var hub = try await RunningHub.startRestartable()
        let phone = try await Phone.subscribed(
            hub.connection,
            RegistrationChoice(platform: .apple, tags: ["World"])
        )
        let sender = try SenderClient(hub.connection)
        let notification = Self.notification("once")
        let first = try await sender.send(notification)
        let second = try await sender.send(notification)
        #expect(second.id == first.id && second.location == first.location)
        for _ in 0..<2 {
            try await hub.kill()
            hub = try await hub.startedAgain()
            let again = try await sender.send(notification)
            #expect(again.id == first.id)
            #expect(again.location == first.location)
            #expect(again.status == 201)
        }
        var other = notification
        other.body += Array(" ".utf8)
        do throws(SenderError) {
            _ = try await sender.send(other)
            Issue.record("another body under the same key was taken")
        } catch {
            guard case .refused(let refused) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(refused.status == 409)
            #expect(refused.detail.contains("Idempotency-Key"), "\(refused.detail)")
        }
        _ = try await sender.send(Self.notification("the end"))
        phone.reconnect()
        try await phone.receive(containing: "the end")
        #expect(phone.texts == ["once", "the end"].map { NewsFormat.payload(.apple, $0) })
        await phone.close()
        await sender.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("arrives once when the answer to the first try was lost")
    func lostAnswers() async throws {
        try await HostedHub.run { hub in
            let phone = try await Phone.subscribed(
                hub.connection,
                RegistrationChoice(platform: .apple, tags: ["World"])
            )
            let sender = try SenderClient(hub.connection)
            var expected: [String] = []
            for number in 0..<20 {
                let notification = Self.notification("\(number)")
                let lost = Task { try await sender.send(notification) }
                // Given up after so many turns of the hub, between the connection and the answer.
                for _ in 0..<number { _ = await hub.server.reports() }
                lost.cancel()
                let first = try? await lost.value
                let sent = try await sender.send(notification)
                #expect(first == nil || first?.id == sent.id)
                expected.append(NewsFormat.payload(.apple, "\(number)"))
            }
            _ = try await sender.send(Self.notification("the end"))
            try await phone.receive(containing: "the end")
            #expect(phone.texts.dropLast() == expected)
            await phone.close()
            await sender.close()
        }
    }
}
