import HubClient
import HubWire
import Testing

@Suite("What a device says by itself, and how often")
struct PaceTests {
    private func report(_ sequence: UInt64, _ device: ScriptedDevice) throws {
        try device.ask { session, now, actions throws(ChoiceError) in
            session.report(
                .opened,
                of: HubScript.id(sequence),
                slot: 0,
                now: now,
                actions: &actions
            )
        }
    }

    private func take(_ count: UInt16, _ device: ScriptedDevice) -> Int {
        guard case .receipts(let sent, let ref) = device.frames.last else { return 0 }
        device.forget()
        device.hub(
            HubScript.result(ResultFrame(status: nil, slot: .max, applied: count), ref: ref)
        )
        return sent.count
    }

    @Test("receipts go one a second, and ten times a second when a frame of them waits. [S-6]")
    func receipts() throws {
        let device = ScriptedDevice.ready()
        try report(1, device)
        #expect(take(1, device) == 1)
        try report(2, device)
        device.advance(by: .milliseconds(999))
        #expect(device.frames.isEmpty)
        device.advance(by: .milliseconds(1))
        #expect(take(1, device) == 1)
        for sequence in 3...66 { try report(UInt64(sequence), device) }
        #expect(device.frames.isEmpty)
        device.advance(by: .milliseconds(100))
        #expect(take(64, device) == 64)
        #expect(device.store.state.receipts.isEmpty)
    }

    @Test("a slot with a lifetime is registered again after two thirds of it. [T-4]")
    func renews() throws {
        let device = ScriptedDevice.ready()
        let choice = RegistrationChoice(
            slot: 3,
            platform: .apple,
            tags: ["a"],
            lifetimeSeconds: 90
        )
        try device.ask { session, now, actions throws(ChoiceError) in
            try session.register(choice, now: now, actions: &actions)
        }
        func confirm(_ ref: UInt16) {
            device.hub(HubScript.result(ResultFrame(status: nil, slot: 3, etag: 50), ref: ref))
        }
        confirm(1)
        let first = device.frames
        device.forget()
        device.advance(by: .seconds(59))
        #expect(device.frames.isEmpty)
        device.advance(by: .seconds(1))
        #expect(device.frames.count == 1 && first.count == 1)
        confirm(2)
        device.forget()
        device.advance(by: .seconds(60))
        #expect(device.frames.count == 1)
        confirm(3)
        device.reopen()
        device.forget()
        device.hub(HubScript.welcome(.resumed, withKey: false) { $0.etag = 50 })
        #expect(device.frames == first)
    }
}
