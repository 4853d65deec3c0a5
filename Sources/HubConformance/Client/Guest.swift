import Crypto
import HubParcel
import HubWire

/// One connection of the client.
final class Guest {
    /// Something that the client said and that the kit does not answer by itself.
    enum Said: Equatable {
        case acknowledged(UInt64)
        case registered(UInt16)
        case receipts([Receipt])
        case pinged
        case error(UInt16)
        case left
        case closed
        case nothing
    }

    private let link: KitTLS
    private let hub: KitHub
    private let ear: FrameEar
    private(set) var hello = HelloMessage(hub: "")
    private var auth: [UInt8] = []
    private var prefix: [UInt8] = []
    /// Receipts that have come.
    private(set) var reported: [Receipt] = []
    /// Slots that REGISTER or UNREGISTER have named.
    private(set) var named: Set<UInt16> = []
    /// Whether requests are answered by the kit.
    var answersRequests = true

    init(_ link: KitTLS, _ hub: KitHub, change: @escaping FrameChange) {
        self.link = link
        self.hub = hub
        ear = FrameEar(.deviceToHub, .waitHello, limits: .hub, change)
    }

    deinit { hub.memory.ended = KitClock.milliseconds }

    /// The kit's knowledge of the client.
    var memory: KitHub.Memory {
        get { hub.memory }
        set { hub.memory = newValue }
    }

    // MARK: HELLO and WELCOME

    /// Waits for HELLO.
    func takeHello() throws(KitFault) {
        let heard = ear.next(on: link, within: 10_000)
        guard case .frame(let frame) = heard, let header = frame.header else {
            throw .broken(expected: "HELLO [S-1]", came: heard.description)
        }
        do throws(WireError) {
            let body = frame.bytes.span.extracting(8..<frame.bytes.count)
            let said = try HelloFrame(decoding: body, header: header)
            hello = said.message
            let (proof, proved) = (said.auth, said.authenticated)
            auth = proof.indices.map { proof[$0] }
            prefix = proved.indices.map { proved[$0] }
        } catch {
            throw .broken(expected: "a HELLO without \(error.number.name)", came: "\(frame)")
        }
    }

    /// Throws unless HELLO fits what was said before.
    func check() throws(KitFault) {
        let memory = hub.memory
        if let instance = memory.instance, instance != hello.instance {
            // A client that was started again; it keeps all the rest.
            hub.memory.instance = hello.instance
        }
        guard memory.isIntroduced else {
            return try expect(
                hello.authMethod == .token && hello.deviceID == .zero && hello.position == .none,
                "a token, no device_id and no position in a first HELLO [A-2]",
                came: "method \(hello.authMethod.rawValue), position \(hello.position)"
            )
        }
        try expect(
            hello.authMethod == .deviceKey && hello.deviceID == memory.identity,
            "method 2 with the device_id of WELCOME [A-2]",
            came: "method \(hello.authMethod.rawValue)"
        )
        let input = DeviceProof.input(exporter: link.exporter, prefix: prefix.span)
        let code = HMAC<SHA256>.authenticationCode(
            for: input,
            using: SymmetricKey(data: memory.key)
        )
        try expect(
            Array(code) == auth,
            "the proof \(KitHex.text(Array(code))) [A-3]",
            came: KitHex.text(auth)
        )
        try checkPosition(memory)
    }

    private func checkPosition(_ memory: KitHub.Memory) throws(KitFault) {
        let shown = hello.position
        try expect(
            shown.epoch == memory.epoch && shown.sequence >= memory.acknowledged
                && shown.sequence <= memory.sequence,
            "a position from \(memory.acknowledged) to \(memory.sequence) [R-1]",
            came: "\(shown)"
        )
        let check = shown.sequence == 0 ? 0 : memory.checks[shown.sequence]
        try expect(
            check == shown.check,
            "the check of number \(shown.sequence) [R-1]",
            came: String(shown.check, radix: 16)
        )
    }

    /// Answers HELLO: RESUMED where the client has a position, otherwise FRESH.
    func welcome(_ change: (inout WelcomeFrame) -> Void = { _ in }) {
        var bytes: [UInt8] = []
        prepared(change).encode(into: &bytes)
        say(bytes)
        hub.memory.isIntroduced = true
        hub.memory.instance = hello.instance
        ear.state = .ready
    }

    private func prepared(_ change: (inout WelcomeFrame) -> Void) -> WelcomeFrame {
        let memory = hub.memory
        let hasPosition = hello.position.epoch == memory.epoch
        var position = hello.position
        if !hasPosition {
            position = Position(
                epoch: memory.epoch,
                sequence: memory.sequence,
                check: memory.checks[memory.sequence] ?? 0
            )
        }
        var message = WelcomeFrame(
            resume: hasPosition ? .resumed : .fresh,
            deviceID: memory.identity,
            position: position,
            handle: [UInt8](repeating: 0x48, count: 32)
        )
        message.capabilities = hello.capabilities.intersection(.known)
        message.serverTime = KitHub.now
        message.etag = memory.etag
        message.keepalive = min(max(240, hello.keepaliveMin), hello.keepaliveMax)
        message.ackDelay = 20
        message.limits.returning = ReturnPace(spread: 0, longest: UInt32(KitHub.longest))
        if !memory.isIntroduced { message.deviceKey = memory.key }
        message.trace = "conformance"
        change(&message)
        hub.memory.sequence = message.position.sequence
        hub.memory.acknowledged = message.position.sequence
        hub.memory.checks[message.position.sequence] = message.position.check
        return message
    }

