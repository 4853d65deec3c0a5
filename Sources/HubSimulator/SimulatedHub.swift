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

// The hub's process comes and goes.
extension Simulation {
    /// Starts a process on what the disk holds.
    func startHub() {
        guard hub == nil else { return }
        lives += 1
        world.count(1, lives)
        let isNew = ledger.history.epochs.isEmpty
        // A new process shares nothing with the one before.
        disk = disk.copy()
        let store = MemoryStore(
            disk: disk,
            newEpoch: world.random.next() | 1,
            sliceRecords: world.plan.sliceRecords
        )
        if isNew { ledger.begin(store.bounds.epoch) }
        let directory: Hub
        let headCheck: UInt32
        do throws(StoreError) {
            directory = try Hub(
                hub: name,
                secret: access.secret,
                storage: store,
                limits: world.plan.core,
                protected: ProtectedTags(),
                shards: world.plan.shards,
                seed: world.random.next(),
                now: world.now
            )
            headCheck = try store.reader.check(at: store.bounds.head) ?? 0
        } catch {
            world.violate("the hub does not open: \(error)")
            return
        }
        if store.bounds.head != UInt64(ledger.history.log.count) {
            world.violate(
                "opened with head \(store.bounds.head), stored are \(ledger.history.log.count)"
            )
        }
        let hub = SimulatedHub(
            life: lives,
            directory: directory,
            store: store,
            plan: world.plan,
            now: world.now
        )
        addShards(to: hub, headCheck: headCheck)
        self.hub = hub
        wakeWriter()
        world.tell("hub starts, life \(lives), head \(store.bounds.head)")
    }

    private func addShards(to hub: SimulatedHub, headCheck: UInt32) {
        let (directory, store) = (hub.directory, hub.store)
        let configuration = ShardHubConfiguration(
            name: name,
            secret: access.secret,
            bounds: store.bounds,
            headCheck: headCheck,
            retentionSeconds: directory.settings.retentionSeconds,
            deviceCap: Int(directory.settings.deviceCap),
            purgedThrough: directory.settings.purgedThrough
        )
        let settings = ledger.history.settings ?? HubSettings(world.plan.core)
        if directory.settings != settings {
            world.violate("the hub starts with \(directory.settings), decided was \(settings)")
        }
        for number in 0..<world.plan.shards {
            let core = ShardCore(
                shard: number,
                hubs: [configuration],
                policies: access.policies,
                limits: world.plan.session,
                seed: world.random.next(),
                now: world.now
            )
            hub.shards.append(
                SimulatedShard(
                    core,
                    output: WireOutput(simulation: self, shard: number),
                    purgedThrough: settings.purgedThrough,
                    head: store.bounds.head,
                    plan: world.plan
                )
            )
        }
    }

    /// The process ends at once; what was in memory is gone, what was on its way to the disk may be
    /// there or not.
    func crash() {
        guard let hub else { return }
        world.tell("hub ends, life \(hub.life)")
        if let group = hub.inFlight {
            let parts = world.below(3)
            disk.setFaults(MemoryFaults())
            if parts >= 1 { makeDurable(changes: group.changes, in: hub.store) }
            if parts == 2 { makeDurable(records: group.records, in: hub.store) }
        } else if let ghost, world.oneIn(2) {
            disk.setFaults(MemoryFaults())
            makeDurable(changes: ghost.changes, in: hub.store)
            makeDurable(records: ghost.records, in: hub.store)
        }
        ghost = nil
        self.hub = nil
        for index in links.indices where links[index].isOpenAtHub {
            links[index].isOpenAtHub = false
            breakDown(index, tellsDevice: true)
        }
        checkCutRequests()
        workload.hubEnded(at: world.time)
        world.after(20_000 + world.below(3_000_000), .start)
    }

    func makeDurable(changes: [StoredChange], in store: MemoryStore) {
        guard !changes.isEmpty else { return }
        _ = store.commit(changes: changes, records: [])
        ledger.apply(changes, time: world.time)
    }

    func makeDurable(records: [NotificationRecord], in store: MemoryStore) {
        guard !records.isEmpty else { return }
        _ = store.commit(changes: [], records: records)
        ledger.append(records, time: world.time)
    }
}
