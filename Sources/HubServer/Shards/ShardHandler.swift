import HubDelivery
import HubModel
import HubRules
import HubTransport
import HubVocabulary
import HubWire

/// Joins a reactor to a shard's core: events in, actions out, one flush a turn.
///
/// Owned by the reactor's thread; decides nothing.
final class ShardHandler: ConnectionHandler {
    private let shard: Int
    private var core: ShardCore
    private let connections: Connections
    private let mailbox: ShardMailbox
    private var hubs: [HubName: ShardHub]
    /// Mail that waits for the next turn.
    private var mail = UnreadMail<ShardMail>()
    private var memory = FreeMemoryWatch()

    init(
        shard: Int,
        hubs: [ShardHub],
        policies: AccessPolicies,
        limits: SessionLimits,
        seed: UInt64,
        mailbox: ShardMailbox,
        connections: Connections
    ) {
        self.shard = shard
        self.connections = connections
        self.mailbox = mailbox
        self.hubs = Dictionary(uniqueKeysWithValues: hubs.map { ($0.configuration.name, $0) })
        core = ShardCore(
            shard: shard,
            hubs: hubs.map(\.configuration),
            policies: policies,
            limits: limits,
            seed: seed,
            now: Clock.now
        )
    }

    // MARK: Events

    func opened(_ connection: HubTransport.ConnectionID, peer: PeerInfo, now: TurnTime) {
        let identity = PeerIdentity(
            address: DeviceID(high: peer.address.high, low: peer.address.low),
            isLoopback: peer.isLoopback,
            exporter: peer.exporter,
            certificate: DeviceCertificate(peer.certificate)
        )
        core.opened(connection.named, peer: identity, now: now.reading)
    }

    func received(
        _ bytes: Span<UInt8>,
        from connection: HubTransport.ConnectionID,
        now: TurnTime
    ) {
        core.receive(bytes, from: connection.named, now: now.reading)
    }

    func writable(_ connection: HubTransport.ConnectionID, now: TurnTime) {
        core.writable(connection.named, now: now.reading)
    }

    func keyWorn(_ connection: HubTransport.ConnectionID, now: TurnTime) {
        core.retire(connection.named, now: now.reading)
    }

    func closed(_ connection: HubTransport.ConnectionID, cause: CloseCause, now: TurnTime) {
        core.closed(connection.named, now: now.reading)
        // Without connections nobody would look any more at what the last ones have left.
        lookAtMemory(after: now)
    }

    func received(_ batch: [ShardMail], now: TurnTime) {
        mail.append(contentsOf: batch)
        readMail(now: now)
    }

    /// Reads mail in order until none is left, or the turn has as many deliveries as it should.
    private func readMail(now: TurnTime) {
        var feeds: [HubName: (count: Int, weight: Int)] = [:]
        while !core.isTurnFull, let next = mail.next() {
            switch next {
            case .hub(let hub, let message):
                // Of a hub that is no more.
                guard hubs[hub] != nil else { continue }
                core.receive(message, of: hub, now: now.reading)
                switch message {
                case .feed(let item):
                    let sum = feeds[hub] ?? (0, 0)
                    feeds[hub] = (sum.count + 1, sum.weight + item.weight)
                case .page(let page): hubs[hub]?.reader.applied(page)
                default: break
                }
            case .open(let hub, let policies, let step):
                hubs[hub.configuration.name] = hub
                core.open(hub.configuration, now: now.reading)
                core.use(policies)
                step.done()
            case .close(let hub, let policies, let step):
                core.close(hub, now: now.reading)
                core.use(policies)
                hubs[hub] = nil
                feeds[hub] = nil
                step.done()
            case .policies(let policies, let step):
                core.use(policies)
                step.done()
            case .drain(let spread, let deadline): drain(spread, deadline, now: now)
            case .certificate(let tls, let onFailure):
                do throws(TransportError) { try connections.use(tls) } catch { onFailure(error) }
            case .inspect(let request): request.answer(report)
            }
        }
        for hub in hubs.keys {
            let applied = feeds[hub] ?? (0, 0)
            mailbox.applied(applied.count, weighing: applied.weight, of: hub)
        }
    }

    func tick(now: TurnTime) {
        core.tick(now: now.reading)
        if !mail.isEmpty { readMail(now: now) }
        let counted = connections.statistics
        if memory.isDue(counted.opened + counted.closed, at: now.nanoseconds),
            ProcessMemory.returnFreeMemory(atNanoseconds: now.nanoseconds)
        {
            memory.hasReturned()
        }
        if memory.waits { lookAtMemory(after: now) }
    }

    private func lookAtMemory(after now: TurnTime) {
        connections.requestTick(atNanoseconds: now.nanoseconds + FreeMemoryWatch.quietNanoseconds)
    }

