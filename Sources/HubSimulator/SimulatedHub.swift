import HubDelivery
import HubDirectory
import HubModel
import HubRules
import HubStore
import HubVocabulary

/// One process of the hub: a crash throws it away, only the disk remains.
final class SimulatedHub {
    let life: Int
    let directory: Hub
    let store: MemoryStore
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
    /// Positions that devices showed, by connection.
    var attaching: [ConnectionAddress: AttachRequest] = [:]

    init(life: Int, directory: Hub, store: MemoryStore, plan: SimulationPlan, now: Now) {
        self.life = life
        self.directory = directory
        self.store = store
        writer = WriterLoop(hub: directory, now: now)
        recent = RecentRecords(recordsMax: plan.bounds.recentRecords, bytesMax: .max)
        reader = ReaderLoop(reader: store.reader, limits: plan.session) { _ in [] }
        reader = ReaderLoop(reader: store.reader, limits: plan.session) { [unowned self] places in
            recent.records(at: places)
        }
    }
}
