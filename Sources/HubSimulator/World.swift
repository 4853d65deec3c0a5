import HubModel
import HubTransport
import HubVocabulary

/// The clocks, the dice and the events of a run, and the findings about it.
///
/// The same seed gives the same run, to the last byte.
final class World {
    /// Where the simulation's clocks begin.
    private static let startMicroseconds: UInt64 = 1_000_000_000
    private static let startMilliseconds: UInt64 = 1_900_000_000_000

    let plan: SimulationPlan
    let mistake: WiringMistake?
    var random: SeededRandom
    var events = EventQueue()
    /// Microseconds.
    var time = World.startMicroseconds
    /// Milliseconds by which the hub's wall clock is off.
    private(set) var wallOffset: Int64 = 0
    /// The latest wall time that any clock may have shown, for what may have expired.
    private var latestOffset: Int64 = 0

    /// Faults have ended: everything must drain.
    var isHealed = false
    /// Events other than the mere passing of time.
    private(set) var steps = 0
    /// Grows with everything that happens; equal for equal runs.
    private(set) var traceHash: UInt64 = 0xCBF2_9CE4_8422_2325
    /// How often each kind of fault struck, by raw value.
    private(set) var faults = [Int](repeating: 0, count: FaultKind.allCases.count)
    /// The violations so far.
    var violations: [String] = []
    /// Called with a line for each thing that happens; nil costs nothing.
    var trace: ((String) -> Void)?

    init(seed: UInt64, mistake: WiringMistake?, nodes: NodeChoice) {
        self.mistake = mistake
        random = SeededRandom(seed: seed)
        var plan = SimulationPlan(&random, seed: seed)
        // Drawn apart, so that runs without nodes stay what they were.
        if nodes.holds(for: seed) { plan.addNodes(seed: seed) }
        self.plan = plan
    }

    // MARK: Time

    /// Both clocks of the hub.
    var now: Now {
        Now(instant: Instant(nanoseconds: time * 1_000), time: wall(wallOffset))
    }

    /// Both clocks of a device; its wall clock never jumps, and is a little off.
    func now(of device: Int) -> Now {
        Now(
            instant: Instant(nanoseconds: time * 1_000),
            time: wall(Int64(device) * 977)
        )
    }

    /// The latest time that any device or sender may have seen.
    var latest: Timestamp { wall(latestOffset) }

    private func wall(_ offset: Int64) -> Timestamp {
        let wall = Int64(Self.startMilliseconds + time / 1_000) + offset
        return Timestamp(milliseconds: UInt64(wall))
    }

    /// Has the hub's wall clock jump.
    func setWall(offset: Int64) {
        wallOffset = offset
        latestOffset = max(latestOffset, offset)
    }

    /// Simulated seconds so far.
    var seconds: Double { Double(time - Self.startMicroseconds) / 1_000_000 }

    /// Adds an event.
    func after(_ microseconds: UInt64, _ event: SimulationEvent) {
        events.add(event, at: time + microseconds)
    }

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
        tell("fault \(kind.name)")
    }

    // MARK: Findings

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
        tell("VIOLATION " + line)
    }

    func tell(_ line: @autoclosure () -> String) {
        trace?("\(seconds) " + line())
    }
}
