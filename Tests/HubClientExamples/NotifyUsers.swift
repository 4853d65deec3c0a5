import HubClient
import HubSender

/// The back end registers phones for the users who have logged in there; tags are its to give.
///
/// A back end has tables of its database where dictionaries are here. The second request for a
/// phone waits for the first: a back end of several processes takes a lock for the handle.
actor Registrar {
    private struct Owner: Equatable {
        var user: String
        var handle: String
    }

    private let sender: SenderClient
    /// Whose each id is that was made here; the phone's own registrations are not among them.
    private var owners: [String: Owner] = [:]

    init(_ sender: SenderClient) { self.sender = sender }

    /// Registers a phone; `known` is the id that the app has kept since its last start, and it keeps
    /// what comes back.
    func register(
        _ handle: String,
        known: String?,
        of user: String,
        on platform: Platform
    ) async throws -> String {
        let owner = Owner(user: user, handle: handle)
        // Another user's id stays theirs, whatever the app says.
        let own = owners.first { $0.key == known && $0.value.user == user }
        if let id = (own ?? owners.first { $0.value == owner })?.key {
            do throws(SenderError) {
                return try await write(id, owner, platform)
            } catch {
                // It was deleted: a new id, once.
                guard error.status == 410 else { throw error }
                owners[id] = nil
            }
        }
        return try await write(try await sender.reserveRegistrationID(), owner, platform)
    }

    private func write(
        _ id: String,
        _ owner: Owner,
        _ platform: Platform
    ) async throws(SenderError) -> String {
        // Noted before the hub hears of it, so that it can be found whatever happens.
        owners[id] = owner
        // The user who names a handle holds the phone. An id of the user before is deleted, since it
        // would bring along what still waits for that user.
        for (other, its) in owners where other != id && its.handle == owner.handle {
            try await remove(other)
        }
        let tags = ["username:\(owner.user)"]
        let entry = RegistrationEntry(platform: platform, handle: owner.handle, tags: tags)
        return try await sender.putRegistration(id: id, entry).id
    }

    private func remove(_ id: String) async throws(SenderError) {
        do throws(SenderError) {
            try await sender.deleteRegistration(id: id)
        } catch {
            guard error.status == 404 else { throw error }
        }
        owners[id] = nil
    }
}

/// The sender: a message to a user, on every phone and platform of theirs.
func notify(
    _ recipient: String,
    from name: String,
    _ text: String,
    on platforms: [Platform],
    with sender: SenderClient
) async throws {
    let audience =
        try TagQuery(tag: "username:\(recipient)")
        || TagQuery(tag: "from:\(name)")
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
