import HubClient
import HubParcel
import HubTransport
import HubVocabulary
import HubWire

/// A session with a driver that does what the real one does, on a clock of its own.
final class ScriptedDevice {
    private(set) var session: LinkSession
    let store: MemoryDeviceStore
    private(set) var actions: [SessionAction] = []
    private(set) var sent: [UInt8] = []
    /// Makes the next commits fail.
    var commitFails = false
    private var inflater = ParcelInflater()
    private var nanoseconds: UInt64 = 1_000_000_000
    /// Milliseconds by which the device's wall clock is ahead of the script's.
    var wallAhead: Int64 = 0

    init(
        _ store: MemoryDeviceStore = MemoryDeviceStore(),
        seed: UInt64 = 7,
        change: (inout LinkSession.Configuration) -> Void = { _ in }
    ) {
        self.store = store
        var configuration = LinkSession.Configuration(hub: "news")
        // Tests name every byte that is sent.
        configuration.unusedOneIn = 0
        change(&configuration)
        session = LinkSession(configuration: configuration, state: store.state, seed: seed)
    }

    /// A device that is connected, freshly, at a sequence number.
    static func ready(
        at sequence: UInt64 = 0,
        change: (inout WelcomeFrame) -> Void = { _ in }
    ) -> ScriptedDevice {
        let device = ScriptedDevice()
        device.open()
        device.hub(HubScript.welcome(sequence: sequence, change: change))
        device.forget()
        return device
    }

    var now: Now {
        Now(
            instant: Instant(nanoseconds: nanoseconds),
            time: Timestamp(
                milliseconds: UInt64(
                    Int64(HubScript.wallStart + nanoseconds / 1_000_000 - 1_000) + wallAhead
                )
            )
        )
    }

    static let exporter = [UInt8](repeating: 0xE5, count: 32)

    func open(token: String? = "token") {
        session.open(exporter: Self.exporter, token: token, now: now, actions: &actions)
        carryOut()
    }

    /// The connection ends and another begins, as after a lost network.
    func reopen() {
        session.connectionEnded()
        forget()
        open()
    }

    func hub(_ bytes: [UInt8]) {
        session.receive(bytes.span, inflater: &inflater, now: now, actions: &actions)
        carryOut()
    }

    func advance(by duration: Duration) {
        nanoseconds += duration.wholeNanoseconds
        session.tick(now: now, actions: &actions)
        carryOut()
    }

    func ask(
        _ body: (inout LinkSession, Now, inout [SessionAction]) throws(ChoiceError) -> Void
    ) throws(ChoiceError) {
        try body(&session, now, &actions)
        carryOut()
    }

    func leave(reason: UInt8 = 0) {
        session.leave(
            reason: reason,
            departure: .closedByApp,
            now: now,
            actions: &actions
        )
        carryOut()
    }

    private func carryOut() {
        if session.needsCommit {
            let messages = session.takeMessages()
            if commitFails {
                session.commitFailed(stored: store.state, now: now, actions: &actions)
            } else {
                do throws(DeviceStoreError) {
                    try store.commit(session.state, adding: messages)
                } catch {
                    preconditionFailure("memory does not fail: \(error)")
                }
                session.committed(now: now, actions: &actions)
            }
        }
        sent += session.takeOutput()
    }

    var isReady: Bool { session.isReady }

    var state: DeviceState { session.state }

    /// Forgets what was said so far.
    func forget() {
        actions = []
        sent = []
    }

    var frames: [DeviceFrame] { DeviceFrame.all(in: sent) }

    /// Sequence numbers that were acknowledged, by ACK or PING.
    var acknowledged: [UInt64] {
        frames.compactMap { frame in
            switch frame {
            case .ack(let sequence): sequence
            case .ping(let ping): ping.ack == 0 ? nil : ping.ack
            default: nil
            }
        }
    }

    var departure: Departure? {
        for action in actions { if case .close(let departure) = action { return departure } }
        return nil
    }

    /// Sequence numbers of the stored notifications, in order.
    var stored: [UInt64] { store.waiting.map { $0.sequence ?? 0 } }

    /// Has the app choose a registration.
    func register(_ choice: RegistrationChoice) throws {
        try ask { session, now, actions throws(ChoiceError) in
            try session.register(choice, now: now, actions: &actions)
        }
    }

    /// Has the hub confirm a request about slot 0.
    func confirm(etag: UInt64, ref: UInt16 = 1) {
        hub(HubScript.result(ResultFrame(status: nil, slot: 0, etag: etag), ref: ref))
    }
}
