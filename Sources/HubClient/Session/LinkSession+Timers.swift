package import HubTransport
import HubWire

extension LinkSession {
    /// What was asked to be written is on stable storage: now it may be acknowledged.
    package mutating func committed(now: TurnTime, actions: inout [SessionAction]) {
        precondition(needsCommit, "committed without a change")
        precondition(messages.isEmpty, "committed with messages that were not taken")
        needsCommit = false
        if phase == .ready {
            let isLeaving = connection.departure != nil
            let isHalfWindow =
                connection.pending.entries * 2 >= Int(configuration.windowMessages)
                || connection.pending.bytes * 2 >= Int(configuration.windowBytes)
            if isLeaving || isHalfWindow || connection.acknowledgesNow {
                acknowledge()
            } else if owesAcknowledgement, connection.ackDeadline == nil {
                connection.ackDeadline = now.instant + connection.ackDelay
            }
            if !isLeaving { sendReceipts(now: now) }
        }
        finishInput(now: now, actions: &actions)
    }

    /// What was asked to be written could not be: nothing of it is acknowledged, and the hub will
    /// send it again.
    ///
    /// `stored` is what the store holds.
    package mutating func commitFailed(
        stored: DeviceState,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        state = stored
        messages = []
        needsCommit = false
        connection.departure = nil
        connection.pending = UnacknowledgedInput()
        // A request of the app while the device is away: there is nothing to leave.
        guard phase != .idle else { return }
        end(.storeFailed)
        finishInput(now: now, actions: &actions)
    }

    /// Does what is due: acknowledgements, PING, deadlines, repeated requests.
    package mutating func tick(now: TurnTime, actions: inout [SessionAction]) {
        let instant = now.instant
        if let due = connection.welcomeDeadline, instant >= due { end(.welcomeMissing) }
        if let due = connection.frameDeadline, instant >= due {
            ErrorFrame(.frameTimeout).encode(into: &output)
            end(.frameStalled)
        }
        if let due = connection.awaitedPong?.deadline, instant >= due {
            state.keepAlive?.failed(atMilliseconds: now.wallMilliseconds)
            end(.pongMissing)
        }
        if phase == .ready, connection.departure == nil {
            if let due = connection.ackDeadline, instant >= due { acknowledge() }
            if let due = connection.retryDeadline, instant >= due {
                connection.retryDeadline = nil
                sendUnconfirmed(now: now, actions: &actions)
                sendRemovals()
                sendReceipts(now: now)
            }
            renewIfDue(now: now, actions: &actions)
            if let due = receiptsDue, instant >= due { sendReceipts(now: now) }
            if connection.awaitedPong == nil, instant >= pingDue { ping(now: now) }
        }
        finishInput(now: now, actions: &actions)
    }

    /// Asks at once whether the link still lives, for example after a sleep.
    package mutating func probe(now: TurnTime, actions: inout [SessionAction]) {
        guard phase == .ready, connection.departure == nil, connection.awaitedPong == nil else {
            return
        }
        ping(now: now)
        finishInput(now: now, actions: &actions)
    }

    /// Says how much the device takes from now on; 0 messages pauses everything.
    ///
    /// - Parameters:
    ///   - appState: 1 foreground, 2 background, 3 doze.
    ///   - messages: entries that may be unacknowledged.
    ///   - bytes: bytes that may be unacknowledged.
    ///   - now: the turn's time.
    package mutating func setWindow(
        appState: UInt8,
        messages: UInt16,
        bytes: UInt32,
        now: TurnTime
    ) {
        guard phase == .ready, connection.departure == nil else { return }
        let least = messages == 0 ? bytes : max(bytes, UInt32(WireLimits.windowBytesFloor))
        WindowFrame(appState: appState, messages: messages, bytes: least).encode(into: &output)
        connection.lastSent = now.instant
    }

    /// Leaves in an orderly way: BYE, then `close`.
    ///
    /// - Parameters:
    ///   - reason: as in BYE: 0 shutdown, 1 network change, 2 background, 3 logout.
    ///   - departure: what the reconnect policy is told.
    ///   - now: the turn's time.
    ///   - actions: grows by `close`.
    package mutating func leave(
        reason: UInt8,
        departure: Departure,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        if phase == .ready, connection.departure == nil {
            acknowledge()
            ByeFrame(reason: reason).encode(into: &output)
        }
        end(departure)
        finishInput(now: now, actions: &actions)
    }

    private var owesAcknowledgement: Bool {
        state.position.sequence > connection.acknowledged || connection.pending.entries > 0
    }

    /// Appends ACK when something complete is stored that the hub was not told of.
    mutating func acknowledge() {
        connection.ackDeadline = nil
        connection.acknowledgesNow = false
        guard let sequence = takeAcknowledgement() else { return }
        AckFrame(seq: sequence).encode(into: &output)
    }

    /// The sequence number to acknowledge, if any; `state` must be what is stored.
    private mutating func takeAcknowledgement() -> UInt64? {
        precondition(!needsCommit, "an acknowledgement of what is not stored")
        connection.pending = UnacknowledgedInput()
        let sequence = min(state.position.sequence, connection.chain)
        guard sequence > connection.acknowledged else { return nil }
        connection.acknowledged = sequence
        return sequence
    }

    private mutating func ping(now: TurnTime) {
        guard let keepAlive = state.keepAlive else { return }
        let token = UInt32(truncatingIfNeeded: random.next())
        connection.promisedSeconds = keepAlive.intervalSeconds
        let isCellular = configuration.netType == 3
        let wait = isCellular ? WireLimits.pongSecondsMaxCellular : WireLimits.pongSecondsMax
        connection.awaitedPong = AwaitedPong(token: token, deadline: now.instant + .seconds(wait))
        connection.ackDeadline = nil
        connection.acknowledgesNow = false
        PingFrame(
            nextSeconds: UInt16(clamping: keepAlive.intervalSeconds),
            netType: configuration.netType,
            token: token,
            ack: takeAcknowledgement() ?? 0
        ).encode(into: &output)
        sendReceipts(now: now)
    }

    /// Takes PONG; one for another PING says nothing.
    mutating func receive(_ pong: PongFrame, now: TurnTime) {
        guard connection.awaitedPong?.token == pong.token else { return }
        connection.awaitedPong = nil
        connection.hubClock = HubClock(milliseconds: pong.serverTime, readAt: now.instant)
        pongs &+= 1
        state.keepAlive?.succeeded()
        state.keepAlive?.hint(seconds: Int(pong.hintSeconds))
    }
}
