import HubClient
import HubSender

/// What a back end keeps for its users and serves to its addressee alone; a database elsewhere.
actor Shelf<Content: Sendable> {
    private var kept: [(owner: String, content: Content)] = []

    func keep(_ content: Content, for owner: String) -> Int {
        kept.append((owner, content))
        return kept.count
    }

    func content(_ id: Int, for user: String) -> Content? {
        guard kept.indices.contains(id - 1), kept[id - 1].owner == user else { return nil }
        return kept[id - 1].content
    }
}

struct Picture: Equatable, Sendable {
    var mediaType: String
    var bytes: [UInt8]
}

/// The sender: it keeps the picture and sends its id in a silent notification.
func sendPicture(
    _ picture: Picture,
    saying message: String,
    to user: String,
    from shelf: Shelf<Picture>,
    with sender: SenderClient
) async throws {
    let id = await shelf.keep(picture, for: user)
    let silent = ApplePayload(silent: [
        ("richId", "\(id)"), ("richMessage", message), ("richType", "img"),
    ])
    let tag = try TagQuery(tag: "username:\(user)")
    _ = try await sender.send(.apple(silent, to: tag))
}

/// The receiver: it fetches the picture with its user's login and shows nothing before it has it.
func receivePictures(
    on device: DeviceClient,
    fetch: (Int) async throws -> Picture?,
    show: (String, Picture) -> Void
) async {
    struct Silent: Decodable {
        var richId, richMessage, richType: String
    }
    for await event in device.events {
        guard case .notification(let notification) = event else { continue }
        if let silent = try? notification.decoded(as: Silent.self), silent.richType == "img",
            let id = Int(silent.richId), let picture = try? await fetch(id)
        {
            show(silent.richMessage, picture)
            device.report(.displayed, of: notification)
        }
        device.taken(notification)
    }
}
