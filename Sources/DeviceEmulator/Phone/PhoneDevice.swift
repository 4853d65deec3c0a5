import FoundationEssentials
import HubClient

/// The device of an app: begun, waited for, ended and forgotten.
final class PhoneDevice: Sendable {
    private struct State {
        var client: DeviceClient?
        var pump: Task<Void, Never>?
        /// The last confirmation and refusal of slot 0 since the hub was asked.
        var confirmed: [String]?
        var refusal: DeviceFault?
    }

    /// Where it connects, by whether it has an identity.
    typealias Place = (Bool) throws(PhoneFault) -> (
        DeviceLoop.Configuration, LinkSession.Configuration
    )

    private let path: String
    private let state = Awaited(State())

    /// A device that is not begun yet, and remembers in a file.
    init(path: String) { self.path = path }

    /// The client; nil until it begins and when it has been released.
    var client: DeviceClient? { state.value.client }

    /// The push handle; nil before the first connection.
    var handle: String? { client?.handle }

    /// Begins, unless it has.
    ///
    /// `receive` gets its events in order; waits end behind it.
    func start(
        _ place: Place,
        receive: @escaping @Sendable (DeviceEvent) async -> Void
    ) throws(PhoneFault) {
        guard client == nil else { return }
        let store: FileDeviceStore
        do throws(DeviceStoreError) {
            store = try FileDeviceStore(path: path)
        } catch {
            throw .device(error.description)
        }
        let (loop, wanted) = try place(store.state.identity != nil)
        var session = wanted
        session.keepsFrames = true
        session.netType = 4
        do throws(DeviceFault) {
            let started = try DeviceClient(loop, session: session, store: store)
            let pump = Task { [weak self] in
                for await event in started.events {
                    await receive(event)
                    self?.note(event)
                }
            }
            state.change { state in
                state.client = started
                state.pump = pump
            }
        } catch {
            throw .device(error.description)
        }
    }

    /// Waits for the first connection.
    /// - Throws: `.device` when it has not come in time.
    func connected(upTo patience: Duration) async throws(PhoneFault) {
        guard await state.wait(upTo: patience, until: { $0.client?.handle != nil }) else {
            throw .device("the hub has not taken the device")
        }
    }

    /// Subscribes to a choice, or to nothing any more, and waits for the hub.
    /// - Throws: `.device` when the hub refuses it, or has not confirmed it in time.
    func subscribe(
        to choice: RegistrationChoice?,
        upTo patience: Duration
    ) async throws(PhoneFault) {
        state.change { state in
            state.confirmed = nil
            state.refusal = nil
        }
        let wanted = choice?.tags ?? []
        if let choice { client?.register(choice) } else { client?.unregister(slot: 0) }
        await state.wait(upTo: patience) { $0.confirmed == wanted || $0.refusal != nil }
        let now = state.value
        guard now.confirmed != wanted else { return }
        throw .device(now.refusal?.description ?? "the hub has not confirmed the subscription yet")
    }

    /// Leaves, and returns when its last event has been received; what is taken is still noted.
    func stop() async {
        let now = state.value
        await now.client?.close()
        await now.pump?.value
    }

    /// Lets the client go.
    func release() {
        state.change { state in
            state.client = nil
            state.pump = nil
        }
    }

    /// The old identity goes, as with a new installation of the system.
    func forget() throws(PhoneFault) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw .memory("\(path) cannot be removed")
        }
    }

    private func note(_ event: DeviceEvent) {
        state.change { state in
            switch event {
            case .registered(let choice, _): state.confirmed = choice.tags
            case .unregistered: state.confirmed = []
            case .fault(let fault):
                switch fault {
                case .refused, .choice: state.refusal = fault
                case .undecodable, .reported, .store, .transport, .untrusted: break
                }
            case .connected, .disconnected, .notification, .gap, .upToDate: break
            }
        }
    }
}
