import HubDelivery
import HubDirectory
import HubModel
import HubVocabulary

/// The surroundings of a shard's loop in the simulation; connections are closed when its turn is
/// over.
struct SimulatedSurroundings: ShardSurroundings {
    unowned let machine: Machine
    let hub: SimulatedHub
    let shard: SimulatedShard
    var closing: [(connection: ConnectionID, afterFlush: Bool)] = []

    var output: WireOutput { shard.output }

    func carryOut(_ order: Never, on core: inout ShardCore, now: Now) {}

    func submit(_ request: DirectoryRequest, of name: HubName) -> Bool {
        if case .progress(let report) = request { shard.reported = report.applied }
        guard !hub.isStopping else { return false }
        if case .attach = request, !hub.mayAnswer(at: machine.world) { return false }
        machine.submit(.request(request), to: hub)
        return true
    }

    func recentRecords(for query: LogQuery, of name: HubName) -> [NotificationRecord]? {
        machine.note(query, hub)
        return hub.recent.page(after: query.after, through: query.through, limit: query.limit)
    }

    func read(_ query: LogQuery, of name: HubName) { machine.read(query, hub) }

    func forgetRead(of device: DeviceID, sessionGeneration: UInt64, of name: HubName) {
        hub.reads.forget(device, sessionGeneration: sessionGeneration)
    }

    func applied(_ page: LogPage, of name: HubName) { hub.pages.giveBack(page.weight) }

    func applied(_ feeds: [HubName: FeedLoad]) {
        let load = feeds[machine.name] ?? FeedLoad()
        shard.feedApplied += load.count
        shard.post.applied(load, of: machine.name, room: shard.mailbox)
    }

    func tell(_ step: DeliveryStep, of name: HubName) {}

    func markAuthenticated(_ connection: ConnectionID) {}

    mutating func close(_ connection: ConnectionID, afterFlush: Bool) {
        closing.append((connection, afterFlush))
    }
}
