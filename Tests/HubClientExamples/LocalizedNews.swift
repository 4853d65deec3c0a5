import HubClient
import HubSender

/// The sender: one send has the text in every language; each phone's template takes its own.
func sendLocalized(
    english: String,
    french: String,
    about category: String,
    with sender: SenderClient
) async throws {
    let texts = ["News_English": english, "News_French": french]
    _ = try await sender.send(.template(texts, to: try TagQuery(tag: category)))
}

/// Category and language in one expression.
func sendToTheRest(_ english: String, with sender: SenderClient) async throws {
    _ = try await sender.send(
        .template(["News_English": english], to: "Sports" && !"locale:fr")
    )
}

/// The receiver: the language is a property of the template and a tag beside the categories.
func receiveLocalized(
    _ categories: [String],
    inFrench isFrench: Bool,
    on device: DeviceClient,
    show: (String) -> Void
) async {
    let property = isFrench ? "News_French" : "News_English"
    device.register(
        .template(
            platform: .apple,
            name: "localizedNews",
            body: #"{"aps":{"alert":"$(\#(property))"}}"#,
            tags: categories + [isFrench ? "locale:fr" : "locale:en"]
        )
    )
    for await event in device.events {
        switch event {
        case .registered: show("Subscribed!")
        case .notification(let notification):
            show(notification.alert ?? "")
            device.taken(notification)
        default: break
        }
    }
}
