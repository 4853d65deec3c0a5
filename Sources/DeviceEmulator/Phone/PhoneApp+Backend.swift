import FoundationEssentials
import HubSender
import HubVocabulary

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
            memory.isConfirmed(for: configuration.platform, at: here),
            Self.now - last.at < PhoneMemory.confirmationSeconds
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
        guard let last = memory.confirmed, last.at > 0,
            memory.isConfirmed(for: configuration.platform, at: here)
        else { return false }
        return (try? credentials()) != nil  // Fails only without a login.
    }

    private func write(_ tags: [String], _ handle: String) async throws(PhoneFault) {
        for attempt in 1...2 {
            let id = try await registrationID(handle)
            let exchange = try await askAsUser(
                "PUT",
                "/api/register/\(id)",
                json: configuration.platform.registration(handle: handle, tags: tags)
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

    // MARK: Sending

    /// Sends a text to a user, one request for each platform that is switched on.
    ///
    /// A problem of all of them is told once; without an answer no more is asked.
    func send(_ text: String, to user: String, _ platforms: [String]) async {
        var problems: [String] = []
        for platform in platforms {
            let word = Platform(named: platform)?.backendName ?? platform
            let query =
                "pns=\(PercentCoding.encoded(word))"
                + "&to_tag=\(PercentCoding.encoded(user))"
            do throws(PhoneFault) {
                let exchange = try await give(
                    "/api/notifications?\(query)",
                    json: PlatformPayload.json(text)
                )
                let problem = exchange.status == 200 ? nil : exchange.problem
                if let problem, !problems.contains(problem) { problems.append(problem) }
            } catch {
                problems.append(error.brief)
                break
            }
        }
        show(.sent(problems: problems.joined(separator: "; ")))
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
        let problems = await NewsSender.problems(
            sending: text,
            key: key ?? configuration.sendKey,
            hub: memory.hub ?? "",
            authority: memory.authority
        )
        show(.sent(problems: problems.joined(separator: "\n")))
    }

    // MARK: Asking

    /// Gives the backend something to send, under a key of its own: however often it is asked until
    /// it answers, also by its user, it is sent once.
    private func give(_ path: String, json: String?) async throws(PhoneFault) -> BackendExchange {
        let wish = path + (json ?? "")
        let key = unansweredKeys[wish] ?? BackendClient.newKey()
        unansweredKeys[wish] = key
        let exchange = try await askAsUser("POST", path, json: json, key: key)
        // A repeat then would be another message.
        if exchange.status < 500 { unansweredKeys[wish] = nil }
        return exchange
    }

    /// Asks the backend as the user; a `401` means that their login has ended elsewhere, which is
    /// told.
    func askAsUser(
        _ method: String,
        _ path: String,
        json: String? = nil,
        key: String? = nil,
        seconds: Int64? = nil
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
        seconds: Int64? = nil
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

extension Platform {
    /// The word of the backend's `Platform` and `pns`.
    ///
    /// Source: rules C.7.
    package var backendName: String { self == .apple ? "apns" : commandLineName }

    /// The body of a registration at the backend.
    func registration(handle: String, tags: [String]) -> String {
        let list = tags.map(PlatformPayload.json).joined(separator: ",")
        return "{\"Platform\":\"\(backendName)\",\"Handle\":\"\(handle)\",\"Tags\":[\(list)]}"
    }
}
