import HubCluster
import HubMemory
import HubModel
import HubStore
import HubVocabulary

/// Nodes that lead one hub of a database in turn, each with a copy of it.
///
/// The lease, the store over a database and the files of copies are those of the server. Devices and
/// senders come to the node that leads, or to one that has not heard that another does.
final class Cluster {
    unowned let machine: Machine
    let world: World
    let database = SimulatedDatabase()
    private(set) var nodes: [SimulatedNode] = []
    let plan: NodePlan
    private let folder = NodeFolder.ofRun()
    private var limits = LeaseLimits()
    private var runs: UInt64 = 0
    private var ids = 0
    private var backup: (database: SimulatedDatabase.Backup, ledger: Ledger.History)?
    /// The node whose process opened the hub last.
    private var lastLeader: SimulatedNode?
    /// How often the database had been set back when the last epoch began.
    private var pastOfEpoch = 0

    init(_ machine: Machine, _ plan: NodePlan) {
        self.machine = machine
        world = machine.world
        self.plan = plan
        limits.look = NodePlan.lookMilliseconds
        for number in 0..<plan.count {
            let lease = Lease(run: 0, limits: limits, now: world.now.instant)
            nodes.append(SimulatedNode(number, NodeFolder(number, in: folder), lease: lease))
        }
    }

    deinit { NodeFolder.remove(folder) }

    /// The database has no room before this, in microseconds.
    var fullUntil: UInt64 { machine.diskFullUntil }

    func start() {
        for node in nodes { world.after(world.below(200_000), .cluster(.up(node.number))) }
    }

    func carryOut(_ event: ClusterEvent) {
        switch event {
        case .up(let number): up(nodes[number])
        case .turn(let number, let run):
            let node = nodes[number]
            guard node.isUp, node.lease.run == run, node.alarm.rings(world.time) else { return }
            if node.frozenUntil <= world.time { turn(node) } else { wake(node) }
        case .request(let mail): request(mail)
        case .answer(let mail, let row):
            if let node = ready(mail.node, mail.run, event) { receive(mail, row, node) }
        case .open(let number, let run, let term):
            if let node = ready(number, run, event) { open(node, term) }
        case .end(let number, let run):
            if let node = ready(number, run, event) { crash(node) }
        case .late(let late): arrive(late)
        }
    }

    /// The node of an event when its run goes on; one that is frozen takes it afterwards.
    private func ready(_ number: Int, _ run: UInt64, _ event: ClusterEvent) -> SimulatedNode? {
        let node = nodes[number]
        guard node.isUp, node.lease.run == run else { return nil }
        guard node.frozenUntil <= world.time else {
            world.events.add(.cluster(event), at: node.frozenUntil)
            return nil
        }
        return node
    }

    // MARK: The lease

    private func up(_ node: SimulatedNode) {
        guard !node.isUp else { return }
        guard node.downUntil <= world.time else {
            return world.events.add(.cluster(.up(node.number)), at: node.downUntil)
        }
        runs += 1
        node.isUp = true
        node.waiting = nil
        node.sent = SentGroup()
        (node.isStopping, node.isEnding) = (false, false)
        node.alarm = Alarm()
        node.lease = Lease(run: runs, limits: limits, now: world.now.instant)
        wake(node)
    }

    /// Has a node look at its lease after so many microseconds, or when it goes on.
    private func wake(_ node: SimulatedNode, after microseconds: UInt64 = 1_000) {
        let due = max(world.time + microseconds, node.frozenUntil)
        guard node.alarm.set(due) else { return }
        world.events.add(.cluster(.turn(node.number, run: node.lease.run)), at: due)
    }

