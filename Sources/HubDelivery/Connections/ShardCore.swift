import HubModel
package import HubRules
package import HubVocabulary
import HubWire

/// Everything a shard decides: framing, sessions, delivery.
///
/// Bytes, events and time in; actions and bytes out. One per reactor, owned by its thread.
///
/// A turn is: inputs, `requestPages` until it asks for nothing more, `flush` once.
package struct ShardCore: ~Copyable {
    let shard: Int
    let limits: SessionLimits
    var random: SeededRandom
    var hubs = ServedHubs()
    var connections: ShardConnections
    var scratch: [UInt8] = []
    var authenticator: Authenticator
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
        precondition(limits.rates.refusalsMax < Int(UInt16.max))
        self.shard = shard
        self.limits = limits
        var random = SeededRandom(seed: seed)
        authenticator = Authenticator(policies, limits)
        for configuration in configurations {
            hubs.open(HubShard(configuration, limits: limits, seed: random.next(), now: now))
        }
        self.random = random
        connections = ShardConnections(now: now.instant)
        lastReport = now.instant
    }

    /// The counts of this shard so far.
    package var totals: ShardCounters {
        var sum = counters
        for hub in hubs { sum.add(hub.counters) }
        return sum
    }

    /// Sessions that are open, by whether they are live or catching up.
    package var sessionCounts: (live: Int, catchingUp: Int) { hubs.sessionCounts }

    /// The most entries that wait for one session that catches up.
    package var heldMost: Int { hubs.heldMost }

    // MARK: Connections

    /// A TLS handshake is done; HELLO is due.
    package mutating func opened(_ id: ConnectionID, peer: PeerIdentity, now: Now) {
        let state = ConnectionState(
            phase: .awaitingHello(peer),
            deadline: now.instant.adding(milliseconds: limits.timers.helloMilliseconds),
            now: now.instant
        )
        let slot = connections.insert(id, state)
        if isDraining { sendGoaway(slot, spreadMilliseconds: 1_000, now: now) }
    }

    /// The transport has dropped a connection; nothing more is said of it.
    package mutating func closed(_ id: ConnectionID, now: Now) {
        guard let slot = connections.slot(of: id) else { return }
        endSession(slot)
        connections.remove(slot)
    }

    /// A full socket has room again.
    package mutating func writable(_ id: ConnectionID, now: Now) {
        guard let slot = connections.slot(of: id) else { return }
        if let session = connections[hot: slot].session { hubs[session.hub].markDue(session.index) }
        connections.markDirty(slot)
    }

    // MARK: Output

    /// Asks for whatever sessions need before they can be flushed: pages of the log.
    ///
    /// The owner answers what it can at once and calls again until nothing is asked.
    ///
    /// After `pagesPerTurn` reads the sessions that are left wait for the next turn, so that no
    /// number of devices far behind keeps the others waiting.
    package mutating func requestPages(now: Now) {
        pagesOfTurn += hubs.readLog(
            atMost: limits.catchUp.pagesPerTurn - pagesOfTurn,
            of: shard,
            &actions
        )
    }

    /// Writes everything pending, once per connection, and ends the turn.
    package mutating func flush(into output: some ShardOutput, now: Now) {
        let hubs = hubs.all
        for hub in hubs {
            for index in hub.turn.due {
                if let slot = connections.slot(of: hub.sessions[index].connection) {
                    connections.markDirty(slot)
                }
            }
        }
        for slot in connections.takeDirty() { flush(slot, hubs, into: output, now: now) }
        let hasWritten = hubs.contains { !$0.turn.parcels.isEmpty }
        let end = hasWritten ? output.now(inTurnOf: now.instant) : now.instant
        for hub in hubs { actions += hub.endTurn(at: end).map { .followed(hub.name, $0) } }
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
        hubs.contains { $0.owesReport } ? limits.timers.cursorMilliseconds : nil
    }

    /// Whether a session could go on at once: the owner should begin another turn.
    package var wantsAnotherTurn: Bool { hubs.contains { !$0.turn.due.isEmpty } }

    private mutating func flush(
        _ slot: ConnectionSlot,
        _ hubs: [HubShard],
        into output: some ShardOutput,
        now: Now
    ) {
        let state = connections[hot: slot]
        guard state.kind != .vacant else { return }
        connections[hot: slot].isDirty = false
        let room = output.room(in: state.id)
        guard room > 0 else {
            holdBack(slot, state)
            return
        }
        scratch.removeAll(keepingCapacity: true)
        if state.hasControl {
            guard connections.takeControl(slot, room: room, into: &scratch) else {
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

    /// A full socket: the session reads the log when there is room; only control frames wait.
    private mutating func holdBack(_ slot: ConnectionSlot, _ state: HotConnection) {
        if let session = state.session { hubs[session.hub].discardTurn(session.index) }
        let waiting = connections[slot]?.control.count ?? 0
        if waiting > limits.controlBytesMax || state.closesAfterFlush {
            actions.append(.close(state.id, afterFlush: false))
        }
    }
}
