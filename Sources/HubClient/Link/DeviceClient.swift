package import HubEndpoint
import Synchronization

/// A device: registers, receives, remembers, and comes back by itself.
///
///     let device = try DeviceClient(file, statePath: statePath)
///     let body = #"{"aps":{"alert":"$(messageParam)"}}"#
///     device.register(.template(platform: .apple, name: "hello", body: body, tags: ["World"]))
///     for await event in device.events {
///         guard case .notification(let notification) = event else { continue }
///         device.taken(notification)
///         await device.close()
///         return notification.alert
///     }
///
/// Notifications are stored before the hub learns of it, so they survive a crash of the app, and
/// are shown again after a restart until `taken` says that they were dealt with. An app that leaves
/// `DeviceLoop.untakenMax` of them untaken pauses its device until it has caught up.
public final class DeviceClient: Sendable {
    /// The last notification that the app has dealt with, and whether the thread that notes it has
    /// ended.
    private struct Progress {
        var taken: UInt64 = 0
        var hasEnded = false
    }

    /// Everything that happens, in order; for one consumer.
    ///
    /// Ends after `close`. The device lives as long as a consumer may listen. It leaves, as with
    /// `close`, when the consumer's task is cancelled, or when client and consumer are gone.
    public let events: AsyncStream<DeviceEvent>

    private let loop: DeviceLoop
    private let relay: DeviceRelay
    private let store: any DeviceStore
    /// Whether the store is this client's alone, and another's when it has closed.
    private let ownsStore: Bool
    private let progress = Mutex(Progress())

    /// Starts a device on a thread of its own.
    ///
    /// - Parameters:
    ///   - configuration: where and how to connect.
    ///   - session: hub, windows and abilities.
    ///   - store: where the device remembers; a file for real devices.
    ///   - ownsStore: whether `close` releases the store.
    ///   - seed: decides its delays; a random one spreads devices.
    /// - Throws: `.transport` when the host is unknown or the CA file cannot be used.
    package init(
        _ configuration: DeviceLoop.Configuration,
        session: LinkSession.Configuration,
        store: any DeviceStore,
        ownsStore: Bool = false,
        seed: UInt64 = .random(in: 0 ... .max)
    ) throws(DeviceFault) {
        self.ownsStore = ownsStore
        let (stream, continuation) = AsyncStream<DeviceEvent>.makeStream()
        events = stream
        let relay = DeviceRelay(continuation)
        self.relay = relay
        self.store = store
        let loop = try DeviceLoop(configuration, observer: relay, name: "device")
        self.loop = loop
        // The stream has no consumer any more; a loop that has ended is told nothing by it.
        continuation.onTermination = { _ in loop.stop() }
        loop.add([DeviceSetup(session: session, store: store, seed: seed)])
    }

    /// Starts a device of the hub that a connection file describes.
    ///
    /// - Throws: `.transport` when the file's Listen connection string, host or CA cannot be used.
    package convenience init(
        _ file: ConnectionFile,
        store: any DeviceStore,
        ownsStore: Bool = false
    ) throws(DeviceFault) {
        try self.init(
            DeviceLoop.Configuration(file),
            session: LinkSession.Configuration(hub: file.hub),
            store: store,
            ownsStore: ownsStore
        )
    }

    /// Starts a device of the hub that a connection file describes, as programs on the hub's machine
    /// do; it remembers in a file.
    ///
    /// - Throws: `.store` when the state file cannot be used, `.transport` when the hub's address,
    ///   Listen connection string or CA cannot.
    public convenience init(
        _ file: ConnectionFile,
        statePath: String
    ) throws(DeviceFault) {
        try self.init(file, store: try Self.store(statePath), ownsStore: true)
    }

    /// Starts a device of a hub; it remembers in a file.
    ///
    /// - Parameters:
    ///   - hub: the hub's name.
    ///   - host: name or address of the device listener; the hub's certificate must be for it.
    ///   - port: its port.
    ///   - caPath: PEM file of the CA to trust instead of the system's.
    ///   - tokens: the right to connect for the first time; nil for a device that has an identity.
    ///   - statePath: where the device remembers; a file of its own.
    /// - Throws: as above.
    public convenience init(
        hub: String,
        host: String,
        port: UInt16,
        caPath: String? = nil,
        tokens: ListenTokens?,
        statePath: String
    ) throws(DeviceFault) {
        try self.init(
            DeviceLoop.Configuration(host: host, port: port, caPath: caPath, tokens: tokens),
            session: LinkSession.Configuration(hub: hub),
            store: try Self.store(statePath),
            ownsStore: true
        )
    }

    private static func store(_ path: String) throws(DeviceFault) -> FileDeviceStore {
        do throws(DeviceStoreError) {
            return try FileDeviceStore(path: path)
        } catch {
            throw .store(error)
        }
    }

    /// The push handle for registrations over REST; nil before the first connection.
    ///
    /// It is a secret: any client that knows it can register for this device.
    public var handle: String? { store.state.identity?.handleText }

    /// Registers a slot, now or when connected; `registered` or a fault follows.
    public func register(_ choice: RegistrationChoice) { loop.register(choice) }

    /// Adds and removes tags of a slot; `registered` or a fault follows.
    public func patchTags(slot: UInt16 = 0, add: [String], remove: [String]) {
        loop.patchTags(slot: slot, add: add, remove: remove)
    }

    /// Gives up a slot; `unregistered` or a fault follows.
    public func unregister(slot: UInt16) { loop.unregister(slot: slot) }

    /// The app has dealt with a notification and all before it: they are not shown again.
    ///
    /// Also behind `close`: what was under way then is noted all the same.
    public func taken(_ notification: ReceivedNotification) {
        let number = notification.number
        guard number > 0 else { return }
        let hasEnded = progress.withLock { progress in
            progress.taken = max(progress.taken, number)
            return progress.hasEnded
        }
        if hasEnded { markTaken() } else { loop.markTaken(through: number) }
    }

    /// Notes in the store itself what the ended thread cannot note any more.
    private func markTaken() {
        let number = progress.withLock(\.taken)
        guard number > 0 else { return }
        // A notification that cannot be noted is shown once more; no consumer is left to hear of
        // it.
        try? store.markTaken(through: number)
    }

    /// Tells the hub what the user did with a notification.
    public func report(_ event: UserReport.Event, of notification: ReceivedNotification) {
        loop.report(UserReport(event, of: notification))
    }

    /// Leaves and comes back, as after a change of network.
    public func reconnect() { loop.reconnect() }

    /// Leaves with BYE and ends the thread; `events` ends then, and the state file is free.
    public func close() async {
        loop.stop()
        await relay.ended()
        progress.withLock { $0.hasEnded = true }
        markTaken()
        if ownsStore { store.release() }
    }
}

extension DeviceLoop.Configuration {
    /// The device listener of the hub that a connection file describes.
    ///
    /// - Throws: `.transport` when the file's Listen connection string cannot be read.
    package init(_ file: ConnectionFile) throws(DeviceFault) {
        do throws(ConnectionStringError) {
            let listen = try ConnectionString(parsing: file.connectionStrings.listen)
            self.init(
                host: file.devices.host,
                port: file.devices.port,
                caPath: file.ca,
                tokens: ListenTokens(listen, hub: file.hub)
            )
        } catch {
            throw .transport(error.description)
        }
    }
}
