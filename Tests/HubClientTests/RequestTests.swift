import HubClient
import HubWire
import Testing

@Suite("Registrations and receipts")
struct RequestTests {
    let world = RegistrationChoice(platform: .apple, tags: ["World"])

    @Test("a choice is written down, sent, and confirmed by its RESULT")
    func registers() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        let wanted = SlotChoice(choice: world, isConfirmed: false)
        #expect(device.store.state.choices == [wanted])
        let message = RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
        #expect(device.frames == [.register(message, ref: 1)])
        device.confirm(etag: 50)
        #expect(device.actions == [.registered(world, isUnchanged: false)])
        #expect(device.store.state.choices == [SlotChoice(choice: world, isConfirmed: true)])
        #expect(device.store.state.etag == 50)
    }

    @Test("an unchanged registration is not sent again, on this connection or the next")
    func unchanged() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.confirm(etag: 50)
        device.forget()
        try device.register(world)
        #expect(device.sent.isEmpty)
        #expect(device.actions == [.registered(world, isUnchanged: true)])

        device.reopen()
        guard case .hello(let hello, _) = device.frames.first else {
            Issue.record("no HELLO")
            return
        }
        #expect(hello.etag == 50)
        device.forget()
        device.hub(HubScript.welcome(.resumed, withKey: false) { $0.etag = 50 })
        #expect(device.sent.isEmpty)
        #expect(device.actions.last == .registered(world, isUnchanged: true))
    }

    @Test("a known choice that is wished again while away is told once, with WELCOME")
    func wishedAgainWhileAway() throws {
        let first = ScriptedDevice.ready()
        try first.register(world)
        first.confirm(etag: 50)
        let device = ScriptedDevice(first.store)
        try device.register(world)
        device.open()
        device.hub(HubScript.welcome(.resumed, withKey: false) { $0.etag = 50 })
        let told = device.actions.filter { $0 == .registered(world, isUnchanged: true) }
        #expect(told.count == 1)
    }

    @Test("when the hub's state is another, everything is registered again")
    func otherETag() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.confirm(etag: 50)
        device.reopen()
        device.forget()
        device.hub(HubScript.welcome(.resumed, withKey: false) { $0.etag = 51 })
        guard case .register = device.frames.first else {
            Issue.record("not registered again: \(device.frames)")
            return
        }
        device.confirm(etag: 52)
        #expect(device.store.state.etag == 52)
    }

    @Test("a choice made while away is sent with the next connection")
    func whileAway() throws {
        let device = ScriptedDevice()
        try device.register(world)
        #expect(device.sent.isEmpty)
        device.open()
        device.forget()
        device.hub(HubScript.welcome())
        #expect(device.frames.count == 1)
    }

    @Test("changing tags of a confirmed slot is a patch, and a full REGISTER when that fails")
    func patches() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.confirm(etag: 50)
        device.forget()
        try device.ask { session, now, actions throws(ChoiceError) in
            try session.patchTags(
                slot: 0,
                add: ["Sports"],
                remove: ["World"],
                now: now,
                actions: &actions
            )
        }
        let patch = TagsMessage(slot: 0, add: [Array("Sports".utf8)], remove: [Array("World".utf8)])
        #expect(device.frames == [.tags(patch, ref: 2)])
        device.forget()
        device.hub(
            HubScript.result(ResultFrame(status: .etagMismatch, slot: 0, etag: 60), ref: 2)
        )
        let message = RegisterMessage(slot: 0, platform: 0, tags: [Array("Sports".utf8)])
        #expect(device.frames == [.register(message, ref: 3)])
    }

    @Test(
        "an answer that refuses says nothing of the etag. [T-7]",
        arguments: [.invalidTag, .tooManyTags, .unsupported, .rateLimited] as [ErrorNumber]
    )
    func refusedETag(status: ErrorNumber) throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.confirm(etag: 50)
        try device.register(RegistrationChoice(platform: .apple, tags: ["Sports"]))
        device.hub(HubScript.result(ResultFrame(status: status, slot: 0, etag: 0), ref: 2))
        // What is stored next brings the etag along.
        device.hub(HubScript.deliver(after: 0, 1))
        #expect(device.store.state.position.sequence == 1)
        #expect(device.store.state.etag == 50)
    }

    @Test("tags of an empty slot cannot be changed")
    func patchesNothing() {
        let device = ScriptedDevice.ready()
        #expect(throws: ChoiceError.nothingInSlot(3)) {
            try device.ask { session, now, actions throws(ChoiceError) in
                try session.patchTags(slot: 3, add: ["a"], remove: [], now: now, actions: &actions)
            }
        }
    }

    @Test("a slot that no device has, or a tag that no frame holds, is refused here")
    func refusedHere() {
        let device = ScriptedDevice.ready()
        #expect(throws: ChoiceError.slotOutOfRange(16)) {
            try device.register(RegistrationChoice(slot: 16, platform: .gcm, tags: []))
        }
        #expect(throws: ChoiceError.notEncodable(.badTags)) {
            try device.register(RegistrationChoice(platform: .gcm, tags: [""]))
        }
        #expect(device.store.state.choices.isEmpty)
    }

    @Test(
        "a slot that is not the device's own cannot be given up, and nothing changes",
        arguments: [16, 0x0100, 0xFFFE, 0xFFFF] as [UInt16]
    )
    func foreignSlot(slot: UInt16) throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.confirm(etag: 50)
        device.forget()
        #expect(throws: ChoiceError.slotOutOfRange(slot)) {
            try device.ask { session, now, actions throws(ChoiceError) in
                try session.unregister(slot: slot, now: now, actions: &actions)
            }
        }
        #expect(device.sent.isEmpty)
        #expect(device.store.state.choices == [SlotChoice(choice: world, isConfirmed: true)])
        #expect(device.store.state.removals.isEmpty)
    }

    @Test("a refusal is told with its name, and the session goes on")
    func refusal() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.forget()
        device.hub(
            HubScript.result(
                ResultFrame(status: .forbidden, slot: 0, detail: "username:mara"),
                ref: 1
            )
        )
        let refusal = RequestRefusal(
            request: .register,
            slot: 0,
            status: ErrorNumber.forbidden.rawValue,
            detail: "username:mara"
        )
        #expect(device.actions == [.requestRefused(refusal)])
        #expect(device.departure == nil)
    }

    @Test("a request that came too fast is repeated after the told time")
    func repeated() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.forget()
        device.hub(
            HubScript.result(
                ResultFrame(status: .rateLimited, slot: 0, retryAfter: 3_000),
                ref: 1
            )
        )
        device.advance(by: .milliseconds(2_999))
        #expect(device.sent.isEmpty)
        device.advance(by: .milliseconds(1_001))
        #expect(device.frames.count == 1)
    }

    private func unregister(_ slot: UInt16, _ device: ScriptedDevice) throws {
        try device.ask { session, now, actions throws(ChoiceError) in
            try session.unregister(slot: slot, now: now, actions: &actions)
        }
    }

    private func refuse(_ device: ScriptedDevice, slot: UInt16, ref: UInt16, for pause: UInt32) {
        let message = ResultFrame(status: .rateLimited, slot: slot, retryAfter: pause)
        device.hub(HubScript.result(message, ref: ref))
    }

    @Test("a removal that came too fast is repeated on the same connection, and only when needed")
    func repeatedRemoval() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.confirm(etag: 50)
        try unregister(0, device)
        try unregister(4, device)
        device.forget()
        refuse(device, slot: 0, ref: 2, for: 3_000)
        device.advance(by: .milliseconds(2_999))
        #expect(device.sent.isEmpty)
        device.advance(by: .milliseconds(1_001))
        // Slot 4 is still being asked for.
        #expect(device.frames == [.unregister(slot: 0, ref: 4)])
        device.confirm(etag: 51, ref: 4)
        #expect(device.store.state.removals == [4])
    }

    @Test("receipts that came too fast are repeated on the same connection")
    func repeatedReceipts() throws {
        let device = ScriptedDevice.ready()
        try report(1, device)
        device.forget()
        refuse(device, slot: .max, ref: 1, for: 1_000)
        #expect(device.store.state.receipts.count == 1)
        device.advance(by: .seconds(2))
        guard case .receipts(let again, ref: 2) = device.frames.last else {
            Issue.record("not repeated: \(device.frames)")
            return
        }
        #expect(again.map(\.notification) == [HubScript.id(1)])
    }

    @Test("receipts that were dropped meanwhile take no others with them")
    func receiptsByIdentity() throws {
        let device = ScriptedDevice.ready()
        let most = UInt64(DeviceState.receiptsMax)
        for sequence in 1...most { try report(sequence, device) }
        // The first is on its way; the second, which is not, goes too when two more are queued.
        for sequence in most + 1...most + 2 { try report(sequence, device) }
        #expect(device.store.state.receipts.first?.notification == HubScript.id(3))
        device.hub(HubScript.result(ResultFrame(status: nil, slot: .max, applied: 1), ref: 1))
        #expect(device.store.state.receipts.count == DeviceState.receiptsMax)
        #expect(device.store.state.receipts.first?.notification == HubScript.id(3))
    }

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

    @Test("an answer confirms nothing that the hub was asked to change again since")
    func supersededAnswer() throws {
        let device = ScriptedDevice.ready()
        let sports = RegistrationChoice(platform: .apple, tags: ["Sports"])
        try device.register(world)
        try device.register(sports)
        try device.register(world)
        // The last one is refused before the others are answered.
        refuse(device, slot: 0, ref: 3, for: 1_000)
        device.confirm(etag: 50, ref: 1)
        device.confirm(etag: 51, ref: 2)
        #expect(device.store.state.choices == [SlotChoice(choice: world, isConfirmed: false)])
        device.forget()
        device.advance(by: .seconds(2))
        let message = RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
        #expect(device.frames == [.register(message, ref: 4)])
        device.confirm(etag: 52, ref: 4)
        #expect(device.store.state.choices == [SlotChoice(choice: world, isConfirmed: true)])
    }

    @Test("a slot that is given up again keeps its removal until the last one is answered")
    func supersededRemoval() throws {
        let device = ScriptedDevice.ready()
        try unregister(0, device)
        try device.register(world)
        try unregister(0, device)
        device.confirm(etag: 50, ref: 1)
        device.confirm(etag: 51, ref: 2)
        #expect(device.store.state.removals == [0])
        device.confirm(etag: 52, ref: 3)
        #expect(device.store.state.removals.isEmpty)
    }

    @Test("a slot that is given up stays on the list until the hub has said so")
    func unregisters() throws {
        let device = ScriptedDevice.ready()
        try device.register(world)
        device.confirm(etag: 50)
        device.forget()
        try device.ask { session, now, actions throws(ChoiceError) in
            try session.unregister(slot: 0, now: now, actions: &actions)
        }
        #expect(device.frames == [.unregister(slot: 0, ref: 2)])
        device.reopen()
        device.forget()
        device.hub(HubScript.welcome(.resumed, withKey: false) { $0.etag = 50 })
        #expect(device.frames == [.unregister(slot: 0, ref: 1)])
        device.confirm(etag: 51)
        #expect(device.store.state.removals.isEmpty)
        #expect(device.store.state.choices.isEmpty)
    }

    @Test("an answer to no request is refused")
    func stranger() {
        let device = ScriptedDevice.ready()
        device.confirm(etag: 1, ref: 9)
        #expect(device.departure == .hubFault(.badField))
    }

    @Test("receipts are kept until the hub has taken them, each once")
    func receipts() throws {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.deliver(after: 0, 1))
        device.forget()
        for _ in 0..<2 {
            try device.ask { session, now, actions throws(ChoiceError) in
                session.report(
                    .opened,
                    of: HubScript.id(1),
                    slot: 0,
                    now: now,
                    actions: &actions
                )
            }
        }
        guard case .receipts(let sent, let ref) = device.frames.first else {
            Issue.record("no RECEIPTS: \(device.frames)")
            return
        }
        #expect(sent.map(\.event) == [ReceiptEvent.opened.rawValue])
        #expect(device.store.state.receipts.count == 1)

        device.reopen()
        device.forget()
        device.hub(HubScript.welcome(.resumed, sequence: 1, check: 1, withKey: false))
        #expect(device.frames == [.receipts(sent, ref: ref)])
        device.hub(
            HubScript.result(ResultFrame(status: nil, slot: .max, applied: 1), ref: ref)
        )
        #expect(device.store.state.receipts.isEmpty)
    }

    @Test("a hub without receipts gets none")
    func noReceipts() throws {
        let device = ScriptedDevice.ready { $0.capabilities = [.deflate] }
        try device.ask { session, now, actions throws(ChoiceError) in
            session.report(.opened, of: HubScript.id(1), slot: 0, now: now, actions: &actions)
        }
        #expect(device.sent.isEmpty)
    }
}
