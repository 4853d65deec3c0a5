import HubClient
import HubParcel
import HubVocabulary
import HubWire
import Testing

@Suite("Delivery")
struct DeliveryTests {
    typealias Entry = HubScript.Entry

    @Test("a notification comes with everything that its parcel says")
    func content() throws {
        let device = ScriptedDevice.ready()
        let choice = RegistrationChoice(slot: 2, platform: .windows, tags: ["World"])
        try device.ask { session, now, actions throws(ChoiceError) in
            try session.register(choice, now: now, actions: &actions)
        }
        let parcel = HubScript.parcel(4, payload: "<toast/>") { parcel in
            parcel.platform = 3
            parcel.isTemplate = true
            parcel.contentType = .xml
            parcel.collapseKey = Array("score".utf8)
            parcel.headers = [ParcelHeader(name: Array("X-WNS-Type".utf8), value: [0x77])]
        }
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 4, slot: 2, parcel: parcel)]))
        let notification = try #require(device.store.waiting.first)
        #expect(notification.id == HubScript.id(4))
        #expect(notification.sequence == 4)
        #expect(notification.slot == 2)
        #expect(notification.platform == .windows)
        #expect(notification.isTemplate)
        #expect(notification.text == "<toast/>")
        #expect(notification.contentType == .xml)
        #expect(notification.collapseKey == "score")
        #expect(notification.headers == [.init(name: "X-WNS-Type", value: "w")])
        #expect(notification.tags == ["World"])
        #expect(notification.wireBytes == parcel.count + 10)
        #expect(device.store.state.position.check == 4)
    }

    @Test("an acknowledgement waits for the store and for the ack delay")
    func acknowledgesLater() {
        let device = ScriptedDevice.ready { $0.ackDelay = 20 }
        device.hub(HubScript.deliver(after: 0, 1, 4))
        #expect(device.stored == [1, 4])
        #expect(device.acknowledged == [])
        device.advance(by: .milliseconds(199))
        #expect(device.acknowledged == [])
        device.advance(by: .milliseconds(1))
        #expect(device.acknowledged == [4])
        device.advance(by: .seconds(1))
        #expect(device.acknowledged == [4])
    }

    @Test("half a window of entries or of bytes is acknowledged at once")
    func acknowledgesHalfWindow() {
        let entries = ScriptedDevice.ready()
        let half = UInt64(WireLimits.windowMessagesDefault / 2)
        for sequence in 1..<half { entries.hub(HubScript.deliver(after: sequence - 1, sequence)) }
        #expect(entries.acknowledged == [])
        entries.hub(HubScript.deliver(after: half - 1, half))
        #expect(entries.acknowledged == [half])

        let bytes = ScriptedDevice.ready()
        let noise = (0..<8_000).map { (number: Int) -> UInt8 in UInt8(33 + number * 7 % 90) }
        for sequence: UInt64 in 1...5 {
            let parcel = HubScript.parcel(sequence) { parcel in
                // Bytes that do not compress.
                var random = SeededRandom(seed: sequence)
                parcel.payload = noise.map { $0 ^ UInt8.random(in: 0...255, using: &random) }
            }
            let entry = Entry(sequence: sequence, parcel: parcel)
            bytes.hub(HubScript.deliver(after: sequence - 1, [entry]))
        }
        #expect(bytes.acknowledged == [5])
    }

    @Test("half a window is that of the last WINDOW, and no more than a hub uses. [D-9]")
    func halfOfTheSmallerWindow() throws {
        let noise = (0..<8_000).map { _ in UInt8.random(in: 0...255) }
        for (bytes, count) in [(UInt32(16_384), 2), (1 << 20, 5)] as [(UInt32, UInt64)] {
            let device = ScriptedDevice.ready()
            try device.ask { session, now, actions throws(ChoiceError) in
                session.setWindow(appState: 1, messages: 2_000, bytes: bytes, now: now)
            }
            for sequence in 1...count {
                #expect(device.acknowledged == [])
                let parcel = HubScript.parcel(sequence) { $0.payload = noise }
                let entry = Entry(sequence: sequence, parcel: parcel)
                device.hub(HubScript.deliver(after: sequence - 1, [entry]))
            }
            #expect(device.acknowledged == [count])
        }
    }

    @Test("high urgency is acknowledged at once")
    func acknowledgesUrgent() {
        let device = ScriptedDevice.ready()
        let parcel = HubScript.parcel(1) { $0.urgency = .high }
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 1, parcel: parcel)]))
        #expect(device.acknowledged == [1])
    }

    @Test("what cannot be stored is never acknowledged, and comes again")
    func storeFails() {
        let device = ScriptedDevice.ready()
        device.commitFails = true
        device.hub(HubScript.deliver(after: 0, 1))
        device.advance(by: .seconds(1))
        #expect(device.acknowledged == [])
        #expect(device.departure == .storeFailed)
        #expect(device.state.position.sequence == 0)

        device.commitFails = false
        device.reopen()
        device.hub(HubScript.welcome(.resumed, withKey: false))
        device.hub(HubScript.deliver(after: 0, 1))
        #expect(device.stored == [1])
    }

    @Test("a choice that cannot be stored while the device is away does not keep it away")
    func storeFailsAway() throws {
        let device = ScriptedDevice()
        device.commitFails = true
        try device.ask { session, now, actions throws(ChoiceError) in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            try session.register(choice, now: now, actions: &actions)
        }
        #expect(device.state.choices == [])
        device.commitFails = false
        device.open()
        device.hub(HubScript.welcome())
        let isReady = device.isReady
        #expect(isReady)
    }

    @Test("every cut of the stream gives the same notifications")
    func anyCut() {
        let bytes =
            HubScript.welcome() + HubScript.deliver(after: 0, 2, 3)
            + HubScript.deliver(after: 3, 9)
        for cut in 0...bytes.count {
            let device = ScriptedDevice()
            device.open()
            device.hub(Array(bytes[..<cut]))
            device.hub(Array(bytes[cut...]))
            #expect(device.stored == [2, 3, 9], "cut at \(cut)")
        }
        let slow = ScriptedDevice()
        slow.open()
        for byte in bytes { slow.hub([byte]) }
        #expect(slow.stored == [2, 3, 9])
    }

    @Test("a hole is told to the hub, and after two in a row the device starts afresh")
    func sequenceGap() {
        let device = ScriptedDevice.ready(at: 5)
        for attempt in 1...2 {
            device.hub(HubScript.deliver(after: 7, 8))
            #expect(device.frames.last == .error(.seqGap))
            #expect(device.departure == .hubFault(.seqGap))
            #expect(device.stored.isEmpty)
            device.reopen()
            guard case .hello(let hello, _) = device.frames.first else {
                Issue.record("no HELLO")
                return
            }
            let epoch = attempt == 1 ? HubScript.epoch : 0
            #expect(hello.position.epoch == epoch, "attempt \(attempt)")
            #expect(hello.position.sequence == (attempt == 1 ? 5 : 0))
            if attempt == 1 {
                device.hub(HubScript.welcome(.resumed, sequence: 5, withKey: false))
            }
        }
        device.hub(HubScript.welcome(.fresh, sequence: 4, withKey: false))
        device.hub(HubScript.deliver(after: 4, 5, 8))
        #expect(device.stored == [5, 8])
    }

    @Test("ERROR is the last frame of a device. [C-3]")
    func errorIsLast() {
        let device = ScriptedDevice.ready(at: 5)
        device.hub(HubScript.deliver(after: 5, 6) + HubScript.deliver(after: 7, 8))
        #expect(device.stored == [6])
        #expect(device.frames == [.error(.seqGap)])
    }

    @Test("a frame that goes back is refused")
    func goesBack() {
        let device = ScriptedDevice.ready(at: 5)
        device.hub(HubScript.deliver(after: 4, 6))
        #expect(device.departure == .hubFault(.badField))
        #expect(device.stored.isEmpty)
    }

    @Test("an undecodable entry counts as stored and is reported, and the next one comes")
    func badParcel() {
        let device = ScriptedDevice.ready()
        var damaged = HubScript.parcel(1, payload: String(repeating: "damaged ", count: 20))
        damaged[damaged.count - 1] ^= 0xFF
        damaged.removeLast(2)
        device.hub(
            HubScript.deliver(
                after: 0,
                [Entry(sequence: 1, slot: 3, parcel: damaged), Entry(sequence: 2)]
            )
        )
        #expect(device.stored == [2])
        #expect(device.store.state.position.sequence == 2)
        let receipts = device.frames.compactMap { frame -> [Receipt]? in
            if case .receipts(let receipts, _) = frame { receipts } else { nil }
        }
        #expect(receipts.joined().map(\.event) == [ReceiptEvent.undecodable.rawValue])
        #expect(receipts.joined().map(\.notification) == [HubScript.id(1)])
        #expect(receipts.joined().map(\.slot) == [3])
        device.advance(by: .milliseconds(250))
        #expect(device.acknowledged == [2])
    }

    @Test("an expired notification moves the position and is not shown")
    func expired() {
        let device = ScriptedDevice.ready()
        let parcel = HubScript.parcel(1) { $0.ttlSeconds = 60 }
        device.advance(by: .seconds(59))
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 1, parcel: parcel)]))
        #expect(device.stored == [1])
        device.advance(by: .seconds(1))
        let late = HubScript.parcel(2) { $0.ttlSeconds = 60 }
        device.hub(HubScript.deliver(after: 1, [Entry(sequence: 2, parcel: late)]))
        #expect(device.stored == [1])
        #expect(device.store.state.position.sequence == 2)
    }

    @Test("expiry goes by the hub's clock, not the device's")
    func expiryByHubClock() {
        let device = ScriptedDevice.ready { $0.serverTime = HubScript.wallStart + 3_600_000 }
        device.hub(HubScript.deliver(after: 0, 1))
        #expect(device.stored.isEmpty)
    }

    @Test(
        "a step of the device's wall clock expires nothing and keeps nothing alive",
        arguments: [-1_700_000_000_000, -3_600_000, 3_600_000, 900_000_000_000] as [Int64]
    )
    func wallClockStep(step: Int64) {
        let device = ScriptedDevice.ready()
        device.wallAhead = step
        let parcel = HubScript.parcel(1) { $0.ttlSeconds = 60 }
        device.advance(by: .seconds(59))
        device.hub(HubScript.deliver(after: 0, [Entry(sequence: 1, parcel: parcel)]))
        #expect(device.stored == [1], "step \(step)")
        device.advance(by: .seconds(1))
        let late = HubScript.parcel(2) { $0.ttlSeconds = 60 }
        device.hub(HubScript.deliver(after: 1, [Entry(sequence: 2, parcel: late)]))
        #expect(device.stored == [1], "step \(step)")
    }

    @Test("the hub's clock is read again with every PONG")
    func clockFromPong() throws {
        let device = ScriptedDevice.ready { $0.keepalive = 100 }
        device.advance(by: .seconds(100))
        guard case .ping(let ping) = device.frames.last else {
            Issue.record("no PING: \(device.frames)")
            return
        }
        var pong: [UInt8] = []
        // The device's clock stood still while it slept; the hub's did not.
        PongFrame(token: ping.token, serverTime: HubScript.wallStart + 3_600_000)
            .encode(into: &pong)
        device.hub(pong)
        device.hub(HubScript.deliver(after: 0, 1))
        #expect(device.stored.isEmpty)
    }

    @Test("no time that a hub can name ends the device", arguments: [UInt64.max, 1 << 63, 0])
    func hubTimeAtTheEdge(time: UInt64) {
        let device = ScriptedDevice.ready { $0.serverTime = time }
        device.wallAhead = 1_000_000_000_000
        device.advance(by: .seconds(5))
        device.hub(HubScript.deliver(after: 0, 1))
        #expect(device.stored == (time == 0 ? [1] : []))
        #expect(device.store.state.position.sequence == 1)
    }

    @Test("a transient notification is shown, neither stored nor acknowledged")
    func transient() {
        let device = ScriptedDevice.ready(at: 5)
        let entry = Entry(sequence: 9, isTransient: true)
        device.hub(HubScript.deliver(after: 5, [entry, Entry(sequence: 6)]))
        let shown = device.actions.compactMap { action -> ID16? in
            if case .transient(let notification) = action { notification.id } else { nil }
        }
        #expect(shown == [HubScript.id(9)])
        #expect(device.stored == [6])
        device.advance(by: .seconds(1))
        #expect(device.acknowledged == [6])

        device.hub(HubScript.deliver(after: 6, [Entry(sequence: 10, isTransient: true)]))
        device.advance(by: .seconds(1))
        #expect(device.acknowledged == [6])
    }

    @Test("GAP moves the position, is told, and is acknowledged at once")
    func gap() {
        let device = ScriptedDevice.ready(at: 5)
        var bytes: [UInt8] = []
        GapFrame(from: 5, to: 90, lost: 12, check: 6, reason: .deviceCap).encode(into: &bytes)
        device.hub(bytes)
        let position = Position(epoch: HubScript.epoch, sequence: 90, check: 6)
        #expect(device.store.state.position == position)
        #expect(device.acknowledged == [90])
        #expect(device.actions.contains(.gap(LinkGap(from: 5, to: 90, lost: 12, reason: 1))))
        device.hub(HubScript.deliver(after: 90, 91))
        #expect(device.stored == [91])
    }

    @Test("after RESET, entries that were stored before are dropped by their ids")
    func resetDrops() {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.deliver(after: 0, 1, 2, 3))
        device.reopen()
        device.hub(
            HubScript.welcome(.reset, sequence: 0, withKey: false) { $0.position.epoch = 78 }
        )
        // The restored hub numbers its log anew.
        device.hub(
            HubScript.deliver(
                after: 0,
                [
                    Entry(
                        sequence: 1,
                        parcel: HubScript.parcel(2) { $0.wantsStoredReceipt = true }
                    ),
                    Entry(sequence: 2, slot: 1, parcel: HubScript.parcel(3)),
                    Entry(sequence: 3, parcel: HubScript.parcel(40)),
                ]
            )
        )
        #expect(
            device.store.waiting.map(\.id.low) == [1, 2, 3, 3, 40].map { HubScript.id($0).low }
        )
        #expect(device.store.waiting.map(\.slot) == [0, 0, 0, 1, 0])
        #expect(device.store.state.receipts.map(\.event) == [ReceiptEvent.duplicate.rawValue])
        #expect(device.store.state.receipts.map(\.notification) == [HubScript.id(2)])
        device.advance(by: .seconds(1))
        #expect(device.acknowledged == [3])
    }

    @Test("GOAWAY in a later read than DELIVER: the waiting ACK leaves before the device does")
    func goawayLater() {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.deliver(after: 0, 1, 2))
        #expect(device.sent.isEmpty)
        var goaway: [UInt8] = []
        GoawayFrame(reason: .drain, minDelay: 1_000, spread: 4_000).encode(into: &goaway)
        device.hub(goaway)
        #expect(device.frames == [.ack(2)])
        #expect(device.departure?.advice == .spread(least: .seconds(1), .seconds(4)))
    }

    @Test("GOAWAY: what came is stored and acknowledged, then the device leaves for the told time")
    func goaway() {
        let device = ScriptedDevice.ready()
        var goaway: [UInt8] = []
        GoawayFrame(reason: .drain, minDelay: 1_000, spread: 4_000).encode(into: &goaway)
        device.hub(HubScript.deliver(after: 0, 1, 2) + goaway)
        #expect(device.stored == [1, 2])
        #expect(device.frames == [.ack(2)])
        let advice = Departure.Advice.spread(least: .seconds(1), .seconds(4))
        #expect(device.departure?.advice == advice)
    }
}
