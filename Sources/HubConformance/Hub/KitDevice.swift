import Crypto
import HubParcel
import HubWire

/// A device that says whatever a scenario wants, and remembers what the hub said.
final class KitDevice {
    /// One entry of a DELIVER.
    struct Arrival {
        var entry: DeliverEntry
        var previous: UInt64
        var backlog: UInt32
        var parcel: [UInt8]
    }

    static let patience = 5_000

    let hub: HubUnderTest
    var instance = UInt64.random(in: 1 ... .max)
    var identity: ID16 = .zero
    var key: [UInt8] = []
    var position = Position.none
    var etag: UInt64 = 0
    var link: KitTLS?
    private var ear: FrameEar?
    private var nextReference: UInt16 = 0

    init(_ hub: HubUnderTest) { self.hub = hub }

    // MARK: Opening

    /// Connects without a word.
    func connect(showing certificate: (chain: [UInt8], key: [UInt8])? = nil) throws(KitFault) {
        leave()
        link = try KitTLS.connect(
            over: KitSocket.connect(host: hub.host, port: hub.port),
            trusting: hub.authorities,
            name: hub.host,
            showing: certificate
        )
        guard link != nil else {
            throw .setup("no TLS with \(hub.host):\(hub.port): is its authority named by --ca?")
        }
        ear = FrameEar(.hubToDevice, .waitWelcome, limits: .device, hub.change)
    }

    /// Ends the connection without a word.
    func leave() { link = nil }

    /// HELLO: with the key where there is one, otherwise with a token.
    func hello(
        token: String? = nil,
        key otherKey: [UInt8]? = nil,
        exporter otherExporter: [UInt8]? = nil,
        _ change: (inout HelloMessage) -> Void = { _ in }
    ) throws(KitFault) -> [UInt8] {
        var message = HelloMessage(hub: hub.hub)
        message.instance = instance
        let key = otherKey ?? key
        if key.isEmpty {
            message.authMethod = .token
        } else {
            message.authMethod = .deviceKey
            message.deviceID = identity
            message.position = position
            message.etag = etag
        }
        change(&message)
        var bytes: [UInt8] = []
        do throws(WireError) {
            let writer = try HelloWriter(message, into: &bytes)
            var auth = Array((token ?? hub.token(.listen) ?? "").utf8)
            if message.authMethod == .deviceKey {
                let input = DeviceProof.input(
                    exporter: otherExporter ?? link?.exporter ?? [],
                    prefix: bytes.span.extracting(writer.authenticated)
                )
                let secret = SymmetricKey(data: key)
                auth = Array(HMAC<SHA256>.authenticationCode(for: input, using: secret))
            } else if message.authMethod != .token {
                auth = Array((token ?? "").utf8)
            }
            try writer.finish(auth: auth, into: &bytes)
        } catch {
            throw .setup("no HELLO can be written: \(error.number.name)")
        }
        return bytes
    }

    /// Connects, says HELLO, and waits for WELCOME, whose identity and position it takes.
    @discardableResult
    func open(
        _ change: (inout HelloMessage) -> Void = { _ in }
    ) throws(KitFault) -> WelcomeFrame {
        try connect()
        say(try hello(change))
        return try welcomed()
    }

    /// Waits for WELCOME.
    func welcomed() throws(KitFault) -> WelcomeFrame {
        let frame = try expect(.welcome, "WELCOME")
        let welcome = try read(frame) { body, header throws(WireError) in
            try WelcomeFrame(decoding: body, header: header)
        }
        identity = welcome.deviceID
        if !welcome.deviceKey.isEmpty { key = welcome.deviceKey }
        position = welcome.position
        etag = welcome.etag
        return welcome
    }

    // MARK: Talking

    func say(_ bytes: [UInt8]) { link?.write(bytes) }

    /// The next frame, extension frames and PADDING left out.
    func next(within milliseconds: Int = patience) -> FrameEar.Heard {
        guard let link, let ear else { return .closed(isOrderly: false) }
        while true {
            let heard = ear.next(on: link, within: milliseconds)
            guard case .frame(let frame) = heard, frame.type == nil || frame.type == .padding else {
                return heard
            }
        }
    }

