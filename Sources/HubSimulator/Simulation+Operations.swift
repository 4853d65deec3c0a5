import HubClient
import HubDelivery
import HubDirectory
import HubModel
import HubStore
import HubTags
import HubTemplates
import HubVocabulary

// Events that happen by themselves: requests of senders, apps and the backend, and faults.
extension Simulation {
    func operation() {
        guard !world.isHealed else { return }
        world.count(9, 0)
        let isFault = world.oneIn(world.plan.faultOneIn)
        if isFault { drawFault() } else { drawRequest() }
        // Sometimes nothing happens for a while, so that timers have their turn.
        let quiet: [UInt64] = [2_000_000, 10_000_000, 40_000_000, 140_000_000]
        let pause =
            world.oneIn(60)
            ? quiet[Int(world.below(4))] : world.below(world.plan.operationMilliseconds * 2_000)
        world.after(pause, .operation)
    }

    private func drawRequest() {
        switch world.below(100) {
        case 0..<45: sendSome()
        case 45: changeSettings()
        case 46..<48: purgeSome()
        case 48..<54: scheduleOne()
        case 54..<57: cancelOne()
        case 57..<63: repeatOne()
        case 63: repeatWithOther()
        case 64..<77: changeChoice()
        case 77..<80: patchInstallation()
        case 80..<84: giveUpSlot()
        case 84..<87: createRegistration()
        case 87..<91: changeRegistration()
        case 91..<93: deleteRegistration()
        case 93..<95: putInstallation()
        case 95: deleteInstallation()
        case 96..<98: keepCopy()
        default: backUp()
        }
    }

    // MARK: Apps

    func drawTags() -> [String] { Formula.tags.filter { _ in world.oneIn(2) } }

    func drawTemplate(_ platform: Platform) -> [UInt8] {
        let version = world.below(1_000)
        let text =
            platform == .apple
            ? "{\"aps\":{\"alert\":\"{'v\(version) ' + $(text)}\"}}"
            : "{\"data\":{\"m\":\"{'v\(version) ' + $(text)}\"}}"
        return Array(text.utf8)
    }

    private func changeChoice() {
        let index = Int(world.below(UInt64(devices.count)))
        let slot = UInt16(world.below(3))
        let known = devices[index].session.state.choice(slot: slot)
        if known != nil, world.oneIn(2) {
            let add = drawTags()
            request(index) { session, now, actions throws(ChoiceError) in
                try session.patchTags(
                    slot: slot,
                    add: add,
                    remove: Formula.tags.filter { !add.contains($0) },
                    now: now,
                    actions: &actions
                )
            }
            return
        }
        let platform = Self.platforms[Int(world.below(8) < 6 ? 0 : 1 + world.below(2))]
        var choice = RegistrationChoice(slot: slot, platform: platform, tags: drawTags())
        if world.oneIn(3) {
            choice = .template(
                slot: slot,
                platform: platform,
                name: "t",
                body: String(decoding: drawTemplate(platform), as: UTF8.self),
                tags: drawTags()
            )
        }
        request(index) { session, now, actions throws(ChoiceError) in
            try session.register(choice, now: now, actions: &actions)
        }
    }

    private func giveUpSlot() {
        let index = Int(world.below(UInt64(devices.count)))
        let slot = UInt16(world.below(3))
        guard devices[index].session.state.choice(slot: slot) != nil else { return }
        request(index) { session, now, actions throws(ChoiceError) in
            try session.unregister(slot: slot, now: now, actions: &actions)
        }
    }

    func pause(_ index: Int, _ isOn: Bool) {
        guard devices[index].link != nil, devices[index].session.isReady else { return }
        devices[index].isPaused = isOn
        let usual = devices[index].session.configuration
        let isDoze = isOn && world.oneIn(2)
        request(index) { session, now, _ throws(ChoiceError) in
            session.setWindow(
                appState: isDoze ? 3 : 1,
                messages: isOn && !isDoze ? 0 : usual.windowMessages,
                bytes: usual.windowBytes,
                now: now
            )
        }
    }

    // MARK: The backend

    var grant: AccessGrant { AccessGrant(rule: "full", rights: [.listen, .send, .manage]) }

    func drawContent(for device: Int? = nil) -> RegistrationContent? {
        let index = device ?? Int(world.below(UInt64(devices.count)))
        guard let identity = devices[index].stored.state.identity else { return nil }
        let platform = Self.platforms[Int(world.below(8) < 6 ? 0 : 1 + world.below(2))]
        var content = RegistrationContent(
            platform: platform,
            handle: Array(identity.handleText.uppercased().utf8),
            tags: TagSet(drawTags().map { Array($0.utf8) })
        )
        if world.oneIn(3) {
            content.template = TemplateDefinition(name: [], body: drawTemplate(platform))
        }
        return content
    }

    private func createRegistration() {
        guard hub != nil, workload.registrations.count < Workload.registrationsMax,
            let content = drawContent()
        else {
            return
        }
        ask(CreateRegistration(content, grant), as: .register) { simulation, result in
            guard case .success(let made) = result else { return }
            simulation.checkStored(made)
            simulation.workload.registrations.append(made.id)
        }
    }

