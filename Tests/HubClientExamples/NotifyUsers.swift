import HubClient

/// The back end registers a phone for the user who has logged in there; the tag is its to give.
///
/// `known` is the id that the app has kept since its last start; it keeps what comes back.
func registerPhone(
    _ handle: String,
    known: String?,
    of user: String,
    on platform: DevicePlatform,
    with sender: SenderClient
) async throws -> String {
    let entry = RegistrationEntry(platform: platform, handle: handle, tags: ["username:\(user)"])
    let present = try await sender.registrations(handle: handle).map(\.id)
    for id in present.dropFirst() { try await sender.deleteRegistration(id: id) }
    if let id = known ?? present.first {
        do throws(SenderError) {
            return try await sender.putRegistration(id: id, entry).id
        } catch {
            // It was deleted: a new id, once.
            guard error.status == 410 else { throw error }
        }
    }
    let id = try await sender.reserveRegistrationID()
    return try await sender.putRegistration(id: id, entry).id
}

/// The sender: a message to a user, on every phone and platform of theirs.
func notify(
    _ recipient: String,
    from name: String,
    _ text: String,
    on platforms: [DevicePlatform],
    with sender: SenderClient
) async throws {
    let audience =
        try TagExpression(tag: "username:\(recipient)")
        || TagExpression(tag: "from:\(name)")
    for platform in platforms {
        _ = try await sender.send(.alert("From \(name): \(text)", on: platform, to: audience))
    }
}

/// The receiver: it registers nothing itself, but gives its handle to the back end.
func receiveMessages(
    on device: DeviceClient,
    register: (_ handle: String) async throws -> Void,
    show: (String) -> Void
) async throws {
    for await event in device.events {
        switch event {
        case .connected:
            // At every start and return, since a handle may change.
            if let handle = device.handle { try await register(handle) }
            show("Registered successfully!")
        case .notification(let notification):
            show(notification.alert ?? "")
            device.taken(notification)
        default: break
        }
    }
}
