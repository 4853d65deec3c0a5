import HubVocabulary

// What goes wrong with nodes, and its end.
extension Cluster {
    private static let drawn: [FaultKind] = [
        .nodeCrash, .nodeFrozen, .nodeFrozen, .databaseCut, .databaseCut, .databaseAway,
        .databaseMoved, .databaseClock, .handOver, .devicesCut,
    ]

    func drawFault() {
        let kind = Self.drawn[Int(world.below(UInt64(Self.drawn.count)))]
        let drawn = nodes[Int(world.below(UInt64(nodes.count)))]
        guard world.plan.enabled[kind.rawValue] else { return }
        // Mostly the one that leads.
        let node = world.oneIn(3) ? drawn : machine.hub?.node ?? drawn
        switch kind {
        case .nodeCrash:
            guard node.isUp else { return }
            world.note(kind)
            crash(node)
        case .nodeFrozen:
            world.note(kind)
            node.frozenUntil = world.time + 200_000 + world.below(9_000_000)
        case .databaseCut:
            world.note(kind)
            node.cutUntil =
                world.time + 200_000 + world.below(world.oneIn(3) ? 60_000_000 : 9_000_000)
            node.isCutOneWay = world.oneIn(2)
        case .databaseAway:
            world.note(kind)
            database.awayUntil = world.time + 200_000 + world.below(12_000_000)
        case .databaseMoved:
            world.note(kind)
            database.awayUntil = world.time + 100_000 + world.below(5_000_000)
            database.stepClock()
        case .databaseClock:
            world.note(kind)
            database.stepClock()
        case .handOver:
            guard let hub = machine.hub, let node = hub.node, !node.isStopping else { return }
            world.note(kind)
            node.isStopping = true
            machine.wakeWriter(hub)
        case .devicesCut: cutDevices(of: node)
        default: preconditionFailure("\(kind) is no fault of a node")
        }
    }

    /// Nothing passes between a node and its devices, and neither end is told.
    private func cutDevices(of node: SimulatedNode) {
        world.note(.devicesCut)
        node.devicesCutUntil = world.time + 200_000 + world.below(8_000_000)
        for hub in machine.processes where hub.node === node {
            for link in hub.shards.flatMap(\.links).compactMap({ $0 }) {
                machine.network.links[link].toHub.isDead = true
                machine.network.links[link].toDevice.isDead = true
            }
        }
    }

    /// The faults end.
    func heal() {
        database.awayUntil = min(database.awayUntil, world.time)
        for node in nodes {
            node.frozenUntil = min(node.frozenUntil, world.time)
            node.cutUntil = min(node.cutUntil, world.time)
            node.devicesCutUntil = min(node.devicesCutUntil, world.time)
        }
    }

    /// Whether one node leads and will go on.
    var isCalm: Bool {
        guard machine.processes.count == 1, let hub = machine.hub, let node = hub.node else {
            return false
        }
        return !node.isEnding && !node.isStopping && hub.mayAnswer(at: world)
    }
}