    /// The next frame of a type; DELIVER, RESULT and GAP in front of it are passed over.
    func expect(
        _ type: FrameType,
        _ what: String,
        within milliseconds: Int = patience
    ) throws(KitFault) -> FrameEar.Frame {
        while true {
            let heard = next(within: milliseconds)
            guard case .frame(let frame) = heard else {
                throw .broken(expected: what, came: heard.description)
            }
            if frame.type == type { return frame }
            switch frame.type {
            case .deliver, .result, .gap, .pong: continue
            default: throw .broken(expected: what, came: frame.description)
            }
        }
    }

    /// Decodes a frame; one that cannot be decoded breaks the text.
    func read<Value>(
        _ frame: FrameEar.Frame,
        _ decode: (Span<UInt8>, FrameHeader) throws(WireError) -> Value
    ) throws(KitFault) -> Value {
        guard let header = frame.header else {
            throw .broken(expected: "a frame of minor version 0", came: frame.description)
        }
        do throws(WireError) {
            return try decode(frame.bytes.span.extracting(8..<frame.bytes.count), header)
        } catch {
            throw .broken(
                expected: "a frame without \(error.number.name)",
                came: frame.description
            )
        }
    }

    /// Waits for a fatal ERROR and for the close behind it, with nothing between. [C-3]
    @discardableResult
    func refused(
        with numbers: [ErrorNumber],
        limit: UInt32? = nil,
        within milliseconds: Int = patience
    ) throws(KitFault) -> ErrorFrame {
        let names = numbers.map(\.name).joined(separator: " or ")
        let frame = try expect(.error, "ERROR \(names)", within: milliseconds)
        let error = try read(frame) { body, header throws(WireError) in
            try ErrorFrame(decoding: body, header: header)
        }
        guard numbers.contains(where: { $0.rawValue == error.code }) else {
            throw .broken(expected: "ERROR \(names)", came: frame.description)
        }
        guard error.isFatal else {
            throw .broken(expected: "ERROR \(names) with the flag fatal", came: frame.description)
        }
        if let limit, error.limit != limit {
            throw .broken(
                expected: "ERROR \(names) with limit \(limit)",
                came: "limit \(error.limit): \(frame.description)"
            )
        }
        let end = next()
        guard end == .closed(isOrderly: true) else {
            throw .broken(expected: "close_notify behind ERROR", came: end.description)
        }
        return error
    }

    /// Sends PING, and waits for its PONG.
    @discardableResult
    func ping(ack: UInt64 = 0) throws(KitFault) -> PongFrame {
        let token = UInt32.random(in: 1 ... .max)
        var bytes: [UInt8] = []
        PingFrame(nextSeconds: 300, token: token, ack: ack).encode(into: &bytes)
        say(bytes)
        let frame = try expect(.pong, "PONG with token \(token)")
        let pong = try read(frame) { body, header throws(WireError) in
            try PongFrame(decoding: body, header: header)
        }
        guard pong.token == token else {
            throw .broken(expected: "PONG with token \(token)", came: frame.description)
        }
        return pong
    }

    // MARK: Requests

    func reference() -> UInt16 {
        nextReference = nextReference % 0xFFFF + 1
        return nextReference
    }

    /// Sends a request and waits for its RESULT; the etag of a success is kept.
    @discardableResult
    func request(
        _ encode: (inout [UInt8], UInt16) throws(WireError) -> Void
    ) throws(KitFault) -> ResultFrame {
        let ref = reference()
        var bytes: [UInt8] = []
        do throws(WireError) {
            try encode(&bytes, ref)
        } catch {
            throw .notPlayed("no frame holds such a request: \(error.number.name)")
        }
        say(bytes)
        return try result(of: ref)
    }

    /// Waits for the RESULT of a request.
    func result(of ref: UInt16) throws(KitFault) -> ResultFrame {
        while true {
            let frame = try expect(.result, "RESULT with ref \(ref)")
            guard frame.header?.ref == ref else { continue }
            let result = try read(frame) { body, header throws(WireError) in
                try ResultFrame(decoding: body, header: header)
            }
            if result.status == 0 { etag = result.etag }
            return result
        }
    }