    // MARK: Talking

    func say(_ bytes: [UInt8]) { link.write(bytes) }

    /// Says each byte in a record of its own.
    func trickle(_ bytes: [UInt8]) { for byte in bytes { link.write([byte]) } }

    /// Ends the connection with close_notify.
    func close() { link.sayGoodbye() }

    /// The next word of the client; requests and PING are answered on the way.
    func next(within milliseconds: Int) throws(KitFault) -> Said {
        let heard = ear.next(on: link, within: milliseconds)
        guard case .frame(let frame) = heard else {
            switch heard {
            case .silence: return .nothing
            case .closed: return .closed
            case .malformed, .frame:
                throw .broken(expected: "frames that a hub can decode", came: "\(heard)")
            }
        }
        guard let header = frame.header else { return try next(within: milliseconds) }
        do throws(WireError) {
            if let said = try take(header, frame.bytes.span.extracting(8..<frame.bytes.count)) {
                return said
            }
        } catch {
            throw .broken(expected: "a frame without \(error.number.name)", came: "\(frame)")
        }
        return try next(within: milliseconds)
    }

    private func take(_ header: FrameHeader, _ body: Span<UInt8>) throws(WireError) -> Said? {
        switch header.type {
        case .ack: return acknowledged(try AckFrame(decoding: body, header: header).seq)
        case .ping:
            let ping = try PingFrame(decoding: body, header: header)
            var bytes: [UInt8] = []
            PongFrame(token: ping.token, serverTime: KitHub.now).encode(into: &bytes)
            say(bytes)
            if ping.ack > 0 { _ = acknowledged(ping.ack) }
            return .pinged
        case .register:
            let frame = try RegisterFrame(decoding: body, header: header)
            let slot = frame.slot
            named.insert(slot)
            answer(header.ref, slot: slot)
            return .registered(header.ref)
        case .unregister:
            let slot = try UnregisterFrame(decoding: body, header: header).slot
            named.insert(slot)
            answer(header.ref, slot: slot)
            return nil
        case .tags:
            let frame = try TagsFrame(decoding: body, header: header)
            let slot = frame.slot
            answer(header.ref, slot: slot)
            return nil
        case .receipts:
            let message = ReceiptsMessage(try ReceiptsFrame(decoding: body, header: header))
            answer(header.ref, slot: 0xFFFF)
            reported += message.receipts
            return .receipts(message.receipts)
        case .error: return .error(try ErrorFrame(decoding: body, header: header).code)
        case .bye: return .left
        case .window, .padding: return nil
        case .hello, .welcome, .pong, .goaway, .result, .deliver, .gap:
            // The decoder refuses what does not travel this way.
            return nil
        }
    }

    private func acknowledged(_ sequence: UInt64) -> Said {
        hub.memory.acknowledged = max(hub.memory.acknowledged, sequence)
        return .acknowledged(sequence)
    }

    private func answer(_ ref: UInt16, slot: UInt16) {
        guard answersRequests else { return }
        if slot != 0xFFFF { hub.memory.etag += 1 }
        result(nil, ref, slot: slot)
    }

    /// Answers a request.
    func result(_ status: ErrorNumber?, _ ref: UInt16, slot: UInt16, retryAfter: UInt32 = 0) {
        var bytes: [UInt8] = []
        ResultFrame(status: status, slot: slot, retryAfter: retryAfter, etag: hub.memory.etag)
            .encode(into: &bytes, ref: ref)
        say(bytes)
    }

    /// Waits for a word; others are passed over.
    func wait(
        _ expected: String,
        within milliseconds: Int = 5_000,
        where fits: (Said) -> Bool
    ) throws(KitFault) {
        let deadline = KitClock.milliseconds + milliseconds
        while true {
            let said = try next(within: max(0, deadline - KitClock.milliseconds))
            if fits(said) { return }
            switch said {
            case .nothing, .closed, .left, .error:
                throw .broken(expected: expected, came: "\(said)")
            case .acknowledged, .registered, .receipts, .pinged: continue
            }
        }
    }

    /// Lets the client say what it wants at first, and answers.
    func awaitQuiet() throws(KitFault) {
        while true {
            switch try next(within: 300) {
            case .nothing: return
            case .acknowledged, .registered, .receipts, .pinged: continue
            case .error(let code):
                throw .broken(expected: "no ERROR", came: "0x\(String(code, radix: 16))")
            case .left, .closed: throw .broken(expected: "an open session", came: "its end")
            }
        }
    }
}

extension KitHub {
    /// Milliseconds since 1970.
    static var now: UInt64 { UInt64(KitClock.wallMilliseconds) }
}
