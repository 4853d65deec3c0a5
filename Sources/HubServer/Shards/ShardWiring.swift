import HubDelivery
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
            hubs[hub] = nil
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

    func submit(_ request: DirectoryRequest, of hub: HubName) -> Bool {
        hubs[hub]?.writer.submit(request) ?? true
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

    func tell(_ step: DeliveryStep, of hub: HubName) { hubs[hub]?.traces?.heard(step, of: hub) }

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
}
