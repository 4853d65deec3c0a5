/// A whole hub with its devices, network, disk and clocks in one process, on one thread, under one
/// seed: the production core is driven step by step, and everything it says is compared with a
/// `Ledger`.
package final class Simulation {
    private let seed: UInt64
    private let stepsMax: Int
    let world: World

    let ledger = Ledger()
    let network: Network
    let machine: Machine
    let checks: AppChecks
    let devices: Devices
    let senders: Senders

    /// A simulation that has not begun, perhaps with a mistake around the core.
    package init(
        seed: UInt64,
        steps: Int,
        mistake: WiringMistake? = nil,
        nodes: NodeChoice = .bySeed
    ) {
        self.seed = seed
        stepsMax = steps
        world = World(seed: seed, mistake: mistake, nodes: nodes)
        network = Network(world)
        machine = Machine(world, ledger, network)
        checks = AppChecks(machine)
        devices = Devices(checks)
        senders = Senders(devices)
        machine.callers = senders
    }

    /// Has `trace` called with a line for each thing that happens.
    package func onEvent(_ trace: @escaping (String) -> Void) { world.trace = trace }

    // MARK: Running

    /// Runs all steps, lets the faults end, and drains; says what was violated.
    package func run() -> SimulationOutcome {
        begin()
        while world.steps < stepsMax, world.violations.isEmpty { step() }
        if world.violations.isEmpty { drain() }
        return SimulationOutcome(
            seed: seed,
            steps: world.steps,
            seconds: world.seconds,
            traceHash: world.traceHash,
            faults: world.faults,
            deliveries: checks.deliveries,
            transientDeliveries: checks.transientDeliveries,
            records: ledger.records.count,
            trimmed: ledger.trimmed,
            manySends: senders.manySends,
            violations: world.violations
        )
    }

    private func begin() {
        for index in 0..<world.plan.devices { devices.addDevice(index) }
        machine.startHub()
        world.after(0, .tick)
        world.after(1_000, .operation)
    }

    func step() {
        guard let next = world.events.pop() else {
            preconditionFailure("a simulation without events")
        }
        world.time = max(world.time, next.time)
        switch next.event {
        case .tick: tick()
        case .writer(let life): machine.writerTurn(life)
        case .committed(let life): machine.diskIsDone(life)
        case .shard(let shard, let life): machine.shardTurn(shard, life)
        case .page(let life): machine.answerRead(life)
        case .toHub(let link): machine.arriveAtHub(link)
        case .toDevice(let link): devices.arriveAtDevice(link)
        case .writable(let link): machine.becomesWritable(link)
        case .cluster(let event): machine.cluster?.carryOut(event)
        case .device(let device): devices.deviceIsDue(device)
        case .operation: operation()
        case .start: machine.startHub()
        }
        if !ledger.violations.isEmpty {
            world.violations += ledger.violations
            ledger.violations = []
        }
    }

    private func tick() {
        world.after(world.plan.tickMilliseconds * 1_000, .tick)
        for hub in machine.processes where hub.frozenUntil <= world.time {
            machine.tickShards(hub)
        }
    }
}
