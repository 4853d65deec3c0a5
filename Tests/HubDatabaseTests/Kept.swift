import Dispatch
import HubCluster
import HubData
import HubModel
import HubPostgres
import HubTestSupport
import HubVocabulary
import Logging
import Testing

/// A node's data folder, and the database that has its hubs.
struct Kept {
    let place = TemporaryFolder()
    let folder: DataFolder
    let database: PostgresDatabase
    /// The database's name at its server.
    let name: String

    init() throws {
        folder = try DataFolder(path: place.path)
        let url = try TemporaryPostgres.shared.get().newDatabase()
        name = String(try #require(url.split(separator: "/").last))
        database = try PostgresDatabase(opening: PostgresAddress(url), limits: Self.patient)
    }

    /// For a busy machine.
    static var patient: PostgresLimits {
        var limits = PostgresLimits()
        limits.connecting = .seconds(60)
        limits.answering = .seconds(60)
        return limits
    }

    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// Makes a hub in the folder, whose first leader has begun an epoch.
    func hub(_ text: String) throws -> (hub: StoredHub, log: PostgresGroupLog) {
        let name = try #require(HubName(text))
        let hub = try HubFolders(folder: folder).make(HubFolders.new(name))
        let log = try PostgresGroupLog(
            leading: hub.secret.databaseName(of: name),
            in: database
        )
        try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        return (hub, log)
    }

    /// The folder of a hub's copy.
    func path(_ hub: StoredHub) throws -> String { try HubFolders(folder: folder).path(hub.name) }

    /// Has the database know a run of a node.
    func enter(_ run: UInt64) throws {
        let node = LeadingNode(run: run, name: "n\(run)", address: "n\(run):8443")
        _ = try PostgresLead(database, node, limits: LeaseLimits()).ask(.look)
    }
}

extension GroupLog {
    /// Stores a group of so many changes, each of another device.
    func append(devices: ClosedRange<UInt64>) throws(StoreError) {
        let changes = devices.map { number in
            StoredChange.revoke(DeviceID(high: 1, low: number), generation: 1)
        }
        try append(place.next(changes, []), GroupEffect(changes, head: place.head))
    }
}

/// Knows up to which group it has heard.
final class Listener: CopyObserver {
    private(set) var group: UInt64?
    private var onForget: () -> Void

    /// `onForget` runs when it forgets for the first time.
    init(onForget: @escaping () -> Void = {}) { self.onForget = onForget }

    func forget() {
        group = nil
        onForget()
        onForget = {}
    }

    func load(registration bytes: Span<UInt8>) throws(RecordProblem) {}

    func load(_ installation: Installation) {}

    func finish(at group: UInt64) { self.group = group }

    func take(_ changes: [StoredChange], of group: UInt64, instead before: [Registration]) {
        if self.group != nil { self.group = group }
    }
}