    func endOfTurn(now: TurnTime) {
        let reading = now.reading
        core.settle(now: reading)
        while perform(now: reading) { core.settle(now: reading) }
        core.flush(into: TransportOutput(connections: connections), now: reading)
        _ = perform(now: reading)
        if core.wantsAnotherTurn || !mail.isEmpty {
            connections.requestTick(atNanoseconds: now.nanoseconds)
        } else if let wait = core.reportMilliseconds {
            // Without a connection nothing else would wake this shard.
            connections.requestTick(atNanoseconds: now.nanoseconds + wait * 1_000_000)
        }
    }

    // MARK: Actions

    /// Carries out what the core asked for; whether something was answered at once.
    private func perform(now: Now) -> Bool {
        let actions = core.actions
        guard !actions.isEmpty else { return false }
        core.actions = []
        var answered = false
        for action in actions {
            switch action {
            case .directory(let hub, let request): ask(hub, request, now: now)
            case .readLog(let hub, let query):
                if read(hub, query, now: now) { answered = true }
            case .forgetRead(let hub, let device, let generation):
                hubs[hub]?.reader.forget(device, sessionGeneration: generation)
            case .authenticated(let connection):
                connections.markAuthenticated(connection.named)
            case .close(let connection, let afterFlush):
                connections.close(connection.named, afterFlush ? .afterFlush : .atOnce)
            }
        }
        return answered
    }

    private func ask(_ hub: HubName, _ request: DirectoryRequest, now: Now) {
        guard let writer = hubs[hub]?.writer, !writer.submit(request) else { return }
        switch request {
        case .attach(let attach):
            core.receive(
                .attachRefused(attach.address, .unavailable, retryAfterMilliseconds: 5_000),
                of: hub,
                now: now
            )
        case .device(_, _, let address, let reference, _):
            let outcome = DeviceOutcome(
                error: .unavailable,
                slot: SlotNumber.all,
                retryAfterMilliseconds: 5_000
            )
            core.receive(
                .outcome(address, reference: reference, outcome),
                of: hub,
                now: now
            )
        case .detach, .progress, .reload: break  // The writer has stopped.
        }
    }

    /// Answers from the recent records when all that is asked for is among them, or sends the read
    /// to the log's thread.
    private func read(_ hub: HubName, _ query: LogQuery, now: Now) -> Bool {
        guard let owner = hubs[hub] else { return false }
        let recent = owner.writer.recent.page(
            after: query.after,
            through: query.through,
            limit: query.limit
        )
        guard let recent, recent.last?.sequence == query.through,
            query.checkAt == 0 || query.checkAt > query.after,
            let page = try? query.page(ofAll: recent, now: now.time)
        else {
            owner.reader.read(query)
            return false
        }
        core.receive(.page(page), of: hub, now: now)
        return true
    }

    private func drain(_ spread: UInt32, _ deadline: UInt64, now: TurnTime) {
        connections.stopAccepting()
        core.drain(spreadMilliseconds: spread, now: now.reading)
        connections.stop(withinMilliseconds: deadline)
    }

    private var report: ShardReport {
        let counts = core.sessionCounts
        return ShardReport(
            core: core.totals,
            transport: connections.statistics,
            live: counts.live,
            catchingUp: counts.catchingUp,
            connections: connections.count
        )
    }
}

/// The transport as the core writes to it.
private struct TransportOutput: ShardOutput {
    let connections: Connections

    func room(in connection: HubVocabulary.ConnectionID) -> Int {
        connections.room(in: connection.named)
    }

    func write(_ bytes: Span<UInt8>, to connection: HubVocabulary.ConnectionID) {
        _ = connections.write(connection.named, bytes)
    }
}

extension HubTransport.ConnectionID {
    /// The core's name for it.
    fileprivate var named: HubVocabulary.ConnectionID {
        HubVocabulary.ConnectionID(slot: slot, generation: generation)
    }
}

extension HubVocabulary.ConnectionID {
    /// The transport's name for it.
    fileprivate var named: HubTransport.ConnectionID {
        HubTransport.ConnectionID(slot: slot, generation: generation)
    }
}

extension DeviceCertificate {
    /// The certificate that the transport saw.
    fileprivate init(_ certificate: PeerCertificate) {
        switch certificate {
        case .none: self = .none
        case .untrusted: self = .untrusted
        case .trusted(let keyHash): self = .proves(DeviceID(keyHash: keyHash))
        }
    }
}

extension DeviceID {
    /// The device of a client certificate: the first half of its key's hash.
    ///
    /// Source: rules C.2.
    fileprivate init(keyHash: [UInt8]) {
        let words = keyHash.prefix(16).reduce(into: (high: UInt64(0), low: UInt64(0))) {
            words,
            byte in
            words.high = words.high << 8 | words.low >> 56
            words.low = words.low << 8 | UInt64(byte)
        }
        self.init(high: words.high, low: words.low)
    }
}

extension TurnTime {
    /// The core's reading of it.
    fileprivate var reading: Now {
        Now(
            instant: Instant(nanoseconds: nanoseconds),
            time: Timestamp(milliseconds: wallMilliseconds)
        )
    }
}
