import HubTestSupport
import HubWire

/// Frames of every type with fields at random, and now and then at their edges.
struct RandomFrames {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The bytes of one frame of a type.
    mutating func frame(_ type: FrameType) throws(WireError) -> [UInt8] {
        var bytes: [UInt8] = []
        switch type {
        case .hello: try hello(&bytes)
        case .welcome: welcome(&bytes)
        case .ping:
            PingFrame(nextSeconds: integer(), netType: integer(), token: integer(), ack: integer())
                .encode(into: &bytes)
        case .pong:
            PongFrame(token: integer(), hintSeconds: integer(), serverTime: integer())
                .encode(into: &bytes)
        case .goaway:
            GoawayFrame(
                reason: GoawayReason.allCases.randomElement(using: &random) ?? .drain,
                mayReconnect: Bool.random(using: &random),
                minDelay: integer(),
                spread: integer(),
                detail: text(200)
            ).encode(into: &bytes)
        case .bye: ByeFrame(reason: integer(), expectedReturn: integer()).encode(into: &bytes)
        case .error: error(&bytes)
        case .window:
            let floor = UInt32(WireLimits.windowBytesFloor)
            WindowFrame(appState: integer(), messages: integer(), bytes: max(floor, integer()))
                .encode(into: &bytes)
        case .register: try register(&bytes)
        case .unregister:
            let slot = Bool.random(using: &random) ? UnregisterFrame.allSlots : slot()
            UnregisterFrame(slot: slot, ref: ref()).encode(into: &bytes)
        case .tags:
            var message = TagsMessage(slot: slot(), replacingWith: tags(), ifETag: integer())
            if Bool.random(using: &random) {
                message = TagsMessage(slot: slot(), add: tags(), remove: tags())
            }
            try message.encode(into: &bytes, ref: ref())
        case .result: result(&bytes)
        case .deliver: deliver(&bytes)
        case .ack: AckFrame(seq: integer()).encode(into: &bytes)
        case .gap:
            let from: UInt64 = integer() >> 1
            let to = from + max(1, integer() >> 1)
            var frame = GapFrame(from: from, to: to, lost: 0, check: integer(), reason: .moved)
            frame.lost = integer()
            frame.reason = integer()
            frame.encode(into: &bytes)
        case .receipts: receipts(&bytes)
        case .padding:
            PaddingFrame.encode(count: count(WireLimits.paddingBytesMax), into: &bytes)
        }
        return bytes
    }

    private mutating func integer<Value: FixedWidthInteger & UnsignedInteger>() -> Value {
        switch UInt8.random(in: 0...5, using: &random) {
        case 0: 0
        case 1: .max
        default: .random(in: 0...(.max), using: &random)
        }
    }

    /// A number up to `max`, often at an edge.
    private mutating func count(_ max: Int) -> Int {
        switch UInt8.random(in: 0...4, using: &random) {
        case 0: 0
        case 1: max
        default: Int.random(in: 0...max, using: &random)
        }
    }

    private mutating func ref() -> UInt16 { max(1, integer()) }
    private mutating func slot() -> UInt16 { UInt16(count(WireLimits.slotMax)) }

    private mutating func id() -> ID16 {
        ID16(high: .random(in: 1...(.max), using: &random), low: integer())
    }

    private mutating func text(_ max: Int) -> String {
        let characters: [Unicode.Scalar] = ["a", "~", "\u{80}", "é", "中", "\u{FFFD}", "😀", " "]
        var text = ""
        var left = count(max)
        while left >= 4, let next = characters.randomElement(using: &random) {
            text.unicodeScalars.append(next)
            left -= UTF8.width(next)
        }
        return text
    }

    private mutating func tags() -> [[UInt8]] {
        var tags: [[UInt8]] = []
        for _ in 0..<count(20) { tags.append(random.bytes(1 + count(254))) }
        return tags
    }

    private mutating func hello(_ bytes: inout [UInt8]) throws(WireError) {
        var message = HelloMessage(hub: text(WireLimits.hubNameBytesMax))
        message.minorMax = integer()
        message.netType = integer()
        message.capabilities = Capabilities(rawValue: integer())
        message.deviceID = Bool.random(using: &random) ? .zero : id()
        message.instance = integer()
        message.position.epoch = integer()
        if message.position.epoch != 0 {
            message.position.sequence = integer()
            message.position.check = integer()
        }
        message.maxFrame = max(UInt32(WireLimits.frameBytesFloor), integer())
        message.etag = integer()
        message.maxPayload = max(UInt32(WireLimits.payloadBytesFloor), integer())
        message.windowBytes = max(UInt32(WireLimits.windowBytesFloor), integer())
        message.windowMessages = integer()
        message.keepaliveMax = max(1, integer())
        message.keepaliveMin = min(message.keepaliveMax, integer())
        message.authMethod = AuthMethod.allCases.randomElement(using: &random) ?? .none
        try message.encode(auth: random.bytes(count(WireLimits.authBytesMax)), into: &bytes)
    }

