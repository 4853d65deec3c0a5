import HubDelivery
import HubHistory
import HubMetrics
import HubModel
import HubTraces
import HubTransport
import HubVocabulary

/// The surroundings of a shard's loop in the server: the reactor's connections, and the threads of
/// hubs.
struct ShardWiring: ShardSurroundings {
    private let connections: Connections
    private let mailbox: ShardMailbox
    private var hubs: [HubName: ShardHub]
    private var rates: [HubName: DeviceEventRate] = [:]

    init(hubs: [ShardHub], mailbox: ShardMailbox, connections: Connections) {
        self.connections = connections
        self.mailbox = mailbox
        self.hubs = Dictionary(uniqueKeysWithValues: hubs.map { ($0.configuration.name, $0) })
    }

    var output: TransportOutput { TransportOutput(connections: connections) }

    mutating func carryOut(_ order: ShardOrder, on core: inout ShardCore, now: Now) {
        switch order {
        case .open(let hub, let policies, let step):
            hubs[hub.configuration.name] = hub
            core.open(hub.configuration, now: now)
            core.use(policies)
            step.done()
        case .close(let hub, let policies, let step):
            core.close(hub, now: now)
            core.use(policies)
            (hubs[hub], rates[hub]) = (nil, nil)
            step.done()
        case .policies(let policies, let step):
            core.use(policies)
            step.done()
        case .drain(let deadline):
            connections.stopAccepting()
            core.drain(now: now)
            connections.stop(withinMilliseconds: deadline)
        case .certificate(let tls, let onFailure):
            do throws(TransportError) { try connections.use(tls) } catch { onFailure(error) }
        case .inspect(let request): request.answer(report(of: core))
        }
    }

    mutating func submit(_ request: DirectoryRequest, of name: HubName) -> Bool {
        guard let hub = hubs[name] else { return true }
        switch request {
        case .attach(let attach): note(.connected(attach.device), of: hub)
        case .detach(let device, _): note(.ended(device), of: hub)
        case .device, .progress, .reload: break
        }
        return hub.writer.submit(request)
    }

    /// Tells a hub's events of a device that comes or goes, unless many do.
    private mutating func note(_ kind: HubEvent.Kind, of hub: ShardHub) {
        let now = Clock.now.time
        let told = rates[hub.configuration.name, default: DeviceEventRate()].admit(kind, at: now)
        if !told.isEmpty { hub.events.append(told, at: now) }
    }

    func recentRecords(for query: LogQuery, of hub: HubName) -> [NotificationRecord]? {
        hubs[hub]?.writer.recent.page(
            after: query.after,
            through: query.through,
            limit: query.limit
        )
    }

    func read(_ query: LogQuery, of hub: HubName) { hubs[hub]?.reader.read(query) }

    func forgetRead(of device: DeviceID, sessionGeneration: UInt64, of hub: HubName) {
        hubs[hub]?.reader.forget(device, sessionGeneration: sessionGeneration)
    }

    func applied(_ page: LogPage, of hub: HubName) { hubs[hub]?.reader.applied(page) }

    func applied(_ feeds: [HubName: FeedLoad]) { mailbox.applied(feeds, of: hubs.keys) }

    func tell(_ step: DeliveryStep, of name: HubName) {
        guard let hub = hubs[name] else { return }
        hub.tests.hear(step)
        hub.traces?.heard(step, of: name)
    }

    func markAuthenticated(_ connection: ConnectionID) {
        connections.markAuthenticated(connection)
    }

    func close(_ connection: ConnectionID, afterFlush: Bool) {
        connections.close(connection, afterFlush ? .afterFlush : .atOnce)
    }

    private func report(of core: borrowing ShardCore) -> ShardReport {
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
struct TransportOutput: ShardOutput {
    let connections: Connections

    func room(in connection: ConnectionID) -> Int {
        connections.room(in: connection)
    }

    func write(_ bytes: Span<UInt8>, to connection: ConnectionID) {
        _ = connections.write(connection, bytes)
    }

    func now(inTurnOf turn: Instant) -> Instant { Clock.now.instant }
}
