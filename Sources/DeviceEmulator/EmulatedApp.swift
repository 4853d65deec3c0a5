package import HubClient

/// One device that plays an app for `belfry device`: subscribes, shows what it receives, and keeps
/// its identity, position and choices.
package struct EmulatedApp: Sendable {
    /// The settings of the app.
    package struct Configuration: Sendable {
        /// The hub.
        package var connection: ConnectionFile
        /// The registrations that it makes; a slot that is not named keeps the choice of an earlier
        /// run.
        package var choices: [RegistrationChoice]
        /// Where it remembers; nil forgets everything at the end.
        package var stateFile: String?
        /// Whether lines are JSON.
        package var printsJSON = false
        /// Whether the push handle is shown with `connected`; a program that knows it can register
        /// for this device.
        package var showsHandle = false
        /// Whether it reports that the user opened each notification.
        package var opens = false
        /// Ends after so many notifications; nil goes on until it is cancelled.
        package var notificationsMax: Int?
        /// Each value brings it back at once, as a change of network does; nil leaves it to its
        /// own delays.
        package var returns: AsyncStream<Void>?

        /// An app of a hub.
        package init(connection: ConnectionFile, choices: [RegistrationChoice]) {
            self.connection = connection
            self.choices = choices
        }
    }

    private let configuration: Configuration
    private let print: @Sendable (String) -> Void

    /// An app that shows its lines through `print`.
    package init(_ configuration: Configuration, print: @escaping @Sendable (String) -> Void) {
        self.configuration = configuration
        self.print = print
    }

    /// Runs until the task is cancelled, the number of notifications is reached, or the hub wants
    /// the device to stay away; also when it cannot trust the hub before it was ever connected,
    /// which is a matter of how it was started.
    ///
    /// - Returns: whether it ended because it was asked to.
    /// - Throws: `DeviceFault` when the state file, the host or the CA file cannot be used.
    package func run() async throws(DeviceFault) -> Bool {
        let store: any DeviceStore
        do throws(DeviceStoreError) {
            if let path = configuration.stateFile {
                store = try FileDeviceStore(path: path)
            } else {
                store = MemoryDeviceStore()
            }
        } catch {
            throw .store(error)
        }
        let device = try DeviceClient(configuration.connection, store: store)
        for choice in configuration.choices { device.register(choice) }
        let returning = configuration.returns.map { returns in
            Task { for await _ in returns { device.reconnect() } }
        }
        defer { returning?.cancel() }
        let wasAsked = await withTaskCancellationHandler {
            await show(device)
        } onCancel: {
            Task { await device.close() }
        }
        await device.close()
        return wasAsked
    }

    private func show(_ device: DeviceClient) async -> Bool {
        var shown = 0
        var wasConnected = false
        for await var event in device.events {
            // A hub that was never trusted is a matter of how the app was started.
            if case .disconnected(.untrusted, _) = event, !wasConnected {
                event = .disconnected(.untrusted, retryIn: nil)
            }
            let handle = configuration.showsHandle ? device.handle : nil
            if let line = DeviceLine(event, handle: handle) {
                print(configuration.printsJSON ? line.json : line.text)
            }
            switch event {
            case .notification(let notification):
                if configuration.opens { device.report(.opened, of: notification) }
                device.taken(notification)
                shown += 1
                if let most = configuration.notificationsMax, shown >= most { return true }
            case .disconnected(_, retryIn: nil):
                return Task.isCancelled
            case .connected: wasConnected = true
            case .registered, .unregistered, .gap, .upToDate, .fault,
                .disconnected(_, retryIn: .some):
                break
            }
        }
        return true
    }
}
