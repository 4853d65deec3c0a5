import FoundationEssentials
import HubClient
import HubVocabulary

/// The app of the scenarios on one phone: logs in at its backend, registers, shows what arrives,
/// fetches what a silent notification names, and tells the hub what its user saw.
///
/// It holds no hub key: the backend's login gives it a token for its first connection. With a
/// connection file instead of a backend it is the app of the breaking news, which has a Listen key.
package actor PhoneApp {
    /// Seconds for an answer that its user need not wait for: whether a login holds still, and the
    /// end of the registration of the one before.
    var briefSeconds: Int64 { min(10, configuration.backendPatience.answerSeconds) }

    let configuration: PhoneSetup
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
    /// Keys of what was sent and not answered, so that a repeat is not a second message.
    var unansweredKeys: [String: String] = [:]
    private let lock: DeviceLock?
    let device: PhoneDevice
    let content: PhoneContent
    /// With the Listen right, for the first connection of the device.
    var listenToken: String?

    /// An app that tells what happens through `show`; it connects when it can.
    /// - Throws: `.backend`, `.memory`; the latter also when another app remembers in the folder.
    package init(
        _ configuration: PhoneSetup,
        show: @escaping @Sendable (PhoneLine) -> Void
    ) throws(PhoneFault) {
        self.configuration = configuration
        self.show = show
        device = PhoneDevice(path: configuration.folder + "/device.state")
        content = PhoneContent(root: configuration.folder)
        do throws(DeviceStoreError) {
            lock = try LocalDisk().lock(configuration.folder + "/" + PhoneMemory.file)
        } catch {
            throw .memory(error.description)
        }
        memory = try PhoneMemory(folder: configuration.folder)
        inbox = try PhoneInbox(path: Self.inboxPath(configuration.folder))
        memory.take(configuration)
        // Last, since a client that is not used any more must be closed.
        if let backend = configuration.backend {
            client = try BackendClient(backend, patience: configuration.backendPatience)
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
        if playsNewHandle { try device.forget() }
        if let login { try await begin(as: login.user, login.password) } else { await resume() }
        subscribeAgain()
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
    var hasListenKey: Bool {
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
        if device.client != nil, device.handle == nil { await stopDevice() }
        try start()
        try await device.connected(upTo: configuration.patience)
    }

    private func start() throws(PhoneFault) {
        try device.start { (hasIdentity) throws(PhoneFault) in
            try link(hasIdentity: hasIdentity)
        } receive: { [weak self] event in
            await self?.receive(event)
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
        return try memory.link(hasIdentity: hasIdentity, token: listenToken)
    }

    /// Ends the device; with `showsRest` only when all that it gave has been shown, because no later
    /// device gives that again.
    private func stopDevice(showsRest: Bool = false) async {
        await device.stop()
        isLeaving = showsRest
        if showsRest { await turns?.value }
        isLeaving = false
        await dropArrivals()
        device.release()
    }

    /// Begins anew as another device; `showsRest` when its user stays.
    func renewDevice(showsRest: Bool = false) async throws(PhoneFault) {
        await stopDevice(showsRest: showsRest)
        try device.forget()
    }

    /// Has a new device receive what its app subscribes to.
    func subscribeAgain() {
        if !memory.categories.isEmpty { device.client?.register(choice) }
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
        try await device.subscribe(
            to: tags.isEmpty ? nil : choice,
            upTo: configuration.patience
        )
    }

    /// Has the device connect now, whatever delay it has chosen.
    package func reconnect() { device.client?.reconnect() }

    /// The push handle; nil before the first connection.
    var handle: String? { device.handle }

    /// The user did something with a notification, and the hub learns of it.
    func report(_ event: UserReport.Event, of notification: ReceivedNotification) {
        device.client?.report(event, of: notification)
    }

    private func receive(_ event: DeviceEvent) {
        switch event {
        case .connected: show(.connected)
        case .disconnected(_, let delay):
            show(.disconnected(retryInMilliseconds: delay?.wholeMilliseconds))
        case .registered(let choice, _): confirm(choice.tags, "Subscribed!")
        case .unregistered: confirm([], "Subscribed to nothing.")
        case .notification(let notification): arrived(notification)
        case .gap(let loss): show(.gap(reason: loss.reason.rawValue, lost: loss.lost))
        case .fault(let fault): show(.problem(fault.description))
        case .upToDate: break
        }
    }

    private func confirm(_ tags: [String], _ text: String) {
        show(.registered(PhoneLine.Registered(text: text, tags: tags)))
    }

    /// The address of the backend; nil for an app without one.
    var here: String? { configuration.backend?.address }

    // MARK: What is kept

    private static func inboxPath(_ folder: String) -> String { folder + "/inbox.json" }

    /// Writes what is remembered.
    func remember() throws(PhoneFault) {
        try memory.write(to: configuration.folder + "/" + PhoneMemory.file)
    }

    /// Writes the inbox.
    func keepInbox() throws(PhoneFault) {
        try inbox.write(to: Self.inboxPath(configuration.folder))
    }

    static var now: Int64 { Int64(Date.now.timeIntervalSince1970) }
}