    /// REGISTER of a slot.
    @discardableResult
    func register(
        slot: UInt16 = 0,
        platform: UInt8 = 0,
        _ tags: [String],
        template: TemplateMessage? = nil,
        ifETag: UInt64 = 0
    ) throws(KitFault) -> ResultFrame {
        var message = RegisterMessage(
            slot: slot,
            platform: platform,
            tags: tags.map { Array($0.utf8) },
            template: template
        )
        message.ifETag = ifETag
        return try request { bytes, ref throws(WireError) in
            try message.encode(into: &bytes, ref: ref)
        }
    }

    /// Waits for entries, and checks that they follow each other. [D-1] [D-2]
    func arrivals(
        _ count: Int,
        within milliseconds: Int = patience
    ) throws(KitFault) -> [Arrival] {
        var all: [Arrival] = []
        while all.count < count {
            let frame = try expect(.deliver, "DELIVER", within: milliseconds)
            let before = position.sequence
            let found = try read(frame) { body, header throws(WireError) in
                let deliver = try DeliverFrame(decoding: body, header: header)
                var found: [Arrival] = []
                var entries = deliver.makeIterator()
                while let entry = entries.next() {
                    let parcel = deliver.parcel(entry)
                    found.append(
                        Arrival(
                            entry: entry,
                            previous: deliver.prevSeq,
                            backlog: deliver.backlog,
                            parcel: parcel.indices.map { parcel[$0] }
                        )
                    )
                }
                return found
            }
            guard found.allSatisfy({ $0.previous == before }) else {
                throw .broken(
                    expected: "DELIVER with prev_seq \(before)",
                    came: frame.description
                )
            }
            guard found.count == 1 || frame.bytes.count <= WireLimits.flushBytesMax else {
                throw .broken(
                    expected: "at most \(WireLimits.flushBytesMax) bytes with several entries",
                    came: "\(frame.bytes.count) bytes"
                )
            }
            for arrival in found { take(arrival) }
            all += found
        }
        return all
    }

    private func take(_ arrival: Arrival) {
        guard let sequence = arrival.entry.seq, !arrival.entry.continues else { return }
        position.sequence = sequence
        // The last four bytes of the id. [D-5]
        let id = ParcelID(ofParcel: arrival.parcel.span)
        position.check = UInt32(truncatingIfNeeded: id?.lo ?? 0)
    }

    /// ACK of all that has come.
    func acknowledge(_ sequence: UInt64? = nil) {
        var bytes: [UInt8] = []
        AckFrame(seq: sequence ?? position.sequence).encode(into: &bytes)
        say(bytes)
    }

    /// The payload of an entry.
    func payload(_ arrival: Arrival) throws(KitFault) -> (ParcelCodec, [UInt8]) {
        do throws(ParcelError) {
            let view = try ParcelView(decoding: arrival.parcel.span)
            var inflater = ParcelInflater()
            return (view.codec, try inflater.payload(of: view, maxPayload: 65_536))
        } catch {
            throw .broken(
                expected: "a parcel that can be decoded",
                came: "\(error.rawValue): \(KitHex.short(arrival.parcel))"
            )
        }
    }

    /// Sends over REST; not possible without a connection string.
    func send(_ order: HubUnderTest.Order) throws(KitFault) {
        guard let send = hub.send else {
            throw .notPlayed("nothing can be sent: give a connection string")
        }
        try send(order)
    }

    /// Sends a native notification.
    func send(
        _ text: String,
        tag: String,
        headers: [(name: String, value: String)] = []
    ) throws(KitFault) {
        try send(.apple(Self.body(text), tag: tag, headers: headers))
    }

    static func body(_ text: String) -> [UInt8] { Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8) }

    /// A tag that no other device has.
    static func tag() -> String { "kit-" + String(UInt64.random(in: 0 ... .max), radix: 36) }
}

/// Throws unless a condition holds.
func expect(
    _ holds: Bool,
    _ expected: @autoclosure () -> String,
    came: @autoclosure () -> String
) throws(KitFault) {
    guard holds else { throw .broken(expected: expected(), came: came()) }
}
