import FoundationEssentials
import HubClient

// What the app asks of its backend and, for the news, of the hub: registering and sending.
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
            let query =
                "pns=\(BackendClient.queryValue(platform))"
                + "&to_tag=\(BackendClient.queryValue(user))"
            do throws(PhoneFault) {
                let exchange = try await give(
                    "/api/notifications?\(query)",
                    json: PlatformPayload.json(text)
                )
                if exchange.status != 200 {
                    let reason = exchange.message.isEmpty ? "" : " (\(exchange.message))"
                    errors.append("Error Status for \(platform): \(exchange.status)\(reason)")
                }
            } catch {
                errors.append("Error Status for \(platform): \(error)")
            }
        }
        show(PhoneLine(.sent, text: errors.joined(separator: "\n")))
    }

    /// Gives the backend content for a user; nothing means the scenario's image for oneself.
    func post(_ json: String) async throws(PhoneFault) {
        let exchange = try await give("/api/notifications", json: json.isEmpty ? nil : json)
        guard exchange.status == 200 else {
            throw .refused(status: exchange.status, exchange.message)
        }
        show(PhoneLine(.sent, text: ""))
    }

    /// Sends a text to each of the six categories, with a key that the user has supplied.
    func sendNews(_ text: String, key: String?) async {
        var errors: [String] = []
        do {
            guard let key = key ?? configuration.sendKey else {
                throw PhoneFault.backend("sending the news needs a send key")
            }
            let hub = memory.hub ?? ""
            let sender = try SenderClient(
                ConnectionString(parsing: key),
                hub: hub,
                caPath: memory.authority
            )
            for category in NewsChoice.categories {
                do throws(SenderError) {
                    let properties = NewsChoice.properties(category, text)
                    _ = try await sender.send(.template(properties, tags: category))
                } catch {
                    errors.append("\(category): \(error)")
                }
            }
            await sender.close()
        } catch {
            errors.append("\(error)")
        }
        show(PhoneLine(.sent, text: errors.joined(separator: "\n")))
    }

    // MARK: Asking

    /// Gives the backend something to send, under a key of its own: however often it is asked until
    /// it answers, it is sent once.
    private func give(_ path: String, json: String?) async throws(PhoneFault) -> BackendExchange {
        try await ask(
            "POST",
            path,
            as: try credentials(),
            json: json,
            key: BackendClient.newKey()
        )
    }

    /// Asks the backend, and tells of it.
    func ask(
        _ method: String,
        _ path: String,
        as authorization: String,
        json: String? = nil,
        key: String? = nil
    ) async throws(PhoneFault) -> BackendExchange {
        guard let client else { throw .backend("this app has none") }
        let exchange = try await client.ask(
            method,
            path,
            authorization: authorization,
            json: json,
            key: key
        )
        show(PhoneLine(exchange))
        return exchange
    }
}

extension DevicePlatform {
    /// The word of the backend's `Platform` and `pns`.
    ///
    /// Source: rules C.7.
    package var backendName: String { self == .apple ? "apns" : commandLineName }
}
