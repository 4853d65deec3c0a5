import HubClient
import HubSender

/// The sender: one template send for each category reaches every platform in its own form.
func sendBreakingNews(_ text: String, with sender: SenderClient) async throws {
    for category in ["World", "Politics", "Business", "Technology", "Science", "Sports"] {
        let message = "Breaking \(category) News : \(text)"
        let category = try TagQuery(tag: category)
        _ = try await sender.send(.template(["messageParam": message], to: category))
    }
}

/// The receiver: an app with a Listen key.
///
/// A category is a tag; registering again with other categories switches the others off, and costs
/// nothing when nothing has changed.
func receiveBreakingNews(
    about categories: [String],
    on device: DeviceClient,
    show: (String) -> Void
) async {
    device.register(
        .template(
            platform: .apple,
            name: "simpleAPNSTemplate",
            body: #"{"aps":{"alert":"$(messageParam)"}}"#,
            tags: categories
        )
    )
    for await event in device.events {
        switch event {
        case .registered: show("Subscribed!")
        case .notification(let notification):
            show(notification.alert ?? "")
            device.report(.displayed, of: notification)
            // Until then it is given again after a restart.
            device.taken(notification)
        case .gap(let loss): show("Some news is lost: \(loss.reason.rawValue)")
        case .fault(let fault): show("\(fault)")
        case .connected, .disconnected, .unregistered, .upToDate: break
        }
    }
}
