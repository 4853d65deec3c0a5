import FoundationEssentials

// Who uses the app: logging in and out, and what proves the user.
extension PhoneApp {
    private struct Login: Decodable {
        enum CodingKeys: String, CodingKey {
            case user = "User"
            case accessToken = "AccessToken"
            case seconds = "AccessTokenExpiresInSeconds"
            case hub = "Hub"
            case host = "DeviceHost"
            case port = "DevicePort"
            case listenToken = "ListenToken"
        }

        var user: String
        var accessToken: String
        var seconds: Int64
        var hub: String
        var host: String
        var port: UInt16
        var listenToken: String
    }

    /// Logs in, connects the device, registers it, and fetches what waited for a login.
    /// - Throws: `PhoneFault`.
    func logIn(_ user: String, _ password: String, _ tags: [String]) async throws(PhoneFault) {
        let header = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        let before = memory.deviceUser
        try await refreshLogin(header)
        show(PhoneLine(.loggedIn, text: memory.user))
        try await connect()
        try await register(tags, isForced: true)
        if before != memory.deviceUser { subscribeAgain() }
        for entry in inbox.entries where entry.isWaiting { try await fetchWaiting(entry) }
    }

    /// Asks for tokens with a password.
    func refreshLogin(_ header: String) async throws(PhoneFault) {
        let exchange = try await ask("POST", "/api/login", as: header)
        guard exchange.status == 200,
            let login = try? JSONDecoder().decode(Login.self, from: Data(exchange.answer))
        else { throw .refused(status: exchange.status, exchange.message) }
        basic = header
        if let last = memory.deviceUser, last != login.user {
            // What was for the user before may lie on the device, or be on its way to it: the next
            // one gets another device.
            try await renewDevice()
        }
        if memory.user != login.user {
            try forgetPersonal()
            memory = memory.withoutUser()
        }
        memory.user = login.user
        memory.deviceUser = login.user
        memory.accessToken = login.accessToken
        memory.accessTokenEnds = Self.now + login.seconds
        memory.hub = login.hub
        memory.deviceHost = login.host
        memory.devicePort = login.port
        take(listenToken: login.listenToken)
        try remember()
    }

    /// Leaves; here the login ends whatever the backend says, which is told.
    /// - Throws: `PhoneFault` when the backend could not end it everywhere.
    func logOut() async throws(PhoneFault) {
        let failure = await endLogin()
        basic = nil
        try forgetPersonal()
        memory = memory.withoutUser()
        try remember()
        show(PhoneLine(.loggedOut))
        if let failure { throw failure }
    }

    /// Has the backend end the login; what went wrong, unless it knows of none.
    private func endLogin() async -> PhoneFault? {
        guard let authorization = try? credentials() else { return nil }
        do throws(PhoneFault) {
            let exchange = try await ask("POST", "/api/logout", as: authorization)
            guard exchange.status != 200, exchange.status != 401 else { return nil }
            return .refused(status: exchange.status, exchange.message)
        } catch {
            return error
        }
    }

    /// Drops the access token, as if it had ended.
    func forgetToken() throws(PhoneFault) {
        basic = nil
        memory.accessToken = nil
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
    }

    /// What proves the user: the access token of the last login, or when it has ended the password,
    /// as long as this run knows it.
    func credentials() throws(PhoneFault) -> String {
        if let token = memory.accessToken, Self.now < memory.accessTokenEnds {
            return "Bearer \(token)"
        }
        guard let basic else { throw .loggedOut }
        return basic
    }
}
