import Crypto
import HubDirectory
import HubModel
import HubParcel
import HubTags
import HubVocabulary
import HubWire
import Testing

/// A device that does what a test tells it and keeps what it hears, frame by frame.
final class ScriptedDevice {
    /// One delivered entry.
    struct Entry: Equatable {
        var sequence: UInt64?
        var slot: UInt16
        var flags: UInt8
        var text: String
        /// `name: value` of what came with it.
        var headers: [String] = []
    }

    let hub: WholeHub
    private(set) var address: ConnectionAddress
    private var exporter: UInt8

    var welcome: WelcomeFrame?
    var id = ID16.zero
    var key: [UInt8] = []
    var position = Position.none
    var entries: [Entry] = []
    var delivers: [(previous: UInt64, backlog: UInt32, count: Int)] = []
    var results: [ResultFrame] = []
    var errors: [ErrorFrame] = []
    var gaps: [GapFrame] = []
    var goaways: [GoawayFrame] = []
    var pongs: [PongFrame] = []
    /// Frames of unused types.
    var unusedFrames = 0
    var windowMessages = UInt16(WireLimits.windowMessagesDefault)
    var capabilities = Capabilities.known
    var instance: UInt64 = 1
    private var lastRef: UInt16 = 0

    /// Opens a connection without saying anything.
    init(_ hub: WholeHub, shard: Int = 0, exporter: UInt8 = 1) {
        self.hub = hub
        self.exporter = exporter
        address = hub.connect(shard: shard, exporter: exporter)
    }

    /// A new device with a session, and a registration for Apple in slot 0.
    static func registered(
        _ hub: WholeHub,
        shard: Int = 0,
        exporter: UInt8 = 1,
        tags: [String]
    ) throws -> ScriptedDevice {
        let device = ScriptedDevice(hub, shard: shard, exporter: exporter)
        try device.hello()
        try device.register(tags: tags)
        return device
    }

    // MARK: Speaking

    /// HELLO with a token, or with the key once there is one; then reads WELCOME.
    func hello(token: [UInt8]? = nil, key otherKey: [UInt8]? = nil) throws {
        var message = HelloMessage(hub: WholeHub.name)
        message.deviceID = id
        message.instance = instance
        message.position = position
        message.windowMessages = windowMessages
        message.capabilities = capabilities
        let proofKey = otherKey ?? key
        message.authMethod = proofKey.isEmpty ? .token : .deviceKey
        var bytes: [UInt8] = []
        let writer = try HelloWriter(message, into: &bytes)
        var auth = token ?? hub.listenToken
        if !proofKey.isEmpty {
            let input = DeviceProof.input(
                exporter: Array(repeating: exporter, count: 32),
                prefix: bytes.span.extracting(writer.authenticated)
            )
            let code = HMAC<SHA256>.authenticationCode(
                for: input,
                using: SymmetricKey(data: proofKey)
            )
            auth = Array(code)
        }
        try writer.finish(auth: auth, into: &bytes)
        send(bytes)
    }

    /// Sends bytes as they are and reads what comes back.
    func send(_ bytes: [UInt8]) {
        hub.input(bytes, from: address)
        hub.runUntilIdle()
        read()
    }

    func register(
        slot: UInt16 = 0,
        platform: Platform = .apple,
        tags: [String],
        template: TemplateMessage? = nil
    ) throws {
        var bytes: [UInt8] = []
        let message = RegisterMessage(
            slot: slot,
            platform: platform.rawValue,
            tags: tags.map { Array($0.utf8) },
            template: template
        )
        try message.encode(into: &bytes, ref: nextRef())
        send(bytes)
    }

    func patch(slot: UInt16 = 0, add: [String] = [], remove: [String] = []) throws {
        var bytes: [UInt8] = []
        let message = TagsMessage(
            slot: slot,
            add: add.map { Array($0.utf8) },
            remove: remove.map { Array($0.utf8) }
        )
        try message.encode(into: &bytes, ref: nextRef())
        send(bytes)
    }

    func unregister(slot: UInt16) {
        var bytes: [UInt8] = []
        UnregisterFrame(slot: slot, ref: nextRef()).encode(into: &bytes)
        send(bytes)
    }

    /// Acknowledges everything heard, or through `sequence`.
    func acknowledge(_ sequence: UInt64? = nil) {
        var bytes: [UInt8] = []
        AckFrame(seq: sequence ?? position.sequence).encode(into: &bytes)
        send(bytes)
    }

    func window(messages: UInt16, appState: UInt8 = 1) {
        var bytes: [UInt8] = []
        WindowFrame(appState: appState, messages: messages, bytes: 65_536).encode(into: &bytes)
        send(bytes)
    }

    func ping(next: UInt16 = 300) {
        var bytes: [UInt8] = []
        PingFrame(nextSeconds: next, token: 7).encode(into: &bytes)
        send(bytes)
    }

