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
        case 0..<45: senders.sendSome()
        case 45: senders.changeSettings()
        case 46..<48: senders.purgeSome()
        case 48..<54: senders.scheduleOne()
        case 54..<57: senders.cancelOne()
        case 57..<63: senders.repeatOne()
        case 63: senders.repeatWithOther()
        case 64..<77: devices.changeChoice()
        case 77..<80: senders.patchInstallation()
        case 80..<84: devices.giveUpSlot()
        case 84..<87: senders.createRegistration()
        case 87..<91: senders.changeRegistration()
        case 91..<93: senders.deleteRegistration()
        case 93..<95: senders.putInstallation()
        case 95: senders.deleteInstallation()
        case 96..<98: keepCopy()
        default: machine.backUp()
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
        if let cluster = machine.cluster, world.oneIn(2) { return cluster.drawFault() }
        var kind = Self.drawn[Int(world.below(UInt64(Self.drawn.count)))]
        // Devices come and go between two nodes that both seem to lead.
        if machine.processes.count > 1, world.oneIn(2) { kind = .cut }
        if machine.cluster != nil, kind == .lostWrites { kind = .restoredBackup }
        guard world.plan.enabled[kind.rawValue] else { return }
        let index = Int(world.below(UInt64(devices.all.count)))
        switch kind {
        case .crash:
            guard machine.hub != nil, world.oneIn(2) else { return }
            world.note(kind)
            machine.crash()
        case .fullDisk:
            world.note(kind)
            machine.diskFullUntil = world.time + 50_000 + world.below(5_000_000)
        case .restoredBackup:
            guard machine.hasBackup, machine.hub != nil, world.oneIn(2) else { return }
            world.note(kind)
            restore(beginsEpoch: true)
        case .lostWrites:
            guard machine.backup != nil, machine.hub != nil, world.oneIn(2) else { return }
            world.note(kind)
            restore(beginsEpoch: false)
        case .clockForward: jump(kind, ahead: true)
        case .clockBack: jump(kind, ahead: false)
        case .deviceRestart:
            world.note(kind)
            devices.restart(index)
        case .deviceRollback:
            guard devices.all[index].older != nil else { return }
            world.note(kind)
            devices.rollBack(index)
        case .reinstall:
            guard world.oneIn(4) else { return }
            world.note(kind)
            devices.reinstall(index)
        case .clonedDevice:
            guard devices.all.count < world.plan.devices + 2, devices.all[index].identity != nil,
                world.oneIn(4)
            else { return }
            world.note(kind)
            devices.clone(index)
        default: breakLink(kind, index)
        }
    }

    private func breakLink(_ kind: FaultKind, _ index: Int) {
        guard let link = devices.all[index].link, network.links[link].isOpenAtDevice else { return }
        world.note(kind)
        switch kind {
        case .cut: network.cut(link)
        case .halfOpen:
            if world.oneIn(2) { network.links[link].toHub.isDead = true }
            if !network.links[link].toHub.isDead || world.oneIn(2) {
                network.links[link].toDevice.isDead = true
            }
        case .slowLink: network.links[link].latency = 200_000 + world.below(3_000_000)
        case .blockedReader:
            network.links[link].blockedUntil = world.time + 20_000 + world.below(8_000_000)
            network.links[link].isFull = world.oneIn(2)
            world.events.add(.toDevice(link), at: network.links[link].blockedUntil)
        case .takeover:
            devices.abandon(index, tellsHub: false)
            devices.wake(index, after: world.below(20_000))
        case .pausedWindow: devices.pause(index, !devices.all[index].isPaused)
        default: preconditionFailure("\(kind) is no fault of a connection")
        }
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

    private func keepCopy() {
        let index = Int(world.below(UInt64(devices.all.count)))
        devices.all[index].older = devices.all[index].stored
    }

    private func restore(beginsEpoch: Bool) {
        machine.restore(beginsEpoch: beginsEpoch)
        senders.workload.restored()
        world.tell("restored to \(ledger.history.log.count)")
    }
}
