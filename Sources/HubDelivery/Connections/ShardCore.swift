package import HubModel
package import HubRules
package import HubVocabulary
import HubWire

/// An order of a shard to its owner.
package enum ShardAction: Sendable {
    /// To the directory of a hub.
    case directory(HubName, DirectoryRequest)
    /// Read the records that a session's device missed; answered by `ShardMessage.page`.
    case readLog(HubName, LogQuery)
    /// The session that asked for a read of the log has ended: the answer is not needed.
    case forgetRead(HubName, DeviceID, sessionGeneration: UInt64)
    /// The connection no longer counts as unauthenticated.
    case authenticated(ConnectionID)
    /// Close it: after what was written is flushed, or at once.
    case close(ConnectionID, afterFlush: Bool)
}

/// Everything a shard decides: framing, sessions, delivery.
///
/// Bytes, events and time in; actions and bytes out. One per reactor, owned by its thread.
///
/// A turn is: inputs, `settle` until it asks for nothing more, `flush` once.
package struct ShardCore: ~Copyable {
    let shard: Int
    let limits: SessionLimits
    var policies: AccessPolicies
    var random: SeededRandom
    var hubs = ServedHubs()
    var connections: [ConnectionState?] = []
    var hot: [HotConnection] = []
    var dirty: [UInt32] = []
    var scratch: [UInt8] = []
    var wheel: TimerWheel
    var identities: AddressRates
    var lastReport: Instant
    var isDraining = false
    /// Reads of the log asked for in this turn.
    var pagesOfTurn = 0
    /// Counted for frames that belong to no session.
    var counters = ShardCounters()
    /// The shard's orders; the owner takes and empties them.
    package var actions: [ShardAction] = []

    /// A shard without connections.
    ///
    /// `seed` must be unpredictable in production: device ids are made from it.
    package init(
        shard: Int,
        hubs configurations: [ShardHubConfiguration],
        policies: AccessPolicies,
        limits: SessionLimits = SessionLimits(),
        seed: UInt64,
        now: Now
    ) {
        // A connection counts them in sixteen bits; beyond, no limit would hold.
        precondition(limits.refusalsMax < Int(UInt16.max))
        self.shard = shard
        self.limits = limits
        self.policies = policies
        var random = SeededRandom(seed: seed)
        identities = AddressRates(addressesMax: limits.identityAddressesMax)
        for configuration in configurations {
            hubs.open(HubShard(configuration, limits: limits, seed: random.next(), now: now))
        }
        self.random = random
        wheel = TimerWheel(now: now.instant)
        lastReport = now.instant
    }

    /// The counts of this shard so far.
    package var totals: ShardCounters {
        var sum = counters
        for hub in hubs { sum.add(hub.counters) }
        return sum
    }

    /// Sessions that are open, by whether they are live or catching up.
    package var sessionCounts: (live: Int, catchingUp: Int) {
        var live = 0
        var behind = 0
        for hub in hubs {
            for index in hub.sessions.indices {
                if hub.sessions[index].isLive { live += 1 } else { behind += 1 }
            }
        }
        return (live, behind)
    }

    /// The most entries that wait for one session that catches up.
    package var heldMost: Int {
        var most = 0
        for hub in hubs {
            for index in hub.sessions.indices {
                guard case .catchingUp(let state) = hub.sessions[index].mode else { continue }
                most = max(most, state.held.count)
            }
        }
        return most
    }

    // MARK: Connections

    /// A TLS handshake is done; HELLO is due.
    package mutating func opened(_ id: ConnectionID, peer: PeerIdentity, now: Now) {
        let slot = Int(id.slot)
        while connections.count <= slot {
            connections.appendSparingly(nil)
            hot.appendSparingly(HotConnection(id: id))
        }
        let deadline = now.instant.adding(milliseconds: limits.helloMilliseconds)
        let state = ConnectionState(
            phase: .awaitingHello(peer),
            deadline: deadline,
            now: now.instant
        )
        connections[slot] = state
        hot[slot] = HotConnection(id: id)
        hot[slot].follow(state.phase)
        arm(slot, deadline)
        if isDraining { sendGoaway(slot, spreadMilliseconds: 1_000, now: now) }
    }

    /// The transport has dropped a connection; nothing more is said of it.
    package mutating func closed(_ id: ConnectionID, now: Now) {
        guard let slot = known(id) else { return }
        endSession(slot, now: now)
        connections[slot] = nil
        hot[slot].follow(nil)
    }

    /// A full socket has room again.
    package mutating func writable(_ id: ConnectionID, now: Now) {
        guard let slot = known(id) else { return }
        if let session = hot[slot].session { hubs[session.hub].markDue(session.index) }
        markDirty(slot)
    }

    /// Changes a connection's state; nil when the slot has no connection.
    @discardableResult
    mutating func update<Result>(
        _ slot: Int,
        _ change: (inout ConnectionState) -> Result
    ) -> Result? {
        guard var state = connections[slot] else { return nil }
        // Moved out and back, so that its arrays are not copied.
        connections[slot] = nil
        defer { connections[slot] = state }
        return change(&state)
    }

    /// The slot of a connection that still is the one named.
    func known(_ id: ConnectionID) -> Int? {
        let slot = Int(id.slot)
        guard slot < hot.count, hot[slot].id == id, hot[slot].kind != .vacant else { return nil }
        return slot
    }

    // MARK: Output

    /// Puts a connection on the list of those to flush at the end of the turn.
    mutating func markDirty(_ slot: Int) {
        guard !hot[slot].isDirty else { return }
        hot[slot].isDirty = true
        dirty.append(UInt32(slot))
    }

    /// Appends control frames to a connection's output of this turn; nothing once it is closing,
    /// because a fatal ERROR is the last word.
    mutating func control(_ slot: Int, _ encode: (inout [UInt8]) -> Void) {
        guard hot[slot].kind != .closing,
            update(slot, { encode(&$0.control) }) != nil
        else { return }
        hot[slot].hasControl = true
        markDirty(slot)
    }

    /// Asks for whatever sessions need before they can be flushed: pages of the log.
    ///
    /// The owner answers what it can at once and calls again until nothing is asked.
    ///
    /// After `pagesPerTurn` reads the sessions that are left wait for the next turn, so that no
    /// number of devices far behind keeps the others waiting.
    package mutating func settle(now: Now) {
        for number in hubs.indices {
            let hub = hubs[number]
            for index in hub.turn.due {
                guard pagesOfTurn < limits.pagesPerTurn else { return }
                if let query = hub.nextRead(index, of: shard) {
                    pagesOfTurn += 1
                    actions.append(.readLog(hub.name, query))
                }
            }
        }
    }

    /// Writes everything pending, once per connection, and ends the turn.
    package mutating func flush(into output: some ShardOutput, now: Now) {
        let hubs = hubs.all
        for hub in hubs {
            for index in hub.turn.due {
                if let slot = known(hub.sessions[index].connection) { markDirty(slot) }
            }
        }
        let slots = dirty
        dirty.removeAll(keepingCapacity: true)
        for slot in slots { flush(Int(slot), hubs, into: output, now: now) }
        for hub in hubs { hub.endTurn() }
        pagesOfTurn = 0
        reportProgress(now: now)
    }

    /// Whether this turn's lists are long enough: more feed items should wait for the next turn,
    /// or a shard that fell behind would list millions of deliveries before it writes the first.
    package var isTurnFull: Bool {
        hubs.contains { $0.turn.entries.count >= limits.deliveriesPerTurn }
    }

    /// Milliseconds after which the owner should tick, also without connections, because something
    /// waits for the next report; nil when nothing does.
    package var reportMilliseconds: UInt64? {
        hubs.contains { $0.owesReport } ? limits.cursorMilliseconds : nil
    }

    /// Whether a session could go on at once: the owner should begin another turn.
    package var wantsAnotherTurn: Bool { hubs.contains { !$0.turn.due.isEmpty } }

    private mutating func flush(
        _ slot: Int,
        _ hubs: [HubShard],
        into output: some ShardOutput,
        now: Now
    ) {
        let state = hot[slot]
        guard state.kind != .vacant else { return }
        hot[slot].isDirty = false
        let room = output.room(in: state.id)
        guard room > 0 else {
            holdBack(slot, state)
            return
        }
        scratch.removeAll(keepingCapacity: true)
        if state.hasControl {
            guard takeControl(slot, room: room) else {
                holdBack(slot, state)
                return
            }
        }
        if let session = state.session {
            hubs[session.hub].assemble(session.index, into: &scratch, room: room, now: now)
            if !state.watchesAcks { rearm(slot, session, now: now) }
        }
        if !scratch.isEmpty {
            counters.flushes += 1
            output.write(scratch.span, to: state.id)
        }
        if state.closesAfterFlush { actions.append(.close(state.id, afterFlush: true)) }
    }

    /// Moves the waiting control frames to the output; false when there is not room for them.
    private mutating func takeControl(_ slot: Int, room: Int) -> Bool {
        guard let control = connections[slot]?.control, control.count <= room else { return false }
        scratch.append(contentsOf: control)
        connections[slot]?.control = []
        hot[slot].hasControl = false
        return true
    }

    /// A full socket: the session reads the log when there is room; only control frames wait.
    private mutating func holdBack(_ slot: Int, _ state: HotConnection) {
        if let session = state.session { hubs[session.hub].discardTurn(session.index) }
        let waiting = connections[slot]?.control.count ?? 0
        if waiting > limits.controlBytesMax || state.closesAfterFlush {
            actions.append(.close(state.id, afterFlush: false))
        }
    }
}