    private var known: [UInt8]? {
        guard hub != nil, !workload.registrations.isEmpty else { return nil }
        return workload.registrations[Int(world.below(UInt64(workload.registrations.count)))]
    }

    private func changeRegistration() {
        guard let id = known, let content = drawContent() else { return }
        ask(PutRegistration(id: id, content, .none, grant), as: .change(id)) { simulation, result in
            if case .success(let stored) = result { simulation.checkStored(stored) }
        }
    }

    private func deleteRegistration() {
        guard let id = known else { return }
        ask(DeleteRegistration(id: id, .none, grant), as: .change(id)) { _, _ in }
        workload.registrations.removeAll { $0 == id }
    }

    private func checkStored(_ registration: Registration) {
        let row = ledger.history.rows[registration.number.raw]
        if row.map({ $0.version < registration.version }) ?? true,
            ledger.removed[registration.number.raw] == nil
        {
            world.violate("registration \(registration.number.raw) is answered and not durable")
        }
    }

    // MARK: Faults

    private static let drawn: [FaultKind] = [
        .crash, .fullDisk, .restoredBackup, .lostWrites, .lostWrites, .cut, .cut, .halfOpen,
        .slowLink,
        .blockedReader,
        .clockForward, .clockBack, .deviceRestart, .deviceRollback, .reinstall, .clonedDevice,
        .takeover,
        .pausedWindow,
    ]

    private func drawFault() {
        let kind = Self.drawn[Int(world.below(UInt64(Self.drawn.count)))]
        guard world.plan.enabled[kind.rawValue] else { return }
        let index = Int(world.below(UInt64(devices.count)))
        switch kind {
        case .crash:
            guard hub != nil, world.oneIn(2) else { return }
            world.note(kind)
            crash()
        case .fullDisk:
            world.note(kind)
            diskFullUntil = world.time + 50_000 + world.below(5_000_000)
        case .restoredBackup:
            guard backup != nil, hub != nil, world.oneIn(2) else { return }
            world.note(kind)
            restore(beginsEpoch: true)
        case .lostWrites:
            guard backup != nil, hub != nil, world.oneIn(2) else { return }
            world.note(kind)
            restore(beginsEpoch: false)
        case .clockForward: jump(kind, ahead: true)
        case .clockBack: jump(kind, ahead: false)
        case .deviceRestart:
            world.note(kind)
            restart(index)
        case .deviceRollback:
            guard devices[index].older != nil else { return }
            world.note(kind)
            rollBack(index)
        case .reinstall:
            guard world.oneIn(4) else { return }
            world.note(kind)
            reinstall(index)
        case .clonedDevice:
            guard devices.count < world.plan.devices + 2, devices[index].identity != nil,
                world.oneIn(4)
            else { return }
            world.note(kind)
            clone(index)
        default: breakLink(kind, index)
        }
    }

    private func breakLink(_ kind: FaultKind, _ index: Int) {
        guard let link = devices[index].link, links[link].isOpenAtDevice else { return }
        world.note(kind)
        switch kind {
        case .cut: cut(link)
        case .halfOpen:
            if world.oneIn(2) { links[link].toHub.isDead = true }
            if !links[link].toHub.isDead || world.oneIn(2) { links[link].toDevice.isDead = true }
        case .slowLink: links[link].latency = 200_000 + world.below(3_000_000)
        case .blockedReader:
            links[link].blockedUntil = world.time + 20_000 + world.below(8_000_000)
            links[link].isFull = world.oneIn(2)
            world.events.add(.toDevice(link), at: links[link].blockedUntil)
        case .takeover:
            abandon(index, tellsHub: false)
            wake(index, after: world.below(20_000))
        case .pausedWindow: pause(index, !devices[index].isPaused)
        default: preconditionFailure("\(kind) is no fault of a connection")
        }
    }

    func becomesWritable(_ link: Int) {
        guard links[link].isOpenAtHub, let hub, hub.life == links[link].life else { return }
        links[link].isStarved = false
        hub.shards[links[link].shard].loop.core.writable(links[link].connection, now: world.now)
        wakeShard(links[link].shard)
    }

    private func jump(_ kind: FaultKind, ahead: Bool) {
        let steps: [Int64] = [1_500, 30_000, 600_000, 7_200_000]
        let step = steps[Int(world.below(4))]
        let target = world.wallOffset + (ahead ? step : -step)
        // Within hours, so that nothing lapses by it that lives for a day.
        guard abs(target) < 36_000_000 else { return }
        world.note(kind)
        ledger.noteExpired(at: world.now.time)
        world.setWall(offset: target)
    }

    // MARK: Copies

    private func keepCopy() {
        let index = Int(world.below(UInt64(devices.count)))
        devices[index].older = devices[index].stored
    }

    private func backUp() {
        backup = (disk.copy(), ledger.history)
    }

    /// The hub ends and starts again on an older copy of its disk.
    private func restore(beginsEpoch: Bool) {
        guard let backup else { return }
        crash()
        disk = backup.disk.copy()
        ledger.restore(backup.ledger)
        if beginsEpoch {
            disk.beginEpoch(seed: world.random.next() | 1)
            ledger.begin(MemoryStore(disk: disk, newEpoch: 1).bounds.epoch)
        }
        workload.restored()
        world.tell("restored to \(ledger.history.log.count)")
    }
}