    func receipts(_ all: [(NotificationID, ReceiptEvent, UInt16)]) {
        var bytes: [UInt8] = []
        let records = all.map { id, event, slot in
            Receipt(
                notification: ID16(high: id.high, low: id.low),
                event: event.rawValue,
                slot: slot,
                time: 1
            )
        }
        ReceiptsMessage(records).encode(into: &bytes, ref: nextRef())
        send(bytes)
    }

    private func nextRef() -> UInt16 {
        lastRef += 1
        return lastRef
    }

    // MARK: Coming and going

    /// The connection breaks; what was not read is lost.
    func cut() {
        hub.cut(address)
        _ = hub.output(to: address)
    }

    /// A new connection with the state that the device keeps.
    func reconnect(shard: Int = 0, exporter: UInt8 = 2) throws {
        self.exporter = exporter
        address = hub.connect(shard: shard, exporter: exporter)
        welcome = nil
        try hello()
    }

    // MARK: Hearing

    /// Takes in everything that was written to this device.
    func read() {
        let bytes = hub.output(to: address)
        var start = 0
        while start < bytes.count {
            let rest = bytes.span.extracting(start..<bytes.count)
            do throws(WireError) {
                let state: DecodingState = welcome == nil ? .waitWelcome : .ready
                let step = try FrameDecoder.step(
                    rest,
                    direction: .hubToDevice,
                    state: state,
                    limits: .device
                )
                switch step {
                case .frame(let header):
                    try take(header, header.body(of: rest))
                    start += header.totalBytes
                case .skip(let count):
                    unusedFrames += 1
                    start += count
                case .needMore:
                    Issue.record("the hub wrote half a frame: \(step)")
                    return
                }
            } catch {
                Issue.record("the hub wrote a bad frame: \(error)")
                return
            }
        }
    }

    private func take(_ header: FrameHeader, _ body: Span<UInt8>) throws(WireError) {
        switch header.type {
        case .welcome:
            let message = try WelcomeFrame(decoding: body, header: header)
            welcome = message
            id = message.deviceID
            if !message.deviceKey.isEmpty { key = message.deviceKey }
            position = message.position
        case .deliver: try take(DeliverFrame(decoding: body, header: header))
        case .result: results.append(try ResultFrame(decoding: body, header: header))
        case .error: errors.append(try ErrorFrame(decoding: body, header: header))
        case .goaway:
            goaways.append(try GoawayFrame(decoding: body, header: header))
        case .pong: pongs.append(try PongFrame(decoding: body, header: header))
        case .gap:
            let gap = try GapFrame(decoding: body, header: header)
            #expect(gap.from == position.sequence)
            position.sequence = gap.to
            position.check = gap.check
            gaps.append(gap)
        default: Issue.record("the hub wrote \(header.type)")
        }
    }

    private func take(_ frame: borrowing DeliverFrame) {
        let previous = frame.prevSeq
        #expect(previous == position.sequence, "the chain is broken")
        delivers.append((previous, frame.backlog, frame.count))
        var inflater = ParcelInflater()
        var iterator = frame.makeIterator()
        while let entry = iterator.next() {
            do throws(ParcelError) {
                let view = try ParcelView(decoding: frame.parcel(entry))
                let payload = try inflater.payload(of: view, maxPayload: 65_536)
                let text = String(decoding: payload, as: UTF8.self)
                entries.append(
                    Entry(
                        sequence: entry.seq,
                        slot: entry.slot,
                        flags: entry.eflags,
                        text: text,
                        headers: view.headers().map { header in
                            String(decoding: header.name, as: UTF8.self) + ": "
                                + String(decoding: header.value, as: UTF8.self)
                        }
                    )
                )
                if let sequence = entry.seq, !entry.continues {
                    position.sequence = sequence
                    position.check = UInt32(truncatingIfNeeded: view.id.lo)
                }
            } catch {
                Issue.record("a bad parcel: \(error)")
            }
        }
    }

    /// The push handle as senders write it.
    var handle: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return (welcome?.handle ?? []).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    /// A registration of it with one tag, as a backend stores one.
    func content(_ tag: String) -> RegistrationContent {
        RegistrationContent(
            platform: .apple,
            handle: handle,
            tags: TagSet([Array(tag.utf8)])
        )
    }

    /// Changes a registration twice more than is remembered, each time in front of a send.
    func changeTooOften(_ id: [UInt8], sendingTo tag: (Int) -> String = { _ in "nobody" }) throws {
        let grant = AccessGrant(rule: "full", rights: [.manage])
        for step in 1...CoreLimits.standard.registrations.formerTagSetsMax + 2 {
            _ = try hub.store(PutRegistration(id: id, content("t\(step)"), .none, grant))
            hub.run(Send(try WholeHub.apple("\(step)", tags: tag(step))))
        }
    }

    /// The alert texts that came, in order.
    var alerts: [String] {
        entries.map { entry in
            entry.text.replacing(#"{"aps":{"alert":""#, with: "").replacing(#""}}"#, with: "")
        }
    }

    /// The numbers of the errors that came.
    var errorNumbers: [ErrorNumber] { errors.compactMap { ErrorNumber(rawValue: $0.code) } }
}
