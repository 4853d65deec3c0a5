import HubParcel
import HubWire

/// What a hub says, written with the encoders that the real one uses.
enum HubScript {
    static let deviceID = ID16(high: 0xD0D0, low: 0x0D0D)
    static let key = [UInt8](repeating: 0x4B, count: 32)
    static let handle = [UInt8](repeating: 0x48, count: 32)
    static let epoch: UInt64 = 77
    /// Milliseconds since 1970 at which every script begins.
    static let wallStart: UInt64 = 1_800_000_000_000

    static func welcome(
        _ resume: ResumeOutcome = .fresh,
        sequence: UInt64 = 0,
        check: UInt32 = 0,
        withKey: Bool = true,
        change: (inout WelcomeFrame) -> Void = { _ in }
    ) -> [UInt8] {
        var message = WelcomeFrame(
            resume: resume,
            deviceID: deviceID,
            position: Position(epoch: epoch, sequence: sequence, check: check),
            handle: handle
        )
        message.capabilities = .known
        message.serverTime = wallStart
        message.ackDelay = 25
        if withKey { message.deviceKey = key }
        change(&message)
        var bytes: [UInt8] = []
        message.encode(into: &bytes)
        return bytes
    }

    /// The id of the notification at a sequence number; its check is the number itself.
    static func id(_ sequence: UInt64) -> ID16 {
        ID16(high: wallStart << 16 | 0x7000, low: 0x8000_0000_0000_0000 | sequence)
    }

    static func parcel(
        _ sequence: UInt64,
        payload: String? = nil,
        change: (inout ParcelDescription) -> Void = { _ in }
    ) -> [UInt8] {
        let id = id(sequence)
        var description = ParcelDescription(
            id: ParcelID(hi: id.high, lo: id.low),
            ttlSeconds: 3_600,
            platform: 0,
            payload: Array((payload ?? "{\"n\":\(sequence)}").utf8)
        )
        change(&description)
        var deflater = ParcelDeflater()
        do throws(ParcelEncodingError) {
            return try deflater.encode(description, codec: .wellKnownDictionary)
        } catch {
            preconditionFailure("parcel \(sequence): \(error)")
        }
    }

    /// One entry of a DELIVER frame.
    struct Entry {
        var sequence: UInt64
        var slot: UInt16 = 0
        var continues = false
        var isTransient = false
        var parcel: [UInt8]?
    }

    /// A DELIVER frame whose chain begins at `previous`.
    static func deliver(
        after previous: UInt64,
        _ entries: [Entry],
        backlog: UInt32 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = DeliverWriter(previousSeq: previous, into: &bytes)
        var last = previous
        for entry in entries {
            let delta = entry.isTransient ? 0 : UInt32(entry.sequence - last)
            if !entry.isTransient { last = entry.sequence }
            var flags: UInt8 = entry.continues ? DeliverFlag.continues : 0
            if entry.isTransient { flags |= DeliverFlag.transient }
            writer.append(
                seqDelta: delta,
                slot: entry.slot,
                flags: flags,
                parcel: entry.parcel ?? parcel(entry.sequence),
                into: &bytes
            )
        }
        writer.finish(backlog: backlog, into: &bytes)
        return bytes
    }

    /// A DELIVER frame with the given sequence numbers for slot 0.
    static func deliver(after previous: UInt64, _ sequences: UInt64...) -> [UInt8] {
        deliver(after: previous, sequences.map { Entry(sequence: $0) })
    }

    static func error(_ message: ErrorFrame, ref: UInt16 = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        message.encode(into: &bytes, ref: ref)
        return bytes
    }

    static func result(_ message: ResultFrame, ref: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        message.encode(into: &bytes, ref: ref)
        return bytes
    }
}

/// What a device said, decoded with the hub's decoder.
enum DeviceFrame: Equatable {
    case hello(HelloMessage, auth: [UInt8])
    case ping(PingFrame)
    case ack(UInt64)
    case bye(reason: UInt8)
    case error(ErrorNumber?)
    case window(WindowFrame)
    case register(RegisterMessage, ref: UInt16)
    case unregister(slot: UInt16, ref: UInt16)
    case tags(TagsMessage, ref: UInt16)
    case receipts([Receipt], ref: UInt16)
    /// Of a type that no version knows.
    case unused

    /// All frames of some output; traps on what a hub would refuse.
    static func all(in bytes: [UInt8]) -> [DeviceFrame] {
        var frames: [DeviceFrame] = []
        var start = 0
        while start < bytes.count {
            let piece = Array(bytes[start...])
            let (frame, count) = first(of: piece.span)
            frames.append(frame)
            start += count
        }
        return frames
    }

    private static func first(of bytes: Span<UInt8>) -> (DeviceFrame, Int) {
        do throws(WireError) {
            let step = try FrameDecoder.step(
                bytes,
                direction: .deviceToHub,
                state: bytes[0] == FrameType.hello.rawValue ? .waitHello : .ready,
                limits: .hub
            )
            switch step {
            case .frame(let header):
                return (try DeviceFrame(header, header.body(of: bytes)), header.totalBytes)
            case .skip(let count): return (.unused, count)
            case .needMore: preconditionFailure("the device sent \(step)")
            }
        } catch {
            preconditionFailure("the device sent what a hub refuses: \(error)")
        }
    }

    private init(_ header: FrameHeader, _ body: Span<UInt8>) throws(WireError) {
        switch header.type {
        case .hello:
            let frame = try HelloFrame(decoding: body, header: header)
            var auth: [UInt8] = []
            for index in frame.auth.indices { auth.append(frame.auth[index]) }
            self = .hello(frame.message, auth: auth)
        case .ping: self = .ping(try PingFrame(decoding: body, header: header))
        case .ack: self = .ack(try AckFrame(decoding: body, header: header).seq)
        case .bye: self = .bye(reason: try ByeFrame(decoding: body, header: header).reason)
        case .error:
            let frame = try ErrorFrame(decoding: body, header: header)
            self = .error(ErrorNumber(rawValue: frame.code))
        case .window: self = .window(try WindowFrame(decoding: body, header: header))
        case .register:
            let frame = try RegisterFrame(decoding: body, header: header)
            self = .register(RegisterMessage(frame), ref: header.ref)
        case .unregister:
            let frame = try UnregisterFrame(decoding: body, header: header)
            self = .unregister(slot: frame.slot, ref: header.ref)
        case .tags:
            let frame = try TagsFrame(decoding: body, header: header)
            self = .tags(TagsMessage(frame), ref: header.ref)
        case .receipts:
            let frame = try ReceiptsFrame(decoding: body, header: header)
            self = .receipts(ReceiptsMessage(frame).receipts, ref: header.ref)
        case .welcome, .pong, .goaway, .result, .deliver, .gap, .padding:
            preconditionFailure("the device sent \(header.type.name)")
        }
    }
}
