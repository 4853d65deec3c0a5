import HubClient
import HubSender

/// A sender: wherever your server runs, with a connection string and the hub's CA.
func sendHello(_ text: String, caPath: String?) async throws -> String {
    let connection = try ConnectionString(parsing: text)
    let sender = try SenderClient(connection, hub: "hub", caPath: caPath, retries: .standard)
    let sent = try await sender.send(.template(["messageParam": "Hello"], to: "World"))
    await sender.close()
    return sent.id
}

/// A device: its identity and its place in the hub's log are in a file, so that nothing is lost and
/// nothing comes twice when the app ends and starts again.
func receiveOne(_ file: ConnectionFile, statePath: String) async throws -> String? {
    let device = try DeviceClient(file, statePath: statePath)
    let body = #"{"aps":{"alert":"$(messageParam)"}}"#
    device.register(.template(platform: .apple, name: "hello", body: body, tags: ["World"]))
    for await event in device.events {
        guard case .notification(let notification) = event else { continue }
        device.taken(notification)
        await device.close()
        return notification.alert
    }
    return nil
}