    private func turn(_ node: SimulatedNode) {
        let now = world.now.instant
        if let waiting = node.waiting, world.time >= waiting.deadline {
            node.waiting = nil
            node.lease.fail(now: now)
        }
        guard let pause = node.lease.pause(now: now) else { return }
        if node.waiting == nil, pause == 0, let request = node.lease.request(now: now) {
            ids += 1
            node.waiting = (ids, now, world.time + 1_000_000)
            let mail = LeaseMail(
                node: node.number,
                run: node.lease.run,
                id: ids,
                request: request
            )
            if reaches(node) || node.isCutOneWay { send(.request(mail)) }
        }
        let next = node.waiting.map { $0.deadline - world.time } ?? pause * 1_000
        wake(node, after: max(1_000, next))
    }

    private func send(_ event: ClusterEvent) {
        let isLate = !world.isHealed && world.oneIn(12)
        world.after(500 + world.below(isLate ? 2_500_000 : 20_000), .cluster(event))
    }

    private func request(_ mail: LeaseMail) {
        guard world.time >= database.awayUntil else { return }
        let row = database.answer(mail.request, of: mail.run, mail.node, at: world.time)
        guard reaches(nodes[mail.node]) else { return }
        send(.answer(mail, row))
    }

    private func receive(_ mail: LeaseMail, _ row: LeadRow, _ node: SimulatedNode) {
        guard let waiting = node.waiting, waiting.id == mail.id, world.time < waiting.deadline
        else { return }
        node.waiting = nil
        switch node.lease.receive(row, sent: waiting.sent, now: world.now.instant) {
        case .took(let term):
            world.tell("node \(node.number) leads, term \(term)")
            let wait = world.oneIn(6) ? 1_500_000 : 100_000
            let open = ClusterEvent.open(node.number, run: mail.run, term: term)
            world.after(5_000 + world.below(UInt64(wait)), .cluster(open))
        case .lost: return crash(node)
        case .asked, .follows, nil: if node.lease.term == nil { follow(node) }
        }
        wake(node)
    }

    /// Whether a node and the database reach each other.
    func reaches(_ node: SimulatedNode) -> Bool {
        world.time >= node.cutUntil && world.time >= database.awayUntil
    }

    // MARK: Processes

    private func open(_ node: SimulatedNode, _ term: UInt64) {
        guard node.lease.term == term, reaches(node), let opened = database.open(term) else {
            return crash(node)
        }
        let log = SimulatedGroupLog(opened, node, of: self)
        do throws(StoreError) {
            let (store, warm) = try beginStore(log, of: node, epochSeed: world.random.next() | 1)
            node.log = log
            lastLeader = node
            machine.ledger.reopen(from: store.bounds.first)
            world.tell("node \(node.number) opens: \(store.events)")
            if !machine.open(store, of: node, warm: warm) { store.close() }
        } catch {
            world.violate("node \(node.number) does not open the hub: \(error)")
        }
    }

    private func process(of node: SimulatedNode) -> SimulatedHub? {
        machine.processes.first { $0.node === node }
    }

    func crash(_ hub: SimulatedHub) {
        if let node = hub.node { crash(node) }
    }

    /// A node's run ends at once, and another starts some time.
    func crash(_ node: SimulatedNode) {
        guard node.isUp else { return }
        world.tell("node \(node.number) ends")
        if let hub = process(of: node) {
            let sent = node.sent
            let isOnTheWay = sent.outcome == nil && sent.lost == nil
            if isOnTheWay, sent.isInDoubt || reaches(node), let group = hub.inFlight {
                leaveOnTheWay(group, node)
            }
            // Devices of a machine without power hear nothing.
            close(hub, tellsDevices: world.isHealed || !world.oneIn(8))
        }
        down(node, for: world.oneIn(8) ? 12_000_000 : 2_000_000)
    }

    /// A group was sent, and its sender is no more.
    func leaveOnTheWay(_ group: CommitGroup, _ node: SimulatedNode) {
        guard let log = node.log else { return }
        let late = LateGroup(
            group: group,
            log: log.log,
            run: log.run,
            past: database.past
        )
        switch world.below(3) {
        case 0: arrive(late)
        case 1: world.after(world.below(6_000_000), .cluster(.late(late)))
        default: break
        }
    }

