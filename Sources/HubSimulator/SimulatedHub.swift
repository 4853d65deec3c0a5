import HubCluster
import HubDelivery
import HubDirectory
import HubMemory
import HubModel
import HubRules
import HubStore
import HubTables
import HubVocabulary

/// One process of the hub: a crash throws it away, only the disk remains, or the database.
final class SimulatedHub {
    let life: Int
    let directory: Hub
    let store: any HubStorage
    /// The node whose process it is; nil for a hub on its own disk.
    let node: SimulatedNode?
    var shards: [SimulatedShard] = []
    var writer: WriterLoop
    var inbox: [WriterMail] = []
    var writerAlarm = Alarm()
    /// The group that the disk works on.
    var inFlight: CommitGroup?
    var recent: RecentRecords
    /// Its log reader's thread: reads that wait, in the order in which they get their turn, and what
    /// shards have not looked at.
    var reader: ReaderLoop
    var reads = WaitingReads()
    var readOrder: [DeviceID] = []
    var pages = PageBudget(bytesMax: 4_096)
    /// Keys that the start has left; a few are read before each turn of the writer.
    var unreadKeys: EarlierKeys?
    /// Positions that devices showed, by connection.
    var attaching: [ConnectionAddress: AttachRequest] = [:]

    init(
        life: Int,
        directory: Hub,
        store: any HubStorage,
        node: SimulatedNode?,
        plan: SimulationPlan,
        now: Now
    ) {
        self.life = life
        self.directory = directory
        self.store = store
        self.node = node
        unreadKeys = directory.unreadKeys
        writer = WriterLoop(hub: directory, now: now)
        recent = RecentRecords(recordsMax: plan.bounds.recentRecords, bytesMax: .max)
        reader = ReaderLoop(reader: store.reader, limits: plan.session) { _ in [] }
        reader = ReaderLoop(reader: store.reader, limits: plan.session) { [unowned self] places in
            recent.records(at: places)
        }
    }

    /// Until when its node does nothing, in microseconds.
    var frozenUntil: UInt64 { node?.frozenUntil ?? 0 }

    /// Whether it only answers what waits, and ends.
    var isStopping: Bool { node?.isStopping ?? false }

    /// Whether no other node can lead.
    func leads(at world: World) -> Bool {
        node?.lease.leads(at: world.now.instant) ?? true
    }

    /// Whether it may say what it knows, which is not old.
    func mayAnswer(at world: World) -> Bool {
        world.mistake == .servesAfterLease || leads(at: world)
    }
}
