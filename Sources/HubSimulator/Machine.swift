import HubDelivery
import HubDirectory
import HubModel
import HubRules
import HubStore
import HubVocabulary

/// The machine of the hub: its disk, and one process after another.
final class Machine {
    let world: World
    let ledger: Ledger
    let network: Network
    let access = SimulatedAccess()
    var name: HubName { access.hub }
    /// Those who ask the hub.
    weak var callers: (any HubCallers)?

    var hub: SimulatedHub?
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
    }

    // MARK: The process

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
                    output: WireOutput(machine: self, shard: number),
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
        for index in network.links.indices where network.links[index].isOpenAtHub {
            network.links[index].isOpenAtHub = false
            network.breakDown(index, tellsDevice: true)
        }
        callers?.hubEnded()
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

    // MARK: Copies

    func backUp() {
        backup = (disk.copy(), ledger.history)
    }

    /// The hub ends and starts again on an older copy of its disk.
    func restore(beginsEpoch: Bool) {
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
