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
        /// Shown to people once, when a registration has been confirmed.
        package var advice: String?
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

    /// Why an app has ended.
    package enum Ending: Equatable, Sendable {
        /// It was asked to, or has received as many notifications as it should.
        case asked
        /// The hub wants the device to stay away, or cannot be trusted.
        case away
        /// The hub refused what it registers.
        case refused
    }

    private let configuration: Configuration
    private let print: @Sendable (String) -> Void

    /// An app that shows its lines through `print`.
    package init(_ configuration: Configuration, print: @escaping @Sendable (String) -> Void) {
        self.configuration = configuration
        self.print = print
    }

    /// Runs until the task is cancelled, the number of notifications is reached, or the hub wants
    /// the device to stay away or refuses its registration; also when it cannot trust the hub before
    /// it was ever connected, which is a matter of how it was started.
    ///
    /// - Throws: `DeviceFault` when the state file, the host or the CA file cannot be used.
    package func run() async throws(DeviceFault) -> Ending {
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
        let ending = await withTaskCancellationHandler {
            await show(device)
        } onCancel: {
            Task { await device.close() }
        }
        await device.close()
        return ending
    }

    private func show(_ event: DeviceEvent, of device: DeviceClient) {
        let handle = configuration.showsHandle ? device.handle : nil
        guard let line = DeviceLine(event, handle: handle) else { return }
        print(configuration.printsJSON ? line.json : line.text)
    }

    private func show(_ device: DeviceClient) async -> Ending {
        var shown = 0
        var wasConnected = false
        let hub = configuration.connection.devices
        var place = configuration.printsJSON ? nil : "\(hub.host):\(hub.port)"
        var advice = configuration.printsJSON ? nil : configuration.advice
        for await var event in device.events {
            // A hub that was never trusted is a matter of how the app was started.
            if case .disconnected(.untrusted, _) = event, !wasConnected {
                event = .disconnected(.untrusted, retryIn: nil)
            }
            if case .disconnected(.unreachable, _) = event, let missed = place {
                print("nothing answers at \(missed): is 'belfry serve' running?")
                place = nil
            }
            show(event, of: device)
            switch event {
            case .notification(let notification):
                if configuration.opens { device.report(.opened, of: notification) }
                device.taken(notification)
                shown += 1
                if let most = configuration.notificationsMax, shown >= most { return .asked }
            case .disconnected(_, retryIn: nil):
                return Task.isCancelled ? .asked : .away
            case .fault(.refused(let refusal)) where refusal.request == .register:
                return .refused
            case .connected:
                wasConnected = true
                place = nil
            case .registered:
                if let advice { print(advice) }
                advice = nil
            case .unregistered, .gap, .upToDate, .fault, .disconnected(_, retryIn: .some):
                break
            }
        }
        return .asked
    }
}
