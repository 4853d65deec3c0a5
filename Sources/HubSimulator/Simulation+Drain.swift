import HubClient
import HubMemory
import HubVocabulary

// The end of a run: the faults are over, and everything that is owed arrives.
extension Simulation {
    /// The faults end; everything that is owed must arrive, soon.
    func drain() {
        world.isHealed = true
        world.tell("healed")
        machine.diskFullUntil = 0
        machine.disk.setFaults(MemoryFaults())
        machine.cluster?.heal()
        for shard in machine.processes.flatMap(\.shards) {
            shard.stalledUntil = min(shard.stalledUntil, world.time)
        }
        for link in network.links.indices {
            network.links[link].blockedUntil = 0
            heal(link)
        }
        devices.retireClones()
        openWindows()
        let limit = world.time + 900_000_000
        var nextLook = world.time + 5_000_000
        while world.violations.isEmpty {
            step()
            guard world.time >= nextLook else { continue }
            nextLook = world.time + 5_000_000
            openWindows()
            if isDrained { break }
            if world.time > limit {
                tellMissing()
                break
            }
        }
        if world.violations.isEmpty { checkEnd() }
    }

    /// A network that works again resets what it had forgotten.
    private func heal(_ link: Int) {
        if network.links[link].isFull {
            network.links[link].isFull = false
            machine.becomesWritable(link)
        }
        if network.links[link].isOpenAtHub,
            network.links[link].toDevice.isDead || network.links[link].toHub.isDead
        {
            network.cut(link)
        } else if network.links[link].isOpenAtDevice, network.links[link].toHub.isDead {
            network.cut(link)
        }
    }

    private func openWindows() {
        for index in devices.all.indices where devices.all[index].isPaused {
            devices.pause(index, false)
        }
    }

    private var isDrained: Bool {
        guard machine.hub != nil, machine.cluster?.isCalm != false,
            senders.workload.isDone(ledger, at: world.now.time)
        else {
            return false
        }
        return devices.all.allSatisfy { device in
            device.isRetired || device.session.isReady && checks.missing(device).isEmpty
        }
    }

    private func tellMissing() {
        if !senders.workload.isDone(ledger, at: world.now.time) {
            world.violate("callers wait for answers after the faults ended")
        }
        if machine.hub == nil { world.violate("the hub is not back") }
        for device in devices.all where !device.isRetired {
            let index = device.number
            if !device.session.isReady { world.violate("device \(index) is not connected") }
            for one in checks.missing(device).prefix(5) {
                let record = ledger.records[one.record]
                world.violate("device \(index) slot \(one.slot) never got \(record.sequence)")
            }
        }
    }

    private func checkEnd() {
        senders.checkAnswers()
        // The last acknowledgements, reports and checkpoints.
        let end = world.time + 12_000_000
        while world.time < end, world.violations.isEmpty { step() }
        checks.checkReports()
        if world.violations.isEmpty { checks.checkCounters() }
    }
}
