import FoundationEssentials
package import HubClient

/// The app of the scenarios on one phone: logs in at its backend, registers, shows what arrives,
/// fetches what a silent notification names, and tells the hub what its user saw.
///
/// It holds no hub key: the backend's login gives it a token for its first connection. With a
/// connection file instead of a backend it is the app of the breaking news, which has a Listen key.
package actor PhoneApp {
    /// What an app is started with.
    package struct Configuration: Sendable {
        /// Its backend; nil for an app with a Listen key.
        package var backend: BackendFile?
        /// The hub, for an app with a Listen key.
        package var connection: ConnectionFile?
        /// The authority to trust for the hub, PEM; nil trusts the system's.
        package var authority: String?
        /// The platform that it plays.
        package var platform: DevicePlatform
        /// The folder where it remembers; nil forgets everything at the end.
        package var folder: String?
        /// Whether the user looks at it: content is shown at once.
        package var isInForeground = true
        /// How long after a fetch it tells its user when it is in the background.
        package var backgroundDelay: Duration = .seconds(5)
        /// How long it waits for its first connection.
        package var patience: Duration = .seconds(15)

        /// An app of a platform.
        package init(platform: DevicePlatform) { self.platform = platform }
    }

    let configuration: Configuration
    let show: @Sendable (PhoneLine) -> Void
    let client: BackendClient?
    var memory: PhoneMemory
    /// The password's header, as long as the process lives; the disk holds the access token alone.
    var basic: String?
    var latest: (notification: ReceivedNotification, content: ShownContent)?
    private var device: DeviceClient?
    private var pump: Task<Void, Never>?
    private var listenToken: String?
    private var registered: Set<[String]> = []

    /// Rich content that its user can open.
    struct ShownContent: Sendable {
        var mediaType: String
        var bytes: [UInt8]
    }

    /// An app that tells what happens through `show`; it connects when it can.
    /// - Throws: `.backend`, `.memory`.
    package init(
        _ configuration: Configuration,
        show: @escaping @Sendable (PhoneLine) -> Void
    ) throws(PhoneFault) {
        self.configuration = configuration
        self.show = show
        if let backend = configuration.backend {
            client = try BackendClient(backend)
        } else {
            client = nil
        }
        if let folder = configuration.folder {
            memory = try PhoneMemory(path: folder + "/app.json")
        } else {
            memory = PhoneMemory()
        }
    }

    /// Ends everything in order.
    package func close() async {
        await device?.close()
        await pump?.value
        await client?.close()
    }

    // MARK: Commands

    /// Carries out a command; its end is a line, with what went wrong if something did.
    package func perform(_ command: PhoneCommand) async {
        do throws(PhoneFault) {
            switch command.action {
            case .logIn:
                try await logIn(command.user ?? "", command.password ?? "", command.tags ?? [])
            case .logOut: try await logOut()
            case .subscribe: try await subscribe(command.tags ?? [], template: command.text ?? "")
            case .send:
                await send(command.text ?? "", to: command.user ?? "", command.platforms ?? [])
            case .open: open()
            case .newHandle: try await changeHandle()
            case .register: try await register(memory.confirmed?.tags ?? [], isForced: true)
            case .sendRich: try await post("")
            case .sendSecure:
                try await post(
                    "{\"kind\":\"secure\",\"to\":\(PlatformPayload.json(command.user ?? "")),"
                        + "\"payload\":\(PlatformPayload.json(command.text ?? ""))}"
                )
            case .forgetToken: try forgetToken()
            }
            show(PhoneLine(.done))
        } catch {
            show(PhoneLine(.done, text: error.description))
        }
    }

    // MARK: Logging in

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
    package func logIn(
        _ user: String,
        _ password: String,
        _ tags: [String]
    ) async throws(PhoneFault) {
        let header = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        try await refreshLogin(header)
        show(PhoneLine(.loggedIn, text: memory.user))
        try await connect()
        try await register(tags, isForced: true)
        let pending = memory.pending
        memory.pending = []
        try remember()
        for id in pending.compactMap({ Int($0) }) { _ = await fetchSecure(id, of: nil) }
    }

    private func refreshLogin(_ header: String) async throws(PhoneFault) {
        let exchange = try await ask("POST", "/api/login", as: header)
        guard exchange.status == 200,
            let login = try? JSONDecoder().decode(Login.self, from: Data(exchange.answer))
        else { throw .refused(status: exchange.status, exchange.message) }
        basic = header
        if memory.user != login.user {
            memory.registrationID = nil
            memory.confirmed = nil
            memory.pending = []
        }
        memory.user = login.user
        memory.accessToken = login.accessToken
        memory.accessTokenEnds = Self.now + login.seconds
        memory.hub = login.hub
        memory.deviceHost = login.host
        memory.devicePort = login.port
        listenToken = login.listenToken
        try remember()
    }

    private func logOut() async throws(PhoneFault) {
        let exchange = try await ask("POST", "/api/logout", as: try credentials())
        guard exchange.status == 200 else {
            throw .refused(status: exchange.status, exchange.message)
        }
        basic = nil
        let categories = memory.categories
        memory = PhoneMemory()
        memory.categories = categories
        try remember()
        show(PhoneLine(.loggedOut))
    }

    private func forgetToken() throws(PhoneFault) {
        basic = nil
        memory.accessToken = nil
        try remember()
    }

    /// What proves the user: the password of this run, or the access token of an earlier one.
    func credentials() throws(PhoneFault) -> String {
        if let basic { return basic }
        guard let token = memory.accessToken, Self.now < memory.accessTokenEnds else {
            throw .loggedOut
        }
        return "Bearer \(token)"
    }

    // MARK: The device

    private func connect() async throws(PhoneFault) {
        if device == nil { try await start() }
        let deadline = ContinuousClock.now + configuration.patience
        while device?.handle == nil {
            guard ContinuousClock.now < deadline,
                (try? await Task.sleep(for: .milliseconds(5))) != nil
            else { throw .device("the hub has not taken the device") }
        }
    }

    private func start() async throws(PhoneFault) {
        let loop: DeviceLoop.Configuration
        var session: DeviceSession.Configuration
        do throws(DeviceFault) {
            if let connection = configuration.connection {
                loop = try DeviceLoop.Configuration(connection)
                session = DeviceSession.Configuration(hub: connection.hub)
            } else {
                loop = DeviceLoop.Configuration(
                    host: memory.deviceHost ?? "",
                    port: memory.devicePort ?? 0,
                    caPath: configuration.authority,
                    tokens: listenToken.map { ListenTokens(given: $0) }
                )
                session = DeviceSession.Configuration(hub: memory.hub ?? "")
            }
            session.keepsFrames = true
            session.netType = 4
            let started = try DeviceClient(loop, session: session, store: try store())
            device = started
            pump = Task { [weak self] in
                for await event in started.events { await self?.receive(event) }
            }
        } catch {
            throw .device(error.description)
        }
    }

    private func store() throws(DeviceFault) -> any DeviceStore {
        guard let folder = configuration.folder else { return MemoryDeviceStore() }
        do throws(DeviceStoreError) {
            return try FileDeviceStore(path: folder + "/device.state")
        } catch {
            throw .store(error)
        }
    }

    /// A device whose handle is another one registers under the same registration id.
    private func changeHandle() async throws(PhoneFault) {
        guard let basic else { throw .loggedOut }
        await device?.close()
        await pump?.value
        device = nil
        if let folder = configuration.folder {
            // The old identity goes, as with a new installation of the system.
            try? FileManager.default.removeItem(atPath: folder + "/device.state")
        }
        try await refreshLogin(basic)
        try await connect()
        try await register(memory.confirmed?.tags ?? [], isForced: true)
    }

    /// Subscribes to categories with a template of the app's own.
    private func subscribe(_ tags: [String], template: String) async throws(PhoneFault) {
        try await connect()
        let choice = RegistrationChoice.template(
            platform: configuration.platform,
            name: "newsTemplate",
            body: template,
            tags: tags
        )
        registered = []
        device?.register(choice)
        memory.categories = tags
        try remember()
        let deadline = ContinuousClock.now + configuration.patience
        while !registered.contains(tags) {
            guard ContinuousClock.now < deadline,
                (try? await Task.sleep(for: .milliseconds(5))) != nil
            else { throw .device("the hub has not confirmed the subscription") }
        }
    }

    /// The push handle; nil before the first connection.
    var handle: String? { device?.handle }

    /// The user did something with a notification, and the hub learns of it.
    func report(_ event: UserReport.Event, of notification: ReceivedNotification) {
        device?.report(event, of: notification)
    }

    private func receive(_ event: DeviceEvent) async {
        switch event {
        case .connected: show(PhoneLine(.connected))
        case .registered(let choice, _):
            registered.insert(choice.tags)
            var line = PhoneLine(.registered, text: "Subscribed!")
            line.tags = choice.tags
            show(line)
        case .notification(let notification):
            show(PhoneLine(notification))
            await handle(notification)
            device?.taken(notification)
        case .fault(let fault): show(PhoneLine(.shown, text: fault.description))
        case .unregistered, .gap, .upToDate, .disconnected: break
        }
    }

    // MARK: Asking

    /// Asks the backend, and tells of it.
    func ask(
        _ method: String,
        _ path: String,
        as authorization: String,
        json: String? = nil
    ) async throws(PhoneFault) -> BackendExchange {
        guard let client else { throw .backend("this app has none") }
        let exchange = try await client.ask(
            method,
            path,
            authorization: authorization,
            json: json
        )
        show(PhoneLine(exchange))
        return exchange
    }

    /// Writes what is remembered.
    func remember() throws(PhoneFault) {
        guard let folder = configuration.folder else { return }
        try memory.write(to: folder + "/app.json")
    }

    static var now: Int64 { Int64(Date.now.timeIntervalSince1970) }
}
