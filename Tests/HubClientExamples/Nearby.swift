import HubClient
import HubSender

/// The sender: a place is a tag, and an area is an expression.
func sendNearby(_ text: String, to area: TagQuery, with sender: SenderClient) async throws {
    _ = try await sender.send(.template(["messageParam": text], to: area))
}

/// The whole city but its harbour.
let cityWithoutHarbour: TagQuery = "place:city" && !"place:harbour"

/// The receiver: it subscribes to where it is, and to what its user wants to hear of.
func receiveNearby(
    _ places: [String],
    on device: DeviceClient,
    show: (String) -> Void
) async {
    device.register(
        .template(
            platform: .apple,
            name: "nearby",
            body: #"{"aps":{"alert":"$(messageParam)"}}"#,
            tags: places
        )
    )
    for await event in device.events {
        switch event {
        case .registered(let choice, _): show("Here: \(choice.tags.joined(separator: ", "))")
        case .notification(let notification):
            show(notification.alert ?? "")
            device.taken(notification)
        default: break
        }
    }
}

/// Call it when the phone has moved: from then on the old place's news is not its own.
func move(_ device: DeviceClient, from old: String, to new: String) {
    device.patchTags(add: [new], remove: [old])
}
