import HubParcel
import HubWire

/// Delivery, windows, acknowledgements, positions and resume.
enum DeliveryScenarios {
    static let all: [Scenario<HubUnderTest>] = deliveries + windows + resuming

    /// A device with a tag of its own, and a first notification that it has acknowledged.
    private static func subscribed(
        _ hub: HubUnderTest,
        _ change: (inout HelloMessage) -> Void = { _ in }
    ) throws(KitFault) -> (device: KitDevice, tag: String) {
        guard hub.send != nil else {
            throw .notPlayed("nothing can be sent: give a connection string")
        }
        let device = KitDevice(hub)
        let tag = KitDevice.tag()
        try device.open(change)
        try ExpectedAnswer.expect(try device.register([tag]), nil, "REGISTER")
        return (device, tag)
    }

    private static let deliveries: [Scenario<HubUnderTest>] = [
        Scenario("deliver", ["D-2", "D-7", "R-8", "P-1", "P-6"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            for number in 1...5 { try device.send("\(number)", tag: tag) }
            let all = try device.arrivals(5)
            try expect(all.count == 5, "five entries", came: "\(all.count)")
            for (number, arrival) in zip(1...5, all) {
                let payload = try device.payload(arrival).1
                try expect(
                    payload == KitDevice.body("\(number)"),
                    "the payload of number \(number), in order",
                    came: String(decoding: payload, as: UTF8.self)
                )
                try expect(arrival.entry.slot == 0, "slot 0", came: "\(arrival.entry.slot)")
                try checkPlatform(arrival)
            }
            try expect(all[4].backlog == 0, "backlog 0 at the end", came: "\(all[4].backlog)")
            device.acknowledge()
            try device.ping()
        },
        Scenario("compressed", ["V-3", "P-5", "P-8"]) { hub throws(KitFault) in
            let text = String(repeating: "the same words again and ", count: 40)
            for offered: Capabilities in [[], [.deflate], .known] {
                let (device, tag) = try subscribed(hub) { $0.capabilities = offered }
                try device.send(text, tag: tag)
                let (codec, payload) = try device.payload(try device.arrivals(1)[0])
                try expect(payload == KitDevice.body(text), "the payload", came: "another")
                let allowed: [ParcelCodec] =
                    offered.isEmpty
                    ? [.identity]
                    : offered == [.deflate]
                        ? [.identity, .deflate] : ParcelCodec.allCases
                try expect(
                    allowed.contains(codec),
                    "a codec that the device offered",
                    came: "codec \(codec.rawValue)"
                )
            }
        },
        Scenario("only-what-matches", ["R-8", "T-7"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            try device.send("not for this one", tag: KitDevice.tag())
            try device.send("for this one", tag: tag)
            try device.expectNext("for this one", "only what matches")
        },
        Scenario("equal-parcels-once", ["D-3"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            try device.register(slot: 4, [tag])
            try device.send("once", tag: tag)
            try device.send("second", tag: tag)
            let all = try device.arrivals(2)
            let slots = all.map(\.entry.slot)
            try expect(slots == [0, 0], "each once, for slot 0", came: "slots \(slots)")
        },
        Scenario("groups", ["D-3"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            for slot: UInt16 in [1, 2] {
                let body = #"{"aps":{"alert":"$(text)"},"of":"\#(slot)"}"#
                try ExpectedAnswer.expect(
                    try device.register(
                        slot: slot,
                        [tag],
                        template: TemplateMessage(name: "t\(slot)", body: Array(body.utf8))
                    ),
                    nil,
                    "REGISTER of a template"
                )
            }
            try device.send(.template(Array(#"{"text":"Hello"}"#.utf8), tag: tag))
            let all = try device.arrivals(2)
            let flags = all.map { "slot \($0.entry.slot) continues \($0.entry.continues)" }
            try expect(
                flags == ["slot 1 continues true", "slot 2 continues false"],
                "slots 1 and 2 of one group",
                came: "\(flags)"
            )
            let texts = try all.map { arrival throws(KitFault) in
                try device.payload(arrival).1
            }
            let expected = [1, 2].map { Array(#"{"aps":{"alert":"Hello"},"of":"\#($0)"}"#.utf8) }
            try expect(
                texts == expected,
                "both templates rendered",
                came: texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            )
        },
        Scenario("transient", ["D-4"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            // A session that has just opened may still read the log.
            try device.send("first", tag: tag)
            _ = try device.arrivals(1)
            device.acknowledge()
            let headers = [(name: "apns-expiration", value: "0")]
            try device.send("now or never", tag: tag, headers: headers)
            let arrival = try device.arrivals(1)[0]
            try expect(
                arrival.entry.isTransient && arrival.entry.seq == nil,
                "TRANSIENT without a number",
                came: "eflags \(arrival.entry.eflags)"
            )
            device.leave()
            try device.send("never", tag: tag, headers: headers)
            try device.send("later", tag: tag)
            try device.open()
            try device.expectNext("later", "nothing transient after an absence")
        },
        Scenario("receipts", ["D-14"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            try device.send("read me", tag: tag)
            let arrival = try device.arrivals(1)[0]
            guard let id = ParcelID(ofParcel: arrival.parcel.span) else { return }
            let receipts = [
                Receipt(notification: ID16(high: id.hi, low: id.lo), event: 1, slot: 0, time: 1),
                Receipt(notification: ID16(high: 1, low: 2), event: 200, slot: 9, time: 1),
            ]
            let result = try device.request { bytes, ref in
                ReceiptsMessage(receipts).encode(into: &bytes, ref: ref)
            }
            try ExpectedAnswer.expect(result, nil, "RECEIPTS, one of them of another device")
        },
        Scenario("acknowledged-too-much", ["D-9"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            let welcome = try device.open()
            device.acknowledge(welcome.position.sequence)
            try device.ping()
            device.acknowledge(welcome.position.sequence + 1_000_000)
            try device.refused(with: [.badAck])
        },
        Scenario("not-acknowledged", ["D-9"], seconds: 47) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            try device.send("never acknowledged", tag: tag)
            _ = try device.arrivals(1)
            try device.refused(with: [.ackTimeout], within: 60_000)
        },
    ]

    private static func checkPlatform(_ arrival: KitDevice.Arrival) throws(KitFault) {
        let platform: UInt8?
        do throws(ParcelError) {
            platform = try ParcelView(decoding: arrival.parcel.span).platform
        } catch {
            throw .broken(expected: "a parcel", came: KitHex.short(arrival.parcel))
        }
        try expect(
            platform == 0,
            "the option platform 0",
            came: KitHex.short(arrival.parcel)
        )
    }

    private static let windows: [Scenario<HubUnderTest>] = [
        Scenario("window-of-one", ["D-10"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub) { $0.windowMessages = 1 }
            for number in 1...3 { try device.send("\(number)", tag: tag) }
            for number in 1...3 {
                let all = try device.arrivals(1)
                try expect(
                    all.count == 1,
                    "one entry in flight, number \(number)",
                    came: "\(all.count)"
                )
                try expectQuiet(device, "nothing while one is in flight")
                device.acknowledge()
            }
        },
        Scenario("window-of-none", ["D-10"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub) { $0.windowMessages = 0 }
            try device.send("paused", tag: tag)
            try expectQuiet(device, "nothing with a window of 0")
            var bytes: [UInt8] = []
            WindowFrame(appState: 1, messages: 8, bytes: 65_536).encode(into: &bytes)
            device.say(bytes)
            _ = try device.arrivals(1)
        },
        Scenario("bytes-of-a-window", ["D-10", "D-12"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub) {
                $0.windowBytes = 16_384
                $0.capabilities = []
            }
            let text = String(repeating: "x", count: 3_000)
            for _ in 0..<8 { try device.send(text, tag: tag) }
            let first = try device.arrivals(5)
            try expectQuiet(device, "nothing beyond 16,384 bytes in flight")
            let bytes = first.reduce(0) { $0 + $1.parcel.count + 10 }
            try expect(bytes <= 16_384, "at most 16,384 bytes in flight", came: "\(bytes)")
            device.acknowledge()
            _ = try device.arrivals(8 - first.count)
        },
        Scenario("doze", ["D-11"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            try device.send("before", tag: tag)
            _ = try device.arrivals(1)
            device.acknowledge()
            var bytes: [UInt8] = []
            WindowFrame(appState: 3, messages: 8, bytes: 65_536).encode(into: &bytes)
            device.say(bytes)
            try device.ping()
            let low = [(name: "apns-priority", value: "5")]
            try device.send("calm", tag: tag, headers: low)
            try expectQuiet(device, "nothing of normal urgency in doze")
            try device.send("urgent", tag: tag, headers: [(name: "apns-priority", value: "10")])
            let all = try device.arrivals(2)
            let first = try device.payload(all[0]).1
            try expect(
                first == KitDevice.body("calm"),
                "the calm one first",
                came: String(decoding: first, as: UTF8.self)
            )
        },
        Scenario("an-ack-for-each", ["D-9", "S-6"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub) { $0.windowMessages = 1 }
            let count = 220
            for number in 0..<count { try device.send("\(number)", tag: tag) }
            for _ in 0..<count {
                _ = try device.arrivals(1)
                device.acknowledge()
            }
            try device.ping()
        },
    ]

    private static func expectQuiet(
        _ device: KitDevice,
        _ expected: String
    ) throws(KitFault) {
        let heard = device.next(within: 400)
        guard heard == .silence else { throw .broken(expected: expected, came: "\(heard)") }
    }

    private static let resuming: [Scenario<HubUnderTest>] = [
        Scenario("resumed", ["R-3", "R-4", "R-1"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            try device.send("1", tag: tag)
            _ = try device.arrivals(1)
            device.acknowledge()
            device.leave()
            let shown = device.position
            for number in 2...4 { try device.send("\(number)", tag: tag) }
            let welcome = try device.open()
            try expect(welcome.resume == .resumed, "RESUMED", came: "\(welcome.resume)")
            try expect(
                welcome.position == shown,
                "the position of HELLO",
                came: "\(welcome.position)"
            )
            let payloads = try device.arrivals(3).map { arrival throws(KitFault) in
                try device.payload(arrival).1
            }
            try expect(
                payloads == (2...4).map { KitDevice.body("\($0)") },
                "what was missed, in order",
                came: "\(payloads.count) others"
            )
        },
        Scenario("redelivered", ["D-6", "R-5"]) { hub throws(KitFault) in
            for losesPosition in [false, true] {
                let (device, tag) = try subscribed(hub)
                let before = device.position
                try device.send("not acknowledged", tag: tag)
                let first = try device.arrivals(1)[0]
                device.leave()
                device.position = losesPosition ? .none : before
                try device.open()
                let again = try device.arrivals(1)[0]
                try expect(
                    again.entry.seq == first.entry.seq && again.entry.isRedelivered,
                    "number \(first.entry.seq ?? 0) again, with REDELIVERED",
                    came: "number \(again.entry.seq ?? 0), eflags \(again.entry.eflags)"
                )
            }
        },
        Scenario("reset", ["R-3"]) { hub throws(KitFault) in
            let changes: [(String, (inout Position) -> Void)] = [
                ("another check", { $0.check ^= 1 }),
                ("an unknown epoch", { $0.epoch ^= 1 }),
                ("a place ahead of the log", { $0.sequence += 1_000_000 }),
            ]
            for (what, change) in changes {
                let (device, tag) = try subscribed(hub)
                try device.send("1", tag: tag)
                _ = try device.arrivals(1)
                device.acknowledge()
                try device.ping()
                device.leave()
                change(&device.position)
                let welcome = try device.open()
                try expect(
                    welcome.resume == .reset,
                    "RESET for \(what)",
                    came: "\(welcome.resume)"
                )
            }
        },
        Scenario("fresh-from-the-cursor", ["R-3"]) { hub throws(KitFault) in
            let (device, tag) = try subscribed(hub)
            try device.send("1", tag: tag)
            _ = try device.arrivals(1)
            device.acknowledge()
            // BYE: what was acknowledged in front of it counts. [C-1]
            var bytes: [UInt8] = []
            ByeFrame(reason: 0).encode(into: &bytes)
            device.say(bytes)
            _ = device.next()
            let known = device.position.sequence
            device.position = .none
            try device.send("2", tag: tag)
            let welcome = try device.open()
            try expect(
                welcome.resume == .fresh && welcome.position.sequence == known,
                "FRESH at \(known)",
                came: "\(welcome.resume) at \(welcome.position.sequence)"
            )
            try device.expectNext("2", "only what was not acknowledged")
        },
        Scenario("cut-history-told", ["R-7", "R-3"]) { hub throws(KitFault) in
            guard let purge = hub.purge else {
                throw .notPlayed("takes back all that waits: add --purge, with a Manage key")
            }
            let (device, tag) = try subscribed(hub)
            try device.send("seen", tag: tag)
            _ = try device.arrivals(1)
            device.acknowledge()
            device.leave()
            for number in 1...3 { try device.send("lost \(number)", tag: tag) }
            try purge()
            try device.send("kept", tag: tag)
            let welcome = try device.open()
            if welcome.resume != .gap {
                let frame = try device.expectGap()
                try expect(frame.lost == 3, "GAP, 3 lost", came: "\(frame.lost) lost")
            }
            try device.expectNext("kept", "only what was sent after the purge")
        },
    ]
}

extension KitDevice {
    /// Waits for one entry, and compares its text.
    fileprivate func expectNext(_ text: String, _ what: String) throws(KitFault) {
        let payload = try self.payload(try arrivals(1)[0]).1
        guard payload != Self.body(text) else { return }
        throw .broken(expected: what, came: String(decoding: payload, as: UTF8.self))
    }
}
