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
        try await refreshLogin(header)
        show(PhoneLine(.loggedIn, text: memory.user))
        try await connect()
        try await register(tags, isForced: true)
        for entry in inbox.entries where entry.isWaiting { try await fetchWaiting(entry) }
    }

    /// Asks for tokens with a password.
    func refreshLogin(_ header: String) async throws(PhoneFault) {
        let exchange = try await ask("POST", "/api/login", as: header)
        guard exchange.status == 200,
            let login = try? JSONDecoder().decode(Login.self, from: Data(exchange.answer))
        else { throw .refused(status: exchange.status, exchange.message) }
        basic = header
        if memory.user != login.user {
            try forgetPersonal()
            memory = memory.withoutUser()
        }
        memory.user = login.user
        memory.accessToken = login.accessToken
        memory.accessTokenEnds = Self.now + login.seconds
        memory.hub = login.hub
        memory.deviceHost = login.host
        memory.devicePort = login.port
        take(listenToken: login.listenToken)
        try remember()
    }

    /// Leaves; a login that the backend does not know any more ends here alone.
    func logOut() async throws(PhoneFault) {
        if let authorization = try? credentials() {
            let exchange = try await ask("POST", "/api/logout", as: authorization)
            guard exchange.status == 200 || exchange.status == 401 else {
                throw .refused(status: exchange.status, exchange.message)
            }
        }
        basic = nil
        try forgetPersonal()
        memory = memory.withoutUser()
        try remember()
        show(PhoneLine(.loggedOut))
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

    /// What proves the user: the password of this run, or the access token of an earlier one.
    func credentials() throws(PhoneFault) -> String {
        if let basic { return basic }
        guard let token = memory.accessToken, Self.now < memory.accessTokenEnds else {
            throw .loggedOut
        }
        return "Bearer \(token)"
    }
}
