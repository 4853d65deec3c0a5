import HubClient
import HubSender

/// The sender: the message stays with the back end, only its id passes through the hub.
func sendSecurely(
    _ message: String,
    to user: String,
    from shelf: Shelf<String>,
    with sender: SenderClient
) async throws {
    let id = await shelf.keep(message, for: user)
    let silent = ApplePayload(silent: [("secureId", "\(id)")])
    let tag = try TagQuery(tag: "username:\(user)")
    _ = try await sender.send(.apple(silent, to: tag))
}

/// The receiver: with a login it reads the message; without one it asks for it, and reads later.
actor SecureInbox {
    private struct Silent: Decodable { var secureId: String }

    private let fetch: @Sendable (Int) async throws -> String?
    private let show: @Sendable (String) -> Void
    private var waiting: [Int] = []

    init(
        fetch: @escaping @Sendable (Int) async throws -> String?,
        show: @escaping @Sendable (String) -> Void
    ) {
        self.fetch = fetch
        self.show = show
    }

    func receive(on device: DeviceClient) async {
        for await event in device.events {
            guard case .notification(let notification) = event else { continue }
            if let silent = try? notification.decoded(as: Silent.self),
                let id = Int(silent.secureId), await !read(id)
            {
                waiting.append(id)
                show("You have a secure message. Log in to read it.")
            }
            device.taken(notification)
        }
    }

    /// Call it after a login.
    func readWaiting() async {
        let ids = waiting
        waiting = []
        for id in ids where await !read(id) { waiting.append(id) }
    }

    private func read(_ id: Int) async -> Bool {
        guard let message = try? await fetch(id) else { return false }
        show(message)
        return true
    }
}
