import HubDelivery
import HubDirectory
import HubModel
import HubVocabulary

/// The surroundings of a shard's loop in the simulation; connections are closed when its turn is
/// over.
struct SimulatedSurroundings: ShardSurroundings {
    unowned let simulation: Simulation
    let hub: SimulatedHub
    let shard: SimulatedShard
    var closing: [(connection: ConnectionID, afterFlush: Bool)] = []

    var output: WireOutput { shard.output }

    func carryOut(_ order: Never, on core: inout ShardCore, now: Now) {}

    func submit(_ request: DirectoryRequest, of name: HubName) -> Bool {
        if case .progress(let report) = request { shard.reported = report.applied }
        simulation.submit(.request(request))
        return true
    }

    func recentRecords(for query: LogQuery, of name: HubName) -> [NotificationRecord]? {
        simulation.note(query)
        return hub.recent.page(after: query.after, through: query.through, limit: query.limit)
    }

    func read(_ query: LogQuery, of name: HubName) { simulation.read(query, hub) }

    func forgetRead(of device: DeviceID, sessionGeneration: UInt64, of name: HubName) {
        hub.reads.forget(device, sessionGeneration: sessionGeneration)
    }

    func applied(_ page: LogPage, of name: HubName) { hub.pages.giveBack(page.weight) }

    func applied(_ feeds: [HubName: FeedLoad]) {
        let load = feeds[simulation.name] ?? FeedLoad()
        shard.feedApplied += load.count
        shard.post.applied(load, of: simulation.name, room: shard.mailbox)
    }

    func markAuthenticated(_ connection: ConnectionID) {}

    mutating func close(_ connection: ConnectionID, afterFlush: Bool) {
        closing.append((connection, afterFlush))
    }
}