    private mutating func welcome(_ bytes: inout [UInt8]) {
        let outcome = ResumeOutcome.allCases.randomElement(using: &random) ?? .fresh
        var message = WelcomeFrame(
            resume: outcome,
            deviceID: id(),
            position: Position(
                epoch: max(1, integer()),
                sequence: integer(),
                check: integer()
            ),
            handle: random.bytes(WireLimits.handleBytes)
        )
        if outcome == .gap || outcome == .reset { message.lost = integer() }
        message.capabilities = Capabilities(rawValue: integer())
        message.limits.frameBytes = max(UInt32(WireLimits.frameBytesFloor), integer())
        message.serverTime = integer()
        message.etag = integer()
        message.authExpires = integer()
        message.retention = integer()
        message.keepalive = integer()
        message.grace = integer()
        message.limits.registrations = integer()
        message.limits.tags = integer()
        message.limits.tagBytes = integer()
        message.ackDelay = integer()
        message.limits.receipts = integer()
        let longest = UInt32.random(in: 1_000...3_600_000, using: &random)
        let spread = UInt32.random(in: 0...longest, using: &random)
        message.limits.returning = ReturnPace(spread: spread, longest: longest)
        if Bool.random(using: &random) {
            message.deviceKey = random.bytes(WireLimits.deviceKeyBytes)
        }
        message.trace = text(WireLimits.traceBytesMax)
        message.encode(into: &bytes)
    }

    private mutating func error(_ bytes: inout [UInt8]) {
        ErrorFrame(
            ErrorNumber.allCases.randomElement(using: &random) ?? .internalError,
            isFatal: Bool.random(using: &random),
            aboutType: integer(),
            retryAfter: integer(),
            limit: integer(),
            detail: text(WireLimits.detailBytesMax)
        ).encode(into: &bytes, ref: integer())
    }

    private mutating func register(_ bytes: inout [UInt8]) throws(WireError) {
        var message = RegisterMessage(slot: slot(), platform: integer(), tags: tags())
        message.ttl = integer()
        message.ifETag = integer()
        if Bool.random(using: &random) {
            var headers: [NotificationHeader] = []
            for _ in 0..<count(4) {
                headers.append(.init(name: "h" + text(254), value: text(255)))
            }
            message.template = TemplateMessage(
                name: text(WireLimits.templateNameBytesMax),
                expiry: text(WireLimits.templateExpiryBytesMax),
                headers: headers,
                body: random.bytes(count(WireLimits.templateBytesMax))
            )
        }
        try message.encode(into: &bytes, ref: ref())
    }

    private mutating func result(_ bytes: inout [UInt8]) {
        ResultFrame(
            status: ErrorNumber.allCases.randomElement(using: &random),
            slot: integer(),
            retryAfter: integer(),
            etag: integer(),
            expires: integer(),
            applied: integer(),
            handle: random.bytes(count(WireLimits.resultHandleBytesMax)),
            detail: text(WireLimits.detailBytesMax)
        ).encode(into: &bytes, ref: ref())
    }

    private mutating func deliver(_ bytes: inout [UInt8]) {
        var writer = DeliverWriter(previousSeq: integer() >> 1, into: &bytes)
        var group: UInt16?
        for _ in 0..<max(1, count(WireLimits.deliverEntriesMax)) {
            let parcel = random.bytes(WireLimits.parcelBytesMin + count(300))
            guard writer.hasRoom(for: parcel.count, in: bytes) else { break }
            var flags: UInt8 = integer() & 0xF1
            var delta: UInt32 = 0
            var slot: UInt16 = integer()
            if Int.random(in: 0..<5, using: &random) == 0 {
                flags |= DeliverFlag.transient
            } else {
                if let last = group { slot = last + 1 } else { delta = max(1, integer()) }
                group = nil
                if slot < .max, Bool.random(using: &random) {
                    flags |= DeliverFlag.continues
                    group = slot
                }
            }
            writer.append(seqDelta: delta, slot: slot, flags: flags, parcel: parcel, into: &bytes)
        }
        writer.finish(backlog: integer(), into: &bytes)
    }

    private mutating func receipts(_ bytes: inout [UInt8]) {
        var receipts: [Receipt] = []
        for _ in 0..<max(1, count(WireLimits.receiptsMax)) {
            receipts.append(
                Receipt(
                    notification: id(),
                    event: integer(),
                    action: integer(),
                    slot: integer(),
                    time: integer()
                )
            )
        }
        ReceiptsMessage(receipts).encode(into: &bytes, ref: ref())
    }
}