    private func arrive(_ late: LateGroup) {
        guard late.past == database.past, late.arrive() else { return }
        stored(late.group, by: late.run)
    }

    private func close(_ hub: SimulatedHub, tellsDevices: Bool) {
        machine.end(hub, tellsDevices: tellsDevices)
        hub.store.close()
        hub.node?.log = nil
    }

    private func down(_ node: SimulatedNode, for microseconds: UInt64) {
        node.isUp = false
        node.waiting = nil
        stopFollowing(node)
        damageCopy(node)
        world.after(20_000 + world.below(microseconds), .cluster(.up(node.number)))
    }

    private func damageCopy(_ node: SimulatedNode) {
        let part = NodeFolder.Part.allCases[Int(world.below(2))]
        if world.strikes(.copyLost, oneIn: 10) {
            node.folder.lose()
        } else if node.folder.hasOld, world.strikes(.copyOlder, oneIn: 6) {
            node.folder.putBack(NodeFolder.Part.allCases)
        } else if node.folder.hasOld, world.strikes(.copyTorn, oneIn: 4) {
            node.folder.putBack([part])
        } else if world.strikes(.copyDamaged, oneIn: 12) {
            node.folder.spoil(part)
        } else if world.oneIn(2) {
            node.folder.keep()
        }
    }

    /// A run's process has answered what waited: it lets go of the lead.
    func leave(_ hub: SimulatedHub) {
        guard let node = hub.node else { return }
        close(hub, tellsDevices: true)
        if let request = node.lease.end() {
            ids += 1
            let mail = LeaseMail(
                node: node.number,
                run: node.lease.run,
                id: ids,
                request: request
            )
            if reaches(node) { send(.request(mail)) }
        }
        down(node, for: 3_000_000)
    }

    /// Another node leads, as the store has said: the run ends within a second.
    func lead(isLostOf hub: SimulatedHub) {
        guard let node = hub.node, !node.isEnding else { return }
        node.isEnding = true
        let end = ClusterEvent.end(node.number, run: node.lease.run)
        world.after(1_000 + world.below(1_000_000), .cluster(end))
    }

    // MARK: What is stored

    /// A group is durable.
    func stored(_ group: CommitGroup, by run: UInt64) {
        if database.row.holder != run {
            world.violate("run \(run) stores, and run \(database.row.holder) leads")
        }
        guard machine.isPossible(group) else { return }
        machine.ledger.apply(group.changes, time: world.time)
        machine.ledger.append(group.records, time: world.time)
    }

    /// An epoch has begun, with numbers left out below when the database had been set back.
    func begun(_ epoch: GroupEpoch) {
        pastOfEpoch = database.past
        machine.ledger.leaveOut(below: epoch.place.sequence)
        machine.ledger.begin(epoch.place.epoch)
    }

    // MARK: Copies of the database

    /// Whether a copy may have seen more than the database: no epoch tells what was lost apart.
    var mayBeAhead: Bool { pastOfEpoch < database.past }

    func backUp() { backup = (database.backup(), machine.ledger.history) }

    var hasBackup: Bool { backup != nil }

    /// All nodes end, and the database is an older one again.
    ///
    /// The last leader is the first to start: it finds that it has seen more than the database. Nodes
    /// that follow have seen as much, and the others lose their copies.
    func setBack() {
        guard let backup else { return }
        for node in nodes {
            if let hub = process(of: node) { close(hub, tellsDevices: true) }
            node.isUp = false
            node.waiting = nil
            stopFollowing(node)
            node.downUntil = world.time + (node === lastLeader ? 20_000 : 20_000_000)
            if node !== lastLeader, !node.follows { node.folder.lose() }
            world.events.add(.cluster(.up(node.number)), at: node.downUntil)
        }
        database.setBack(to: backup.database)
        machine.ledger.restore(backup.ledger)
    }
}
