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

private func notify(user: String, file: ConnectionFile) async throws {
    let sender = try SenderClient(file, retries: .standard)
    let id = try await sender.reserveRegistrationID()
    let entry = RegistrationEntry(platform: .apple, handle: "…", tags: ["username:\(user)"])
    _ = try await sender.putRegistration(id: id, entry)
    let payload = PlatformPayload.alert("Hello", on: .apple)
    _ = try await sender.send(
        .native(.apple, body: Array(payload.utf8), tags: "username:\(user)")
    )
    for registration in try await sender.registrations(tag: "username:\(user)") {
        try await sender.deleteRegistration(id: registration.id)
    }
    await sender.close()
}
