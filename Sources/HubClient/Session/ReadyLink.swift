import HubParcel
import HubVocabulary
import HubWire

/// A connection on which the hub has accepted the session.
struct ReadyLink {
    /// When WELCOME came.
    let openedAt: Instant
    var begun = BegunFrame.none
    var acknowledgements: Acknowledgements
    var requests: RequestBook
    var pinging: Pinging
    /// The hub's clock, from WELCOME and from every PONG since.
    var hubClock: HubClock

    /// Takes WELCOME: identity, position, limits; then sends what the hub does not have yet.
    ///
    /// - Parameters:
    ///   - welcome: the frame.
    ///   - lastSent: when the device said something last.
    ///   - core: the session.
    /// - Throws: what breaks the protocol.
    init(
        _ welcome: WelcomeFrame,
        lastSent: Instant,
        _ core: inout SessionCore
    ) throws(WireError) {
        let now = core.now
        let isNewIdentity = try core.state.adoptIdentity(of: welcome)
        try core.state.adoptPosition(of: welcome)
        openedAt = now.instant
        core.returning = welcome.limits.returning
        acknowledgements = Acknowledgements(
            behind: welcome.position.sequence,
            delay: .milliseconds(Int(welcome.ackDelay) * 10)
        )
        acknowledgements.offer(
            messages: core.configuration.windowMessages,
            bytes: core.configuration.windowBytes
        )
        let takesReceipts = welcome.capabilities.contains(.receipts)
        requests = RequestBook(
            receiptsPerFrame: takesReceipts
                ? min(Int(welcome.limits.receipts), WireLimits.receiptsMax) : 0
        )
        hubClock = HubClock(milliseconds: welcome.serverTime, readAt: now.instant)
        var keepAlive =
            core.state.keepAlive
            ?? KeepAlive(
                start: Int(welcome.keepalive),
                least: Int(core.configuration.keepAliveLeast),
                most: Int(core.configuration.keepAliveMost)
            )
        keepAlive.wake(atMilliseconds: now.time.milliseconds)
        core.state.keepAlive = keepAlive
        pinging = Pinging(
            lastSent: lastSent,
            round: .promised(
                seconds: max(1, min(keepAlive.intervalSeconds, Int(welcome.keepalive)))
            )
        )
        core.needsCommit = true
        core.actions.append(
            .opened(
                SessionOpening(
                    outcome: welcome.resume,
                    lost: welcome.lost,
                    position: core.state.position,
                    deviceID: welcome.deviceID,
                    isNewIdentity: isNewIdentity,
                    clockOffsetMilliseconds: Int64(clamping: welcome.serverTime)
                        - Int64(clamping: now.time.milliseconds),
                    trace: welcome.trace
                )
            )
        )
        if core.saysUnused() { UnusedFrame.encode(core.random.next(), into: &core.output) }
        sendRegistrations(of: welcome, &core)
    }

    /// When there is something to do.
    func nextDeadline(_ core: borrowing SessionCore) -> Instant {
        let dues = [
            begun.due, acknowledgements.due, requests.retryDue, requests.renewalDue,
            requests.reportDue(waiting: core.state.receipts.count),
        ]
        return dues.reduce(pinging.due) { earliest, due in min(earliest, due ?? earliest) }
    }

    /// Returns the departure of a session that has taken too long; nil while it has time.
    func overdue(_ core: inout SessionCore) -> Departure? {
        let instant = core.now.instant
        if let due = begun.due, instant >= due {
            ErrorFrame(.frameTimeout).encode(into: &core.output)
            return .frameStalled
        }
        guard pinging.isUnanswered(at: instant) else { return nil }
        core.state.keepAlive?.failed(atMilliseconds: core.now.time.milliseconds)
        return .pongMissing
    }

    /// Does what is due: acknowledgements, repeated requests, PING.
    mutating func tick(_ core: inout SessionCore) {
        let instant = core.now.instant
        if let due = acknowledgements.due, instant >= due { acknowledge(&core) }
        if requests.endPause(at: instant) {
            sendUnconfirmed(&core)
            sendRemovals(&core)
            sendReceipts(&core)
        }
        if requests.endRenewal(at: instant) { renew(&core) }
        if let due = requests.reportDue(waiting: core.state.receipts.count), instant >= due {
            sendReceipts(&core)
        }
        if pinging.isDue(at: instant) { ping(&core) }
    }

    /// The driver has stored everything: acknowledges it now or later.
    mutating func stored(_ core: inout SessionCore) {
        let position = core.state.position.sequence
        if acknowledgements.stored(position, at: core.now.instant) { acknowledge(&core) }
        sendReceipts(&core)
    }

    /// Appends ACK when something complete is stored that the hub was not told of.
    mutating func acknowledge(_ core: inout SessionCore) {
        guard let sequence = takeAcknowledgement(core) else { return }
        AckFrame(seq: sequence).encode(into: &core.output)
    }

    private mutating func takeAcknowledgement(_ core: borrowing SessionCore) -> UInt64? {
        precondition(!core.needsCommit, "an acknowledgement of what is not stored")
        return acknowledgements.take(core.state.position.sequence)
    }

    /// Asks whether the link still lives, unless that was asked already.
    mutating func ping(_ core: inout SessionCore) {
        guard let keepAlive = core.state.keepAlive else { return }
        guard case .promised = pinging.round else { return }
        let token = UInt32(truncatingIfNeeded: core.random.next())
        let isCellular = core.configuration.netType == 3
        let patience =
            isCellular ? WireLimits.pongSecondsMaxCellular : WireLimits.pongSecondsMax
        pinging.round = .awaitsPong(token: token, due: core.now.instant + .seconds(patience))
        PingFrame(
            nextSeconds: UInt16(clamping: keepAlive.intervalSeconds),
            netType: core.configuration.netType,
            token: token,
            ack: takeAcknowledgement(core) ?? 0
        ).encode(into: &core.output)
        sendReceipts(&core)
    }

    /// Takes PONG; one for another PING says nothing.
    mutating func receive(_ pong: PongFrame, _ core: inout SessionCore) {
        guard case .awaitsPong(let token, _) = pinging.round, token == pong.token else { return }
        hubClock = HubClock(milliseconds: pong.serverTime, readAt: core.now.instant)
        core.pongs &+= 1
        // The promise is the one that the PING made.
        let promised = core.state.keepAlive?.intervalSeconds ?? WireLimits.keepaliveSecondsStart
        pinging.round = .promised(seconds: promised)
        core.state.keepAlive?.succeeded()
        core.state.keepAlive?.hint(seconds: Int(pong.hintSeconds))
    }

    /// Says how much the device takes from now on; 0 messages pauses everything.
    mutating func setWindow(_ window: WindowFrame, _ core: inout SessionCore) {
        window.encode(into: &core.output)
        acknowledgements.offer(messages: window.messages, bytes: window.bytes)
        pinging.lastSent = core.now.instant
    }
}
