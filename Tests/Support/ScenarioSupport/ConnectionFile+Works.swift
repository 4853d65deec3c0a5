import HubClient
import HubSender

extension ConnectionFile {
    /// A device connects, subscribes and receives.
    func stillWorks() async throws {
        let phone = try await Phone.subscribed(
            self,
            RegistrationChoice(platform: .apple, tags: ["still"])
        )
        let sender = try SenderClient(self)
        let body = Array(NewsFormat.payload(.apple, "still here").utf8)
        _ = try await sender.send(.native(.apple, body: body, tags: "still"))
        await sender.close()
        try await phone.receive(1)
        await phone.close()
    }
}
