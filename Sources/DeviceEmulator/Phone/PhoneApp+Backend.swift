import FoundationEssentials
import HubClient

// Requests to the backend and, for the news, to the hub: registering and sending.
extension PhoneApp {
    // MARK: Registering

    /// Registers the device for its user: reserves an id once, and asks for a new one when the hub
    /// has forgotten the registration, once.
    ///
    /// An app that starts often leaves it out when nothing has changed, the platform and the backend
    /// included, and it was confirmed within a day.
    /// - Throws: `PhoneFault`.
    func register(_ tags: [String], isForced: Bool = false) async throws(PhoneFault) {
        guard let handle else { throw .device("there is no handle yet") }
        _ = try credentials()
        if !isForced, let last = memory.confirmed, last.handle == handle, last.tags == tags,
            isHere(last), Self.now - last.at < PhoneMemory.confirmationSeconds
        {
            return
        }
        do throws(PhoneFault) {
            try await write(tags, handle)
        } catch {
            if case .refused(let status, _) = error, (400..<500).contains(status) {
                memory.confirmed?.at = 0
                try remember()
            }
            throw error
        }
    }

    /// Whether the backend has confirmed the registration, and has not refused it since.
    var isRegistered: Bool {
        guard let last = memory.confirmed, last.at > 0, isHere(last) else { return false }
        return (try? credentials()) != nil  // Fails only without a login.
    }

    /// Whether a confirmation is that of this backend for this platform.
    private func isHere(_ confirmed: PhoneMemory.Confirmed) -> Bool {
        confirmed.platform == configuration.platform.backendName && confirmed.backend == here
    }

    private func write(_ tags: [String], _ handle: String) async throws(PhoneFault) {
        for attempt in 1...2 {
            let id = try await registrationID(handle)
            let exchange = try await askAsUser(
                "PUT",
                "/api/register/\(id)",
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
            memory.confirmed = PhoneMemory.Confirmed(
                handle: handle,
                tags: tags,
                platform: configuration.platform.backendName,
                backend: here,
                at: Self.now
            )
            try remember()
            let text = "Registered successfully!"
            show(.registered(PhoneLine.Registered(text: text, id: id, tags: tags)))
            return
        }
    }

    private func registrationID(_ handle: String) async throws(PhoneFault) -> String {
        if let id = memory.registrationID { return id }
        let exchange = try await askAsUser(
            "POST",
            "/api/register?handle=\(handle.uppercased())"
        )
        guard exchange.status == 200,  // Other answers are told with their status.
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
        show(.sent(problems: errors.joined(separator: "\n")))
    }

    /// Gives the backend content for a user; nothing means the scenario's image for oneself.
    func post(_ json: String) async throws(PhoneFault) {
        let exchange = try await give("/api/notifications", json: json.isEmpty ? nil : json)
        guard exchange.status == 200 else {
            throw .refused(status: exchange.status, exchange.message)
        }
        show(.sent(problems: ""))
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
        show(.sent(problems: errors.joined(separator: "\n")))
    }

    // MARK: Asking

    /// Gives the backend something to send, under a key of its own: however often it is asked until
    /// it answers, it is sent once.
    private func give(_ path: String, json: String?) async throws(PhoneFault) -> BackendExchange {
        try await askAsUser("POST", path, json: json, key: BackendClient.newKey())
    }

    /// Asks the backend as the user; a `401` means that their login has ended elsewhere, which is
    /// told.
    func askAsUser(
        _ method: String,
        _ path: String,
        json: String? = nil,
        key: String? = nil,
        seconds: Int64 = BackendClient.answerSeconds
    ) async throws(PhoneFault) -> BackendExchange {
        let proof = try credentials()
        let exchange = try await ask(
            method,
            path,
            as: proof,
            json: json,
            key: key,
            seconds: seconds
        )
        // Another login may have begun meanwhile.
        if exchange.status == 401, (try? credentials()) == proof { try loginHasEnded() }
        return exchange
    }

    /// Asks the backend, and tells of it.
    func ask(
        _ method: String,
        _ path: String,
        as authorization: String,
        json: String? = nil,
        key: String? = nil,
        seconds: Int64 = BackendClient.answerSeconds
    ) async throws(PhoneFault) -> BackendExchange {
        guard let client else { throw .backend("this app has none") }
        let exchange = try await client.ask(
            method,
            path,
            authorization: authorization,
            json: json,
            key: key,
            seconds: seconds
        )
        show(.request(PhoneLine.Request(exchange)))
        return exchange
    }
}

extension DevicePlatform {
    /// The word of the backend's `Platform` and `pns`.
    ///
    /// Source: rules C.7.
    package var backendName: String { self == .apple ? "apns" : commandLineName }
}
