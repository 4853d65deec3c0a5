import Crypto
package import HubTransport
import HubWire

extension LinkSession {
    /// Begins the session on a new connection: HELLO.
    ///
    /// The device key is proved where there is one, otherwise `token` makes a new identity.
    /// - Parameters:
    ///   - exporter: 32 bytes of the connection's TLS exporter (`DeviceProof.exporterLabel`).
    ///   - token: a SharedAccessSignature with the Listen right.
    ///   - now: the turn's time.
    ///   - actions: grows by `close` when no HELLO can be made.
    package mutating func open(
        exporter: [UInt8],
        token: String?,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        precondition(phase == .idle, "open in phase \(phase)")
        phase = .opening
        connection.welcomeDeadline = now.instant + .seconds(WireLimits.welcomeSecondsMax)
        connection.lastSent = now.instant
        do throws(WireError) {
            try appendHello(exporter: exporter, token: token)
        } catch {
            end(
                .refused(
                    code: error.number.rawValue,
                    aboutHello: true,
                    hasOtherCredentials: hasOtherCredentials,
                    retryAfter: .zero
                )
            )
        }
        finishInput(now: now, actions: &actions)
    }

    private mutating func appendHello(
        exporter: [UInt8],
        token: String?
    ) throws(WireError) {
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

    /// Takes WELCOME: identity, position, limits; then sends what the hub does not have yet.
    mutating func receive(
        _ welcome: WelcomeFrame,
        now: TurnTime,
        actions: inout [SessionAction]
    ) throws(WireError) {
        let isNewIdentity = try adoptIdentity(of: welcome)
        try adoptPosition(of: welcome)
        phase = .ready
        connection.welcomeDeadline = nil
        connection.openedAt = now.instant
        connection.chain = welcome.position.sequence
        connection.acknowledged = welcome.position.sequence
        connection.ackDelay = .milliseconds(Int(welcome.ackDelay) * 10)
        connection.capabilities = welcome.capabilities
        connection.receiptsPerFrame = min(Int(welcome.limits.receipts), WireLimits.receiptsMax)
        connection.hubClock = HubClock(milliseconds: welcome.serverTime, readAt: now.instant)
        var keepAlive =
            state.keepAlive
            ?? KeepAlive(
                start: Int(welcome.keepalive),
                least: Int(configuration.keepAliveLeast),
                most: Int(configuration.keepAliveMost)
            )
        keepAlive.wake(atMilliseconds: now.wallMilliseconds)
        state.keepAlive = keepAlive
        connection.promisedSeconds = max(
            1,
            min(keepAlive.intervalSeconds, Int(welcome.keepalive))
        )
        needsCommit = true
        actions.append(
            .opened(
                SessionOpening(
                    outcome: welcome.resume,
                    lost: welcome.lost,
                    position: state.position,
                    deviceID: welcome.deviceID,
                    isNewIdentity: isNewIdentity,
                    clockOffsetMilliseconds: Int64(clamping: welcome.serverTime)
                        - Int64(clamping: now.wallMilliseconds),
                    trace: welcome.trace
                )
            )
        )
        if saysUnused() { UnusedFrame.encode(random.next(), into: &output) }
        sendRegistrations(hubETag: welcome.etag, now: now, actions: &actions)
        sendReceipts(now: now)
    }

    /// Whether it is time to send a number that no version knows, so that hubs stay used to it.
    private mutating func saysUnused() -> Bool {
        configuration.unusedOneIn > 0 && random.next() % configuration.unusedOneIn == 0
    }

    /// Whether WELCOME made a new identity.
    private mutating func adoptIdentity(
        of welcome: WelcomeFrame
    ) throws(WireError) -> Bool {
        if welcome.deviceKey.isEmpty {
            guard var identity = state.identity, identity.id == welcome.deviceID else {
                throw WireError(.badField, about: .welcome)
            }
            identity.handle = welcome.handle
            state.identity = identity
            return false
        }
        let isNew = state.identity?.id != welcome.deviceID
        state.identity = DeviceIdentity(
            id: welcome.deviceID,
            key: welcome.deviceKey,
            handle: welcome.handle
        )
        if isNew {
            // Earlier confirmations were for another identity.
            state.etag = 0
            state.removals = []
            for index in state.choices.indices { state.choices[index].isConfirmed = false }
        }
        return isNew
    }

    private mutating func adoptPosition(of welcome: WelcomeFrame) throws(WireError) {
        let agreed = welcome.position
        switch welcome.resume {
        case .resumed:
            guard state.position.epoch != 0, agreed.sequence >= state.position.sequence else {
                throw WireError(.badField, about: .welcome)
            }
            if agreed.sequence > state.position.sequence { state.openGroup = nil }
        case .gap:
            state.openGroup = nil
        case .fresh, .reset:
            // A device with a past may be sent what it has; its ids tell.
            state.openGroup = nil
            state.recent.beginComparing()
        }
        state.position = agreed
    }
}

extension Span<UInt8> {
    /// A copy that outlives the borrow.
    func copied() -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in indices { copy.append(self[index]) }
        return copy
    }
}
