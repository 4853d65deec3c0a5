import FoundationEssentials
import HubClient

// What the app asks of its backend: registering, sending, fetching.
extension PhoneApp {
    // MARK: Registering

    /// Registers the device for its user: reserves an id once, and asks for a new one when the hub
    /// has forgotten the registration, once.
    ///
    /// An app that starts often leaves it out when nothing has changed and the backend has
    /// confirmed it within a day.
    /// - Throws: `PhoneFault`.
    func register(_ tags: [String], isForced: Bool = false) async throws(PhoneFault) {
        guard let handle else { throw .device("there is no handle yet") }
        let authorization = try credentials()
        if !isForced, let last = memory.confirmed, last.handle == handle, last.tags == tags,
            Self.now - last.at < PhoneMemory.confirmationSeconds
        {
            return
        }
        for attempt in 1...2 {
            let id = try await registrationID(handle, authorization)
            let exchange = try await ask(
                "PUT",
                "/api/register/\(id)",
                as: authorization,
                json: Self.update(configuration.platform, handle: handle, tags: tags)
            )
            if exchange.status == 410, attempt == 1 {
                memory.registrationID = nil
                try remember()
                continue
            }
            guard exchange.status == 200 else {
                throw .refused(status: exchange.status, exchange.message)
            }
            memory.confirmed = PhoneMemory.Confirmed(handle: handle, tags: tags, at: Self.now)
            try remember()
            var line = PhoneLine(.registered, text: "Registered successfully!")
            line.id = id
            line.tags = tags
            show(line)
            return
        }
    }

    private func registrationID(
        _ handle: String,
        _ authorization: String
    ) async throws(PhoneFault) -> String {
        if let id = memory.registrationID { return id }
        let exchange = try await ask(
            "POST",
            "/api/register?handle=\(handle.uppercased())",
            as: authorization
        )
        guard exchange.status == 200,
            let id = try? JSONDecoder().decode(String.self, from: Data(exchange.answer))
        else { throw .refused(status: exchange.status, exchange.message) }
        memory.registrationID = id
        try remember()
        return id
    }

    private static func update(
        _ platform: DevicePlatform,
        handle: String,
        tags: [String]
    ) -> String {
        let list = tags.map(PlatformPayload.json).joined(separator: ",")
        return "{\"Platform\":\"\(platform.backendName)\",\"Handle\":\"\(handle)\","
            + "\"Tags\":[\(list)]}"
    }

    // MARK: Sending

    /// Sends a text to a user, one request for each platform that is switched on.
    func send(_ text: String, to user: String, _ platforms: [String]) async {
        var errors: [String] = []
        for platform in platforms {
            let path = "/api/notifications?pns=\(platform)&to_tag=\(user)"
            do throws(PhoneFault) {
                let exchange = try await ask(
                    "POST",
                    path,
                    as: try credentials(),
                    json: PlatformPayload.json(text)
                )
                if exchange.status != 200 {
                    errors.append("Error Status for \(platform): \(exchange.status)")
                }
            } catch {
                errors.append("Error Status for \(platform): \(error)")
            }
        }
        show(PhoneLine(.sent, text: errors.joined(separator: "\n")))
    }

    /// Gives the backend content for a user; nothing means the scenario's image for oneself.
    func post(_ json: String) async throws(PhoneFault) {
        let exchange = try await ask(
            "POST",
            "/api/notifications",
            as: try credentials(),
            json: json.isEmpty ? nil : json
        )
        guard exchange.status == 200 else {
            throw .refused(status: exchange.status, exchange.message)
        }
    }

    // MARK: Arriving

    /// What the app does with a notification: shows it, or fetches what it names first.
    func handle(_ notification: ReceivedNotification) async {
        let payload = notification.text ?? ""
        switch SilentPush(payload: payload) {
        case nil:
            show(PhoneLine(.shown, text: PlatformPayload.alertText(of: payload) ?? payload))
            report(.displayed, of: notification)
        case .unknownType: show(PhoneLine(.fetch, text: "noData"))
        case .rich(let id, let message, _): await fetchRich(id, message, of: notification)
        case .secure(let id):
            if await fetchSecure(id, of: notification) { report(.displayed, of: notification) }
        }
    }

    private func fetchRich(
        _ id: Int,
        _ message: String,
        of notification: ReceivedNotification
    ) async {
        guard let authorization = try? credentials(),
            let exchange = try? await ask("GET", "/api/notifications/\(id)", as: authorization),
            exchange.status == 200
        else {
            show(PhoneLine(.fetch, text: "failed"))
            return
        }
        var line = PhoneLine(.fetch, text: "newData")
        line.id = "\(id)"
        line.mediaType = exchange.mediaType
        line.bytes = exchange.answer.count
        line.ends = Self.ends(of: exchange.answer)
        show(line)
        if !configuration.isInForeground {
            try? await Task.sleep(for: configuration.backgroundDelay)
        }
        latest = (
            notification, ShownContent(mediaType: exchange.mediaType, bytes: exchange.answer)
        )
        show(PhoneLine(.shown, text: "\(message) [OK] [More]"))
        report(.displayed, of: notification)
    }

    /// Fetches a secure payload and shows it; without a login, or when the backend refuses, asks for
    /// one and shows nothing of it.
    func fetchSecure(_ id: Int, of notification: ReceivedNotification?) async -> Bool {
        struct Served: Decodable {
            enum CodingKeys: String, CodingKey { case payload = "Payload" }

            var payload: String
        }
        if let authorization = try? credentials(),
            let exchange = try? await ask("GET", "/api/notifications/\(id)", as: authorization),
            exchange.status == 200,
            let served = try? JSONDecoder().decode(Served.self, from: Data(exchange.answer))
        {
            show(PhoneLine(.fetch, text: "newData"))
            show(PhoneLine(.shown, text: served.payload))
            return true
        }
        show(PhoneLine(.fetch, text: "failed"))
        show(PhoneLine(.shown, text: "You have a new message: log in to read it"))
        memory.pending = Array((memory.pending + ["\(id)"]).suffix(PhoneMemory.pendingMax))
        // What cannot be remembered is asked for by the next notification.
        try? remember()
        return false
    }

    /// The user opens what was shown last.
    func open() {
        guard let latest else { return }
        report(.opened, of: latest.notification)
        var line = PhoneLine(.opened)
        line.mediaType = latest.content.mediaType
        line.bytes = latest.content.bytes.count
        line.ends = Self.ends(of: latest.content.bytes)
        show(line)
    }

    private static func ends(of bytes: [UInt8]) -> String {
        (bytes.prefix(8) + bytes.suffix(8)).map(PhoneLine.hex).joined()
    }
}

extension DevicePlatform {
    /// The word of the backend's `Platform` and `pns`.
    ///
    /// Source: rules C.7.
    package var backendName: String { self == .apple ? "apns" : commandLineName }
}
