import Crypto
import HubClient
import HubWire
import Testing

@Suite("Opening a session")
struct SessionOpeningTests {
    @Test("a new device shows its token, and keeps the identity that WELCOME makes")
    func newDevice() {
        let device = ScriptedDevice()
        device.open(token: "SharedAccessSignature sr=x")
        guard case .hello(let hello, let auth) = device.frames.first else {
            Issue.record("no HELLO: \(device.frames)")
            return
        }
        #expect(hello.authMethod == .token)
        #expect(hello.deviceID == .zero)
        #expect(hello.position == .none)
        #expect(auth == Array("SharedAccessSignature sr=x".utf8))

        device.hub(HubScript.welcome(sequence: 9, check: 4))
        let identity = DeviceIdentity(
            id: HubScript.deviceID,
            key: HubScript.key,
            handle: HubScript.handle
        )
        #expect(device.store.state.identity == identity)
        let position = Position(epoch: HubScript.epoch, sequence: 9, check: 4)
        #expect(device.store.state.position == position)
        #expect(device.isReady)
    }

    @Test("now and then a device says what no version knows, and hears the hub do so. [V-4]")
    func unused() {
        let device = ScriptedDevice { $0.unusedOneIn = 1 }
        device.open()
        guard case .hello(let hello, _) = device.frames.first else {
            Issue.record("no HELLO: \(device.frames)")
            return
        }
        #expect(hello.capabilities.isSuperset(of: .known))
        #expect(hello.capabilities.subtracting(.known).rawValue >> 32 != 0)
        var bytes = HubScript.welcome()
        UnusedFrame.encode(0xFFFF_0123_4567_89AB, into: &bytes)
        device.forget()
        device.hub(bytes)
        #expect(device.isReady && device.departure == nil)
        #expect(device.frames.count { $0 == .unused } == 1)
    }

    @Test("a known device proves its key on this connection and names its position")
    func knownDevice() {
        let first = ScriptedDevice.ready(at: 9)
        let device = ScriptedDevice(first.store)
        device.open(token: nil)
        guard case .hello(let hello, let auth) = device.frames.first else {
            Issue.record("no HELLO: \(device.frames)")
            return
        }
        #expect(hello.authMethod == .deviceKey)
        #expect(hello.deviceID == HubScript.deviceID)
        #expect(hello.position.epoch == HubScript.epoch)
        #expect(hello.position.sequence == 9)
        // Protocol: all of the body up to the length of the proof.
        let body = Array(device.sent[8...])
        let prefix = body.dropLast(2 + auth.count)
        let expected = HMAC<SHA256>.authenticationCode(
            for: Array("BLF1 auth".utf8) + ScriptedDevice.exporter + prefix,
            using: SymmetricKey(data: HubScript.key)
        )
        #expect(auth == Array(expected))
    }

    @Test("a device without token and key does not come back by itself")
    func nothingToShow() {
        let device = ScriptedDevice()
        device.open(token: nil)
        #expect(device.sent.isEmpty)
        #expect(device.departure?.advice == .stay)
    }

    @Test("RESUMED goes on where the device is, or further")
    func resumed() {
        for sequence: UInt64 in [9, 12] {
            let device = ScriptedDevice.ready(at: 9)
            device.reopen()
            device.hub(HubScript.welcome(.resumed, sequence: sequence, check: 3, withKey: false))
            #expect(device.isReady)
            #expect(device.store.state.position.sequence == sequence)
        }
    }

    @Test("RESUMED behind the device's position is refused")
    func resumedBehind() {
        let device = ScriptedDevice.ready(at: 9)
        device.reopen()
        device.hub(HubScript.welcome(.resumed, sequence: 8, withKey: false))
        #expect(device.frames.last == .error(.badField))
        #expect(device.departure == .hubFault(.badField))
        #expect(device.store.state.position.sequence == 9)
    }

    @Test("RESUMED is refused from a hub to which the device has named no position")
    func resumedWithoutPosition() {
        let device = ScriptedDevice()
        device.open()
        device.hub(HubScript.welcome(.resumed))
        #expect(device.departure == .hubFault(.badField))
    }

    @Test(
        "GAP, RESET and FRESH adopt the hub's position and are told",
        arguments: [ResumeOutcome.gap, .reset, .fresh]
    )
    func adopts(_ outcome: ResumeOutcome) {
        let device = ScriptedDevice.ready(at: 9)
        device.reopen()
        let lost: UInt32 = outcome == .fresh ? 0 : 5
        device.hub(
            HubScript.welcome(outcome, sequence: 3, check: 8, withKey: false) { welcome in
                welcome.position.epoch = 78
                welcome.lost = lost
            }
        )
        let position = Position(epoch: 78, sequence: 3, check: 8)
        #expect(device.store.state.position == position)
        guard case .opened(let opening) = device.actions.first else {
            Issue.record("not opened: \(device.actions)")
            return
        }
        #expect(opening.outcome == outcome)
        #expect(opening.lost == lost)
        #expect(!opening.isNewIdentity)
    }

    @Test("WELCOME for somebody else without a key is refused")
    func otherIdentity() {
        let device = ScriptedDevice.ready()
        device.reopen()
        device.hub(
            HubScript.welcome(.resumed, withKey: false) { $0.deviceID = ID16(high: 1, low: 1) }
        )
        #expect(device.departure == .hubFault(.badField))
        #expect(device.store.state.identity?.id == HubScript.deviceID)
    }

    @Test("no WELCOME within its deadline ends the attempt")
    func noWelcome() {
        let device = ScriptedDevice()
        device.open()
        device.advance(by: .seconds(WireLimits.welcomeSecondsMax) - .milliseconds(1))
        #expect(device.departure == nil)
        device.advance(by: .milliseconds(1))
        #expect(device.departure == .welcomeMissing)
    }

    @Test("frames of the session before WELCOME are refused")
    func deliverBeforeWelcome() {
        let device = ScriptedDevice()
        device.open()
        device.hub(HubScript.deliver(after: 0, 1))
        #expect(device.frames.last == .error(.wrongState))
        #expect(device.stored.isEmpty)
    }

    @Test("a frame that is begun and not finished ends the connection")
    func stalledFrame() {
        let device = ScriptedDevice.ready()
        let frame = HubScript.deliver(after: 0, 1)
        device.hub(Array(frame.dropLast()))
        device.advance(by: .seconds(WireLimits.frameSecondsMax) - .milliseconds(1))
        #expect(device.departure == nil)
        device.advance(by: .milliseconds(1))
        #expect(device.departure == .frameStalled)
        #expect(device.frames.last == .error(.frameTimeout))
    }

    @Test("leaving says BYE after the last acknowledgement")
    func leaves() {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.deliver(after: 0, 1))
        device.leave()
        #expect(device.frames == [.ack(1), .bye(reason: 0)])
        #expect(device.departure == .closedByApp)
    }
}
