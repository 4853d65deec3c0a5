import HubClient
import HubTestSupport
import HubWire
import Testing

/// Our device in the session of `Protocol/example.md`.
@Suite("Our device in the session in bytes")
struct ExampleSessionTests {
    private static let frames = ExampleFrame.all.map(\.bytes)

    @Test("registers, acknowledges and leaves with the bytes of the page")
    func plays() throws {
        let device = ScriptedDevice { $0.hub = "main" }
        let news = RegistrationChoice(slot: 0, platform: .apple, tags: ["news"])
        try device.ask { session, now, actions throws(ChoiceError) in
            try session.register(news, now: now, actions: &actions)
        }
        device.open()
        device.forget()
        device.hub(Self.frames[1])
        #expect(device.sent == Self.frames[2])
        device.forget()
        device.hub(Self.frames[3])
        device.hub(Self.frames[4])
        #expect(device.sent == [])
        device.advance(by: .seconds(2))
        #expect(device.sent == Self.frames[5])
        #expect(device.session.state.position.check == 0x3344_5566)
        device.reopen()
        device.forget()
        device.hub(Self.frames[9])
        device.hub(Self.frames[10])
        device.leave(reason: 3)
        #expect(device.sent == Self.frames[11] + Self.frames[13])
        #expect(device.session.state.position.sequence == 45)
    }
}
