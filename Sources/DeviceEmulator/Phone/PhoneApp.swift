import FoundationEssentials
package import HubClient

/// The app of the scenarios on one phone: logs in at its backend, registers, shows what arrives,
/// fetches what a silent notification names, and tells the hub what its user saw.
///
/// It holds no hub key: the backend's login gives it a token for its first connection. With a
/// connection file instead of a backend it is the app of the breaking news, which has a Listen key.
package actor PhoneApp {
    /// The settings with which an app is started.
    package struct Configuration: Sendable {
        /// Its backend; nil for an app with a Listen key.
        package var backend: BackendFile?
        /// The hub, for an app with a Listen key.
        package var connection: ConnectionFile?
        /// The platform that it plays.
        package var platform: DevicePlatform
        /// The folder where it remembers; it is there and this app's alone.
        package var folder: String
        /// The expiry expression of its template; `0` is now or never.
        package var templateExpiry = ""
        /// A connection string with the right to send the news; its user may give one later.
        package var sendKey: String?
        /// Whether the user looks at it: content is shown at once.
        package var isInForeground = true
        /// How long after a fetch it tells its user when it is in the background.
        package var backgroundDelay: Duration = .seconds(5)
        /// How long it waits for its first connection.
        package var patience: Duration = .seconds(15)

        /// An app of a platform that remembers in a folder.
        package init(platform: DevicePlatform, folder: String) {
            self.platform = platform
            self.folder = folder
        }
    }

    /// Seconds for an answer that its user need not wait for: whether a login holds still, and the
    /// end of the registration of the one before.
    package static let briefSeconds: Int64 = 10

    let configuration: Configuration
    let show: @Sendable (PhoneLine) -> Void
    let client: BackendClient?
    var memory: PhoneMemory
    var inbox: PhoneInbox
    /// Secure payloads that this run has fetched, by the numbers of their entries; never on disk.
    var secrets: [Int: String] = [:]
    /// Notifications whose turn has not come, in the order of arrival.
    var arrivals: [Arrival] = []
    /// The task that shows them one after another; nil when there are none.
    var turns: Task<Void, Never>?
    /// Whether the device ends for good, so that what cannot be kept now is not tried again.
    var isLeaving = false
    /// The password's header, as long as the process lives; the disk holds the access token alone.
    var basic: String?
    private let lock: DeviceLock?
    private(set) var device: DeviceClient?
    private var pump: Task<Void, Never>?
    private var listenToken: String?
    /// The tags that the hub has confirmed last of slot 0, and its refusal since it was asked.
    private var confirmed: [String]?
    private var refusal: DeviceFault?

    /// An app that tells what happens through `show`; it connects when it can.
    /// - Throws: `.backend`, `.memory`; the latter also when another app remembers in the folder.
    package init(
        _ configuration: Configuration,
        show: @escaping @Sendable (PhoneLine) -> Void
    ) throws(PhoneFault) {
        self.configuration = configuration
        self.show = show
        do throws(DeviceStoreError) {
            lock = try LocalDisk().lock(configuration.folder + "/" + PhoneMemory.file)
        } catch {
            throw .memory(error.description)
        }
        memory = try PhoneMemory(folder: configuration.folder)
        inbox = try PhoneInbox(path: Self.inboxPath(configuration.folder))
        if let connection = configuration.connection {
            memory.hub = connection.hub
            memory.deviceHost = connection.devices.host
            memory.devicePort = connection.devices.port
            memory.authority = connection.ca
        }
        // Last, since a client that is not used any more must be closed.
        if let backend = configuration.backend {
            // A folder in which it was not kept yet: the backend of the last start.
            if memory.home == nil, memory.deviceUser != nil {
                memory.home = memory.backend?.address
            }
            memory.backend = backend
            memory.authority = backend.ca
            client = try BackendClient(backend)
        } else {
            client = nil
        }
    }

    /// Goes on where the app stopped, or begins: registers again, as at every start.
    ///
    /// With a user's password it logs in; without one it asks the backend whether the last user is
    /// still logged in. With `playsNewHandle` the device's identity is forgotten first, so that it
    /// gets another handle.
    /// - Throws: `PhoneFault` when that login is refused; what else goes wrong is told.
    package func begin(
        _ login: (user: String, password: String)? = nil,
        playsNewHandle: Bool = false
    ) async throws(PhoneFault) {
        removeStrayContent()
        let isLoggedIn = login == nil ? await isStillLoggedIn() : false
        let user = isLoggedIn ? memory.user : nil
        show(.started(user: user, categories: memory.categories))
        if playsNewHandle { try forgetDevice() }
        if let login { try await begin(as: login.user, login.password) } else { await resume() }
        if device != nil, !memory.categories.isEmpty { device?.register(choice) }
    }

    /// Logs in; without an answer from the backend it goes on when that user was logged in.
    private func begin(as user: String, _ password: String) async throws(PhoneFault) {
        do throws(PhoneFault) {
            try await logIn(user, password, memory.confirmed?.tags ?? [])
        } catch {
            guard case .backend = error, memory.user == user.lowercased(),
                (try? credentials()) != nil  // Fails only without a login.
            else { throw error }
            show(.problem(error.description))
            await resume()
        }
    }

    /// Whether it may subscribe without a login; a device that is known may without a key.
    private var hasListenKey: Bool {
        configuration.connection != nil
            || (configuration.backend == nil && memory.deviceHost != nil)
    }

    private func resume() async {
        guard memory.user != nil || hasListenKey else { return }
        do throws(PhoneFault) {
            try start()
            // Without credentials there is no user to register.
            if (try? credentials()) != nil { try await register(memory.confirmed?.tags ?? []) }
        } catch {
            show(.problem(error.description))
        }
    }

    /// Ends everything in order; what is being fetched is given up, and given again at the next
    /// start.
    package func close() async {
        await stopDevice()
        await client?.close()
    }

    // MARK: The device

    /// Starts the device, and waits until it has a handle.
    func connect() async throws(PhoneFault) {
        // A device that never got an identity may have a token that has ended.
        if device != nil, device?.handle == nil { await stopDevice() }
        try start()
        let deadline = ContinuousClock.now + configuration.patience
        while device?.handle == nil {
            guard ContinuousClock.now < deadline,
                (try? await Task.sleep(for: .milliseconds(5))) != nil  // Fails only when cancelled.
            else { throw .device("the hub has not taken the device") }
        }
    }

    private func start() throws(PhoneFault) {
        guard device == nil else { return }
        let store: FileDeviceStore
        do throws(DeviceStoreError) {
            store = try FileDeviceStore(path: devicePath)
        } catch {
            throw .device(error.description)
        }
        let (loop, wanted) = try link(hasIdentity: store.state.identity != nil)
        var session = wanted
        session.keepsFrames = true
        session.netType = 4
        do throws(DeviceFault) {
            let started = try DeviceClient(loop, session: session, store: store)
            device = started
            pump = Task { [weak self] in
                for await event in started.events { await self?.receive(event) }
            }
        } catch {
            throw .device(error.description)
        }
    }

    /// Where the device connects, as the connection file or the last login says.
    private func link(
        hasIdentity: Bool
    ) throws(PhoneFault) -> (DeviceLoop.Configuration, LinkSession.Configuration) {
        if let connection = configuration.connection {
            do throws(DeviceFault) {
                return (
                    try DeviceLoop.Configuration(connection),
                    LinkSession.Configuration(hub: connection.hub)
                )
            } catch {
                throw .device(error.description)
            }
        }
        guard let host = memory.deviceHost, let port = memory.devicePort, let hub = memory.hub,
            hasIdentity || listenToken != nil
        else { throw .loggedOut }
        let loop = DeviceLoop.Configuration(
            host: host,
            port: port,
            caPath: memory.authority,
            tokens: listenToken.map { ListenTokens(given: $0) }
        )
        return (loop, LinkSession.Configuration(hub: hub))
    }

    /// Ends the device; with `showsRest` only when all that it gave has been shown, because no later
    /// device gives that again.
    private func stopDevice(showsRest: Bool = false) async {
        await device?.close()
        await pump?.value
        isLeaving = showsRest
        if showsRest { await turns?.value }
        isLeaving = false
        await dropArrivals()
        device = nil
        pump = nil
    }

    /// The old identity goes, as with a new installation of the system.
    private func forgetDevice() throws(PhoneFault) {
        guard FileManager.default.fileExists(atPath: devicePath) else { return }
        do {
            try FileManager.default.removeItem(atPath: devicePath)
        } catch {
            throw .memory("\(devicePath) cannot be removed")
        }
    }

    /// Begins anew as another device; `showsRest` when its user stays.
    func renewDevice(showsRest: Bool = false) async throws(PhoneFault) {
        await stopDevice(showsRest: showsRest)
        try forgetDevice()
    }

    /// Has a new device receive what its app subscribes to.
    func subscribeAgain() {
        if !memory.categories.isEmpty { device?.register(choice) }
    }

    /// A device whose handle is another one registers under the same registration id.
    func changeHandle() async throws(PhoneFault) {
        guard basic != nil || configuration.connection != nil else { throw .loggedOut }
        try await renewDevice(showsRest: true)
        if let basic { try await refreshLogin(basic) }
        try await connect()
        if memory.user != nil { try await register(memory.confirmed?.tags ?? [], isForced: true) }
        subscribeAgain()
    }

    /// The registration that the device wants in its slot 0.
    private var choice: RegistrationChoice {
        NewsChoice.registration(
            memory.categories,
            platform: configuration.platform,
            locale: memory.locale,
            body: memory.template,
            expiry: configuration.templateExpiry
        )
    }

    /// Subscribes to categories, or to nothing any more.
    func subscribe(
        _ tags: [String],
        locale: String?,
        template: String?
    ) async throws(PhoneFault) {
        memory.categories = tags
        memory.locale = locale
        memory.template = template
        try remember()
        try await connect()
        confirmed = nil
        refusal = nil
        let wanted = tags.isEmpty ? [] : choice.tags
        if tags.isEmpty { device?.unregister(slot: 0) } else { device?.register(choice) }
        let deadline = ContinuousClock.now + configuration.patience
        while confirmed != wanted {
            if let refusal { throw .device(refusal.description) }
            guard ContinuousClock.now < deadline,
                (try? await Task.sleep(for: .milliseconds(5))) != nil  // Fails only when cancelled.
            else { throw .device("the hub has not confirmed the subscription yet") }
        }
    }

    /// The push handle; nil before the first connection.
    var handle: String? { device?.handle }

    /// The user did something with a notification, and the hub learns of it.
    func report(_ event: UserReport.Event, of notification: ReceivedNotification) {
        device?.report(event, of: notification)
    }

    private func receive(_ event: DeviceEvent) {
        switch event {
        case .connected: show(.connected)
        case .disconnected: show(.disconnected)
        case .registered(let choice, _): confirm(choice.tags, "Subscribed!")
        case .unregistered: confirm([], "Subscribed to nothing.")
        case .notification(let notification): arrived(notification)
        case .gap(let loss): show(.gap(reason: loss.reason.rawValue, lost: loss.lost))
        case .fault(let fault):
            switch fault {
            case .refused, .choice: refusal = fault
            case .undecodable, .reported, .store, .transport, .untrusted: break
            }
            show(.problem(fault.description))
        case .upToDate: break
        }
    }

    private func confirm(_ tags: [String], _ text: String) {
        confirmed = tags
        show(.registered(PhoneLine.Registered(text: text, tags: tags)))
    }

    /// A token with the Listen right, for the first connection of the device.
    func take(listenToken: String) { self.listenToken = listenToken }

    /// The address of the backend; nil for an app without one.
    var here: String? { configuration.backend?.address }

    // MARK: What is kept

    private static func inboxPath(_ folder: String) -> String { folder + "/inbox.json" }

    private var devicePath: String { configuration.folder + "/device.state" }

    /// Writes what is remembered.
    func remember() throws(PhoneFault) {
        try memory.write(to: configuration.folder + "/" + PhoneMemory.file)
    }

    /// Writes the inbox.
    func keepInbox() throws(PhoneFault) {
        try inbox.write(to: Self.inboxPath(configuration.folder))
    }

    /// The state with which a screen begins.
    package var snapshot: PhoneSnapshot {
        PhoneSnapshot(
            user: memory.user,
            isLoggedIn: (try? credentials()) != nil,  // Fails only without a login.
            isRegistered: isRegistered,
            hasBackend: configuration.backend != nil,
            hasListenKey: hasListenKey,
            hasSendKey: configuration.sendKey != nil,
            platform: configuration.platform,
            categories: memory.categories,
            locale: memory.locale,
            entries: inbox.entries
        )
    }

    static var now: Int64 { Int64(Date.now.timeIntervalSince1970) }
}
