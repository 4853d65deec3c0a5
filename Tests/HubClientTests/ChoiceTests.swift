import HubParcel
import HubWire
import Testing

@testable import HubClient

@Suite("Choices that a hub takes for others, refuses, or does not ask for")
struct ChoiceTests {
    let world = RegistrationChoice(platform: .apple, tags: ["World"])

    private func refuse(_ device: ScriptedDevice, slot: UInt16, ref: UInt16, for pause: UInt32) {
        let message = ResultFrame(status: .rateLimited, slot: slot, retryAfter: pause)
        device.hub(HubScript.result(message, ref: ref))
    }

    private func patch(
        add: [String],
        remove: [String],
        _ device: ScriptedDevice
    ) throws -> [String] {
        try device.ask { session, now, actions throws(ChoiceError) in
            try session.patchTags(slot: 0, add: add, remove: remove, now: now, actions: &actions)
        }
        return device.store.state.choices.flatMap(\.choice.tags)
    }

    @Test("two tags are one when a hub takes them for one. [T-2]")
    func equalTags() throws {
        let device = ScriptedDevice.ready()
        try device.register(RegistrationChoice(platform: .apple, tags: ["news", "caf\u{E9}"]))
        device.confirm(etag: 50)
        device.forget()
        #expect(
            try patch(add: ["x", "CAF\u{E9}"], remove: ["News"], device) == ["caf\u{E9}", "x"]
        )
        #expect(device.frames.count == 1)
        device.confirm(etag: 51, ref: 2)
        // Equal to a Swift String, another tag to the hub.
        let both = try patch(add: ["cafe\u{301}"], remove: [], device)
        #expect(both.map(\.utf8.count) == [5, 1, 6])
        device.confirm(etag: 52, ref: 3)
        device.forget()
        try device.register(RegistrationChoice(platform: .apple, tags: ["cafe\u{301}", "x"]))
        device.confirm(etag: 53, ref: 4)
        device.forget()
        try device.register(RegistrationChoice(platform: .apple, tags: ["caf\u{E9}", "x"]))
        #expect(device.frames.count == 1)
    }

    @Test("a slot that is refused for good waits for the app or the next session. [E-6]")
    func refusedForGood() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        try device.register(RegistrationChoice(slot: 1, platform: .apple, tags: ["a"]))
        device.forget()
        device.hub(HubScript.result(ResultFrame(status: .invalidTag, slot: 0), ref: 1))
        refuse(device, slot: 1, ref: 2, for: 1_000)
        device.advance(by: .seconds(2))
        let other = RegisterMessage(slot: 1, platform: 0, tags: [Array("a".utf8)])
        #expect(device.frames == [.register(other, ref: 3)])
        device.confirm(etag: 50, ref: 3)
        device.forget()
        let sports = RegistrationChoice(platform: .apple, tags: ["Sports"])
        try device.register(sports)
        refuse(device, slot: 0, ref: 4, for: 1_000)
        device.advance(by: .seconds(2))
        #expect(device.frames.count == 2)
        device.hub(HubScript.result(ResultFrame(status: .draining, slot: 0), ref: 5))
        device.advance(by: .seconds(2))
        #expect(device.frames.count == 2)
        device.reopen()
        device.forget()
        device.hub(HubScript.welcome(.resumed, withKey: false) { $0.etag = 50 })
        #expect(device.frames == [.register(sports.message, ref: 1)])
    }

    @Test("an answer that refuses leaves alone what was asked since")
    func refusedAndAskedAgain() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        try device.register(RegistrationChoice(platform: .apple, tags: ["Sports"]))
        device.hub(HubScript.result(ResultFrame(status: .invalidTag, slot: 0), ref: 1))
        refuse(device, slot: 0, ref: 2, for: 1_000)
        device.forget()
        device.advance(by: .seconds(2))
        #expect(device.frames.count == 1)
    }

    @Test("slots that a device cannot know of are removed, and only real ones are told. [T-7]")
    func unknownSlots() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.confirm(etag: 50)
        device.reopen()
        device.forget()
        device.hub(
            HubScript.welcome(.resumed, withKey: false) { welcome in
                welcome.etag = 51
                welcome.limits.registrations = 4
            }
        )
        #expect(
            device.frames == [
                .register(world.message, ref: 1), .unregister(slot: 1, ref: 2),
                .unregister(slot: 2, ref: 3), .unregister(slot: 3, ref: 4),
            ]
        )
        device.forget()
        device.hub(HubScript.result(ResultFrame(status: .notFound, slot: 1), ref: 2))
        refuse(device, slot: 2, ref: 3, for: 1_000)
        refuse(device, slot: 3, ref: 4, for: 1_000)
        device.advance(by: .seconds(2))
        #expect(device.frames == [.unregister(slot: 2, ref: 5), .unregister(slot: 3, ref: 6)])
        device.hub(HubScript.result(ResultFrame(status: .notFound, slot: 3), ref: 6))
        #expect(device.actions.isEmpty)
        #expect(device.store.state.removals == [2])
        device.hub(HubScript.result(ResultFrame(status: nil, slot: 2, etag: 52), ref: 5))
        #expect(device.actions == [.unregistered(slot: 2)])
        #expect(device.store.state.removals.isEmpty && device.store.state.etag == 52)
    }

    @Test(
        "what a user does is reported where the sender asked for it. [D-14]",
        arguments: [true, false]
    )
    func userReceipts(isAsked: Bool) throws {
        let device = ScriptedDevice.ready()
        let parcel = HubScript.parcel(1) { $0.wantsUserReceipt = isAsked }
        device.hub(HubScript.deliver(after: 0, [HubScript.Entry(sequence: 1, parcel: parcel)]))
        let notification = try #require(device.store.waiting.first)
        try device.ask { session, now, actions throws(ChoiceError) in
            for event in [UserReport.Event.suppressed, .opened] {
                let report = UserReport(event, of: notification)
                session.report(report, now: now, actions: &actions)
            }
        }
        let events = device.store.state.receipts.map(\.event)
        let wanted = [ReceiptEvent.suppressed, .opened].map(\.rawValue)
        #expect(events == (isAsked ? wanted : []))
    }
}
