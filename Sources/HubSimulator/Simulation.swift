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
    /// Where the simulation's clocks begin.
    private static let startMicroseconds: UInt64 = 1_000_000_000
    private static let startMilliseconds: UInt64 = 1_900_000_000_000

    /// The seed that decided everything.
    package let seed: UInt64
    let stepsMax: Int
    let plan: SimulationPlan
    let mistake: WiringMistake?
    var random: SeededRandom
    var events = EventQueue()
    /// Microseconds.
    var time = Simulation.startMicroseconds
    /// Milliseconds by which the hub's wall clock is off.
    var wallOffset: Int64 = 0
    /// The latest wall time that any clock may have shown, for what may have expired.
    var latestOffset: Int64 = 0

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

    /// Faults have ended: everything must drain.
    var isHealed = false
    /// Events other than the mere passing of time.
    package internal(set) var steps = 0
    /// Grows with everything that happens; equal for equal runs.
    package internal(set) var traceHash: UInt64 = 0xCBF2_9CE4_8422_2325
    /// How often each kind of fault struck, by raw value.
    package internal(set) var faults = [Int](repeating: 0, count: FaultKind.allCases.count)
    /// Requests with many sends.
    package internal(set) var manySends = ManySendCounts()
    /// The violations so far.
    package internal(set) var violations: [String] = []
    /// Messages that apps got and stored.
    package internal(set) var deliveries = 0
    /// Transient messages that apps got.
    package internal(set) var transientDeliveries = 0
    /// Called with a line for each thing that happens; nil costs nothing.
    var trace: ((String) -> Void)?

    /// A simulation that has not begun, perhaps with a mistake around the core.
    package init(seed: UInt64, steps: Int, mistake: WiringMistake? = nil) {
        self.mistake = mistake
        self.seed = seed
        stepsMax = steps
        random = SeededRandom(seed: seed)
        plan = SimulationPlan(&random, seed: seed)
    }

    // MARK: Time

    /// Both clocks of the hub.
    var now: Now {
        let wall = Int64(Self.startMilliseconds + time / 1_000) + wallOffset
        return Now(
            instant: Instant(nanoseconds: time * 1_000),
            time: Timestamp(milliseconds: UInt64(wall))
        )
    }

    /// Both clocks of a device; its wall clock never jumps, and is a little off.
    func now(of device: Int) -> TurnTime {
        TurnTime(
            nanoseconds: time * 1_000,
            wallMilliseconds: Self.startMilliseconds + time / 1_000 + UInt64(device) * 977
        )
    }

    /// The latest time that anybody may have seen.
    var latest: Timestamp {
        let wall = Int64(Self.startMilliseconds + time / 1_000) + latestOffset
        return Timestamp(milliseconds: UInt64(wall))
    }

    /// Simulated seconds so far.
    package var seconds: Double { Double(time - Self.startMicroseconds) / 1_000_000 }

    // MARK: Dice

    func below(_ bound: UInt64) -> UInt64 { random.next() % bound }

    func oneIn(_ count: UInt64) -> Bool { random.next() % count == 0 }

    /// Whether a fault strikes; counts it.
    func strikes(_ kind: FaultKind, oneIn count: UInt64) -> Bool {
        guard !isHealed, plan.enabled[kind.rawValue], oneIn(count) else { return false }
        note(kind)
        return true
    }

    func note(_ kind: FaultKind) {
        faults[kind.rawValue] += 1
        mix(UInt64(kind.rawValue))
        if trace != nil { tell("fault \(kind.name)") }
    }

    /// Has `trace` called with a line for each thing that happens.
    package func onEvent(_ trace: @escaping (String) -> Void) { self.trace = trace }

    // MARK: Running

    /// Adds an event.
    func after(_ microseconds: UInt64, _ event: SimulationEvent) {
        events.add(event, at: time + microseconds)
    }

    /// Runs all steps, lets the faults end, and drains; says what was violated.
    package func run() -> SimulationOutcome {
        begin()
        while steps < stepsMax, violations.isEmpty { step() }
        if violations.isEmpty { drain() }
        return SimulationOutcome(
            seed: seed,
            steps: steps,
            seconds: seconds,
            traceHash: traceHash,
            faults: faults,
            deliveries: deliveries,
            transientDeliveries: transientDeliveries,
            records: ledger.records.count,
            trimmed: ledger.trimmed,
            manySends: manySends,
            violations: violations
        )
    }

    private func begin() {
        for index in 0..<plan.devices { addDevice(index) }
        startHub()
        after(0, .tick)
        after(1_000, .operation)
    }

    func step() {
        guard let next = events.pop() else { preconditionFailure("a simulation without events") }
        time = max(time, next.time)
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
            violations += ledger.violations
            ledger.violations = []
        }
    }

    /// Counts a step, and mixes what it was into the trace.
    func count(_ kind: UInt64, _ detail: Int) {
        steps += 1
        mix(kind << 32 ^ UInt64(truncatingIfNeeded: detail))
    }

    func mix(_ value: UInt64) {
        traceHash = (traceHash ^ value ^ time) &* 0x100_0000_01B3
        traceHash ^= traceHash >> 29
    }

    func violate(_ text: @autoclosure () -> String) {
        let line = "at \(seconds) s, step \(steps): " + text()
        violations.append(line)
        if trace != nil { tell("VIOLATION " + line) }
    }

    func tell(_ line: @autoclosure () -> String) {
        trace?("\(seconds) " + line())
    }

    private func tick() {
        after(plan.tickMilliseconds * 1_000, .tick)
        if let hub { tickShards(hub) }
    }
}
