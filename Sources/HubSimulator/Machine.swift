import HubDelivery
import HubDirectory
import HubMemory
import HubModel
import HubRules
import HubVocabulary

/// The machine of the hub: its disk, and one process after another; with nodes, the processes of
/// all of them.
final class Machine {
    let world: World
    let ledger: Ledger
    let network: Network
    let access = SimulatedAccess()
    var name: HubName { access.hub }
    /// Those who ask the hub.
    weak var callers: (any HubCallers)?

    /// The process that gives an answer now.
    weak var speaker: SimulatedHub?
    /// Those that run, the newest last; one without nodes.
    private(set) var processes: [SimulatedHub] = []
    /// The nodes, and their database; nil for a hub on its own disk.
    private(set) var cluster: Cluster?
    private(set) var disk = MemoryDisk()
    private var lives = 0
    /// The group whose sync failed, with bytes that may still be on the disk.
    var ghost: CommitGroup?
    var diskFullUntil: UInt64 = 0
    private(set) var backup: (disk: MemoryDisk, ledger: Ledger.History)?

    init(_ world: World, _ ledger: Ledger, _ network: Network) {
        self.world = world
        self.ledger = ledger
        self.network = network
        cluster = world.plan.nodes.map { Cluster(self, $0) }
    }

    // MARK: The process

    /// The process that started last, of those that run.
    var hub: SimulatedHub? { processes.last }

    /// The process with a number; nil when it has ended.
    func process(_ life: Int) -> SimulatedHub? { processes.first { $0.life == life } }

    /// Whether a process has not ended.
    func runs(_ hub: SimulatedHub) -> Bool { processes.contains { $0 === hub } }

    /// The process that a device or a sender comes to: mostly the newest, sometimes one that has not
    /// heard that another leads.
    var addressee: SimulatedHub? {
        guard processes.count > 1, world.oneIn(2) else { return hub }
        return processes.first
    }

    /// Starts a process on what the disk holds.
    func startHub() {
        if let cluster { return cluster.start() }
        guard hub == nil else { return }
        let isNew = ledger.history.epochs.isEmpty
        // A new process shares nothing with the one before.
        disk = disk.copy()
        let store = MemoryStore(
            disk: disk,
            newEpoch: world.random.next() | 1,
            sliceRecords: world.plan.sliceRecords
        )
        if isNew { ledger.begin(store.bounds.epoch) }
        open(store, of: nil)
    }

    /// Starts a process on a store, of a node or of the machine; whether it could.
    @discardableResult
    func open(
        _ store: any HubStorage,
        of node: SimulatedNode?,
        warm: WarmDirectory? = nil
    ) -> Bool {
        lives += 1
        world.count(1, lives)
        let directory: Hub
        let headCheck: UInt32
        do throws(StoreError) {
            directory = try Hub(
                hub: name,
                secret: access.secret,
                storage: store,
                limits: world.plan.core,
                protected: ProtectedTags(),
                warm: warm,
                shards: world.plan.shards,
                seed: world.random.next(),
                now: world.now
            )
            headCheck = try store.reader.check(at: store.bounds.head) ?? 0
        } catch {
            world.violate("the hub does not open: \(error)")
            return false
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
            node: node,
            plan: world.plan,
            now: world.now
        )
        addShards(to: hub, headCheck: headCheck)
        processes.append(hub)
        wakeWriter(hub)
        world.tell("hub starts, life \(lives), head \(store.bounds.head)")
        return true
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
                    output: WireOutput(machine: self, life: hub.life, shard: number),
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
        crash(hub)
    }

    /// A process ends, and another starts some time.
    func crash(_ hub: SimulatedHub) {
        guard runs(hub) else { return }
        if let cluster { return cluster.crash(hub) }
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
        end(hub, tellsDevices: true)
        world.after(20_000 + world.below(3_000_000), .start)
    }

    /// A process runs no more, and what was in its memory is gone.
    func end(_ hub: SimulatedHub, tellsDevices: Bool) {
        processes.removeAll { $0 === hub }
        for index in network.links.indices
        where network.links[index].isOpenAtHub && network.links[index].life == hub.life {
            network.links[index].isOpenAtHub = false
            network.breakDown(index, tellsDevice: tellsDevices)
        }
        callers?.hubEnded(hub.life)
    }

    func makeDurable(changes: [StoredChange], in store: any HubStorage) {
        guard !changes.isEmpty else { return }
        _ = store.commit(changes: changes, records: [])
        ledger.apply(changes, time: world.time)
    }

    func makeDurable(records: [NotificationRecord], in store: any HubStorage) {
        guard !records.isEmpty else { return }
        _ = store.commit(changes: [], records: records)
        ledger.append(records, time: world.time)
    }

    // MARK: Copies

    /// Whether there is an older state that may come back.
    var hasBackup: Bool { cluster?.hasBackup ?? (backup != nil) }

    func backUp() {
        if let cluster { return cluster.backUp() }
        backup = (disk.copy(), ledger.history)
    }

    /// The hub ends and starts again on an older copy of its disk.
    func restore(beginsEpoch: Bool) {
        if let cluster { return cluster.setBack() }
        guard let backup else { return }
        crash()
        disk = backup.disk.copy()
        ledger.restore(backup.ledger)
        if beginsEpoch {
            disk.beginEpoch(seed: world.random.next() | 1)
            ledger.begin(MemoryStore(disk: disk, newEpoch: 1).bounds.epoch)
        }
    }
}
