import HubModel
import HubParcel
import HubRules
import HubStore
import HubTransport
import HubVocabulary

/// A whole hub with its devices, network, disk and clocks in one process, on one thread, under one
/// seed: the production core is driven step by step, and everything it says is compared with a
/// `Ledger`.
///
/// The same seed gives the same run, to the last byte.
package final class Simulation {
    private let seed: UInt64
    private let stepsMax: Int
    let world: World

    var hub: SimulatedHub?
    var disk = MemoryDisk()
    var lives = 0
    /// The group whose sync failed, with bytes that may still be on the disk.
    var ghost: CommitGroup?
    var diskFullUntil: UInt64 = 0
    var backup: (disk: MemoryDisk, ledger: Ledger.History)?
    let access = SimulatedAccess()
    var name: HubName { access.hub }

    var links: [Link] = []
    var devices: [SimulatedDevice] = []
    var inflater = ParcelInflater()
    var ledger = Ledger()
    var workload = Workload()

    /// Requests with many sends.
    var manySends = ManySendCounts()
    /// Messages that apps got and stored.
    var deliveries = 0
    /// Transient messages that apps got.
    var transientDeliveries = 0

    /// A simulation that has not begun, perhaps with a mistake around the core.
    package init(seed: UInt64, steps: Int, mistake: WiringMistake? = nil) {
        self.seed = seed
        stepsMax = steps
        world = World(seed: seed, mistake: mistake)
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
            deliveries: deliveries,
            transientDeliveries: transientDeliveries,
            records: ledger.records.count,
            trimmed: ledger.trimmed,
            manySends: manySends,
            violations: world.violations
        )
    }

    private func begin() {
        for index in 0..<world.plan.devices { addDevice(index) }
        startHub()
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
        case .writer(let life): writerTurn(life)
        case .committed(let life): diskIsDone(life)
        case .shard(let shard, let life): shardTurn(shard, life)
        case .page(let life): answerRead(life)
        case .toHub(let link): arriveAtHub(link)
        case .toDevice(let link): arriveAtDevice(link)
        case .device(let device): deviceIsDue(device)
        case .operation: operation()
        case .start: startHub()
        }
        if !ledger.violations.isEmpty {
            world.violations += ledger.violations
            ledger.violations = []
        }
    }

    private func tick() {
        world.after(world.plan.tickMilliseconds * 1_000, .tick)
        if let hub { tickShards(hub) }
    }
}
