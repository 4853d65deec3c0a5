import Crypto
import HubParcel
import HubVocabulary
import HubWire

/// A connection on which HELLO was said.
struct OpeningLink {
    var begun = BegunFrame.none
    /// When HELLO was said.
    private let saidAt: Instant

    init(at instant: Instant) { saidAt = instant }

    private var welcomeDue: Instant {
        saidAt + .seconds(WireLimits.welcomeSecondsMax)
    }

    var nextDeadline: Instant { min(welcomeDue, begun.due ?? welcomeDue) }

    /// Returns the departure of a session that has taken too long; nil while it has time.
    func overdue(_ core: inout SessionCore) -> Departure? {
        if core.now.instant >= welcomeDue { return .welcomeMissing }
        guard let due = begun.due, core.now.instant >= due else { return nil }
        ErrorFrame(.frameTimeout).encode(into: &core.output)
        return .frameStalled
    }

    /// Takes a frame in front of WELCOME, or WELCOME.
    consuming func take(
        _ header: FrameHeader,
        body: Span<UInt8>,
        _ core: inout SessionCore
    ) -> LinkPhase {
        do throws(WireError) {
            switch header.type {
            case .welcome:
                let welcome = try WelcomeFrame(decoding: body, header: header)
                return .ready(try ReadyLink(welcome, lastSent: saidAt, &core))
            case .goaway:
                let goaway = try GoawayFrame(decoding: body, header: header)
                return .leaving(Departure(goaway), from: nil)
            case .error:
                let error = try ErrorFrame(decoding: body, header: header)
                return .leaving(core.departure(for: error), from: nil)
            case .padding: return .opening(self)
            case .hello, .ping, .pong, .bye, .window, .register, .unregister, .tags, .result,
                .deliver, .ack, .gap, .receipts:
                // The decoder refuses these before WELCOME.
                throw WireError(.wrongState, about: header.type)
            }
        } catch {
            return .leaving(core.refuse(error), from: nil)
        }
    }
}

extension SessionCore {
    /// Says HELLO: proves the device key where there is one, otherwise shows the token.
    mutating func sayHello(exporter: [UInt8], token: String?) throws(WireError) {
        var hello = HelloMessage(hub: configuration.hub)
        hello.netType = configuration.netType
        hello.capabilities = configuration.capabilities
        if saysUnused() { hello.capabilities.formUnion(.unused(random.next())) }
        hello.instance = instance
        hello.windowBytes = configuration.windowBytes
        hello.windowMessages = configuration.windowMessages
        hello.keepaliveMin = configuration.keepAliveLeast
        hello.keepaliveMax = configuration.keepAliveMost
        guard let identity = state.identity else {
            guard let token else { throw WireError(.authRequired, about: .hello) }
            hello.authMethod = .token
            try hello.encode(auth: Array(token.utf8), into: &output)
            return
        }
        hello.deviceID = identity.id
        hello.authMethod = .deviceKey
        // Twice a hole on a live connection: this position cannot be continued.
        if sequenceGaps < 2 { hello.position = state.position }
        hello.etag = state.etag
        let writer = try HelloWriter(hello, into: &output)
        let input = DeviceProof.input(
            exporter: exporter,
            prefix: output.span.extracting(writer.authenticated)
        )
        let proof = HMAC<SHA256>.authenticationCode(
            for: input,
            using: SymmetricKey(data: identity.key)
        )
        try writer.finish(auth: Array(proof), into: &output)
    }
}
