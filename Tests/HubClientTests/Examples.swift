import HubClient

// The examples of the documentation, so that they compile; nothing here is run.

private func receive() async throws {
    let file = try ConnectionFile(dataFolder: "data")
    let store = try FileDeviceStore(path: "device.state")
    let device = try DeviceClient(file, store: store)
    device.register(RegistrationChoice(platform: .apple, tags: ["World"]))
    for await event in device.events {
        guard case .notification(let notification) = event else { continue }
        print(notification.text ?? "")
        device.taken(notification)
    }
}

private func send(text: String) async throws {
    let connection = try ConnectionString(parsing: text)
    let sender = try SenderClient(connection, hub: "hub", caPath: "data/ca.pem")
    let sent = try await sender.send(.template(["messageParam": "Hello"], tags: "World"))
    print(sent.id)
    await sender.close()
}
