import HubVocabulary

// Who uses the app: logging in and out, and what proves the user.
extension PhoneApp {
    /// Logs in, connects the device, registers it, and fetches what waited for a login.
    /// - Throws: `PhoneFault`.
    func logIn(_ user: String, _ password: String, _ tags: [String]) async throws(PhoneFault) {
        let header = "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
        let before = memory.deviceUser
        try await refreshLogin(header)
        show(.loggedIn(user: memory.user ?? user))
        try await connect()
        try await register(tags, isForced: true)
        if before != memory.deviceUser { subscribeAgain() }
        for entry in inbox.entries where entry.isWaiting { try await fetchWaiting(entry) }
    }

    /// Asks for tokens with a password.
    func refreshLogin(_ header: String) async throws(PhoneFault) {
        let exchange = try await ask("POST", "/api/login", as: header)
        guard exchange.status != 401 else { throw .wrongPassword }
        guard exchange.status == 200,  // Other answers are told with their status.
            let login = LoginReply(exchange.answer)
        else { throw .refused(status: exchange.status, exchange.message) }
        // A user of the same name at another backend is another user.
        let isHome = memory.home == here
        if let last = memory.deviceUser, last != login.user || !isHome {
            // Notifications for the user before may lie on the device, or be on their way to it:
            // the next one gets another device.
            await deleteRegistration()
            try await renewDevice()
        }
        basic = header
        if memory.user != login.user || !isHome {
            try forgetPersonal()
            memory = memory.withoutUser()
        }
        memory.take(login, at: here, now: Self.now)
        listenToken = login.listenToken
        try remember()
    }

    /// Has the backend delete the registration of a user who leaves the device to the next one.
    ///
    /// When their login has ended, it stays theirs until they log out. It reaches no device, since
    /// this one is given up.
    private func deleteRegistration() async {
        // Without credentials the backend would refuse to delete it.
        guard let id = memory.registrationID, let proof = try? credentials() else { return }
        do throws(PhoneFault) {
            _ = try await ask(
                "DELETE",
                "/api/register/\(id)",
                as: proof,
                seconds: briefSeconds
            )
        } catch {
            show(.problem("the last user's registration stays: \(error)"))
        }
    }

    /// Whether the user of the last start is still logged in.
    ///
    /// A login can be ended elsewhere, so at each start the app asks the backend for the cheapest
    /// thing that it knows: content 0, which no user has. Without an answer the login has not ended,
    /// and the user is told that its state is unknown.
    func isStillLoggedIn() async -> Bool {
        guard let user = memory.user, client != nil else { return false }
        do throws(PhoneFault) {
            _ = try await askAsUser("GET", "/api/notifications/0", seconds: briefSeconds)
        } catch .loggedOut {
            // At another backend no user has logged in yet.
            if memory.home == here { show(.loginEnded(user: user)) }
        } catch {
            let text = "nobody knows whether \(user) is still logged in: \(error)"
            show(.problem(text))
        }
        return (try? credentials()) != nil  // Fails only without a login.
    }

    /// The backend does not know the login any more: nothing is asked with it again.
    func loginHasEnded() throws(PhoneFault) {
        try forgetToken()
        show(.loginEnded(user: memory.user ?? ""))
    }

    /// Logs the user out; here the login ends even when the backend refuses.
    /// - Throws: `.loggedOut` without a user; `.notEnded`, or the backend's refusal, when the login
    ///   has not ended everywhere.
    func logOut() async throws(PhoneFault) {
        guard memory.user != nil else { throw .loggedOut }
        let failure = await endLogin()
        basic = nil
        try forgetPersonal()
        memory = memory.withoutUser()
        try remember()
        show(.loggedOut)
        if let failure { throw failure }
    }

    /// Has the backend end the login, by the access token or else the password; what went wrong.
    private func endLogin() async -> PhoneFault? {
        var proofs = (try? credentials()).map { [$0] } ?? []  // None without a login.
        if let basic, !proofs.contains(basic) { proofs.append(basic) }
        for proof in proofs {
            do throws(PhoneFault) {
                let exchange = try await ask("POST", "/api/logout", as: proof)
                switch exchange.status {
                case 200: return nil
                case 401: break
                default: return .refused(status: exchange.status, exchange.message)
                }
            } catch {
                return .notEnded(error.description)
            }
        }
        return .notEnded("the backend does not know its login any more")
    }

    /// Drops the access token, as if it had ended.
    func forgetToken() throws(PhoneFault) {
        basic = nil
        memory.accessToken = nil
        memory.confirmed?.at = 0
        secrets = [:]
        try remember()
    }

    /// The next user of the phone gets nothing of the one before.
    private func forgetPersonal() throws(PhoneFault) {
        secrets = [:]
        let personal = inbox.entries.filter(\.isPersonal)
        for entry in personal { inbox[entry.number] = nil }
        try keepInbox()
        for entry in personal { removed(entry) }
        removeStrayContent()
    }

    /// Returns the proof of the user: the access token while it holds, otherwise the password, if
    /// this run knows it.
    ///
    /// The backend that gave the token gets it, and no other.
    func credentials() throws(PhoneFault) -> String {
        if let token = memory.accessToken, let here, memory.home == here,
            Self.now < memory.accessTokenEnds
        {
            return "Bearer \(token)"
        }
        guard let basic else { throw .loggedOut }
        return basic
    }
}
