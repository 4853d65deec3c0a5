import HubModel
import HubRelay
import HubVocabulary

/// A lane with a host, a store that survives crashes, and a service with faults; one seed, one run.
package struct LaneSimulation {
    /// A request on its way.
    struct Flight {
        let ticket: LaneTicket
        let verdict: RelayVerdict
        /// The step at which its answer comes.
        let answered: Int

        var match: SimulatedMatch {
            SimulatedMatch(sequence: ticket.sequence, registration: ticket.registration)
        }
    }

    /// The service's trouble, each until a step.
    struct Trouble {
        var awayUntil = 0
        var errorsUntil = 0
        var pauseUntil = 0
        var credentialIsWrong = false
        /// The credential is of another environment: each handle is called bad.
        var isOtherEnvironment = false
    }

    static let registrations: UInt32 = 60
    private static let stepMilliseconds: UInt64 = 200
    /// Steps with faults, and steps to drain afterwards.
    private static let steps = (faulty: 900, healed: 3_000)
    /// The step at which an operator corrects a credential of another environment.
    private static let correction = 450

    let mistake: HostMistake?
    var random: SeededRandom
    var lane: Lane
    var store = SimulatedStore()
    var log = SimulatedLog()
    var journal = SimulatedJournal()
    var flights: [Flight] = []
    var trouble = Trouble()
    var heals = false
    private(set) var step = 0
    private var crashes: UInt64 = 0
    /// Deferred rows for which there is room.
    private let rowsMax: Int
    /// What was noticed.
    package internal(set) var violations: [String] = []

    /// A run of a seed; each second has room for few rows, and each fourth begins with a credential
    /// of another environment.
    package init(seed: UInt64, mistake: HostMistake? = nil) {
        self.mistake = mistake
        random = SeededRandom(seed: seed)
        rowsMax = seed % 2 == 0 ? 9 : 200
        lane = Self.lane(SimulatedStore(), rowsMax: rowsMax, seed: seed)
        trouble.isOtherEnvironment = seed % 4 == 3
    }

    /// Runs with faults, heals, and drains; what was noticed is in `violations`.
    package mutating func run() {
        for _ in 0..<Self.steps.faulty { turn() }
        heals = true
        trouble = Trouble()
        begin()
        for _ in 0..<Self.steps.healed { turn() }
        checkAll()
    }

    var now: Now {
        let milliseconds = UInt64(step) * Self.stepMilliseconds + 1_000
        return Now(
            instant: Instant(nanoseconds: milliseconds * 1_000_000),
            time: Timestamp(milliseconds: 1_800_000_000_000 + milliseconds)
        )
    }

    private static func lane(_ stored: SimulatedStore, rowsMax: Int, seed: UInt64) -> Lane {
        var limits = LaneLimits()
        limits.matchesOfSmallMax = 6
        limits.largeRecordsMax = 4
        limits.smallRecordsMax = 6
        limits.requestsMax = 7
        limits.outOfOrderMax = 12
        limits.deferredMax = rowsMax
        limits.equalRefusalsMax = 1
        return Lane(
            mark: stored.mark,
            deferred: Array(stored.deferred.values),
            registrations: Int(registrations),
            seed: seed,
            limits: limits
        )
    }

    // MARK: Steps

    private mutating func turn() {
        step += 1
        if !heals { disturb() }
        answer()
        if mistake == .restForgotten { begin() }
        var actions: [LaneAction] = []
        lane.turn(now: now, actions: &actions)
        handle(actions)
        if step % 5 == 0 { checkpoint() }
        if lane.weight > 60_000 { violations.append("memory: \(lane.weight) bytes") }
    }

    private mutating func disturb() {
        if chance(12) { commit() }
        if chance(150) { trouble.awayUntil = step + roll(200) }
        if chance(300) { trouble.errorsUntil = step + roll(500) }
        if chance(400) { trouble.credentialIsWrong.toggle() }
        if chance(500) { purge() }
        if chance(300) { giveUp() }
        if chance(250) { crash() }
        if trouble.isOtherEnvironment, step == Self.correction {
            trouble.isOtherEnvironment = false
            // A lane with another credential takes the place of the first.
            crash()
        }
    }

    private mutating func begin() {
        var actions: [LaneAction] = []
        lane.begin(actions: &actions)
        handle(actions)
    }

    private mutating func commit() {
        let isBroadcast = chance(4)
        let count = isBroadcast ? Int(Self.registrations) : 1 + roll(5)
        var audience = Set<UInt32>()
        while audience.count < count { audience.insert(UInt32(1 + roll(Int(Self.registrations)))) }
        let key = chance(3) ? UInt64(roll(4)) : nil
        let record = LaneRecord(
            sequence: log.head + 1,
            accepted: now.time,
            expires: now.time.adding(seconds: chance(5) ? UInt64(5 + roll(60)) : 1_000_000),
            isTransient: false,
            collapse: mistake == .collapseWithoutTarget ? key.map { $0 / 2 } : key,
            audience: audience.sorted()
        )
        log.append(record, key: key)
        lane.committed(through: log.head)
    }

    /// Administrators purge most of the log; a hub keeps that for lanes that begin later.
    private mutating func purge() {
        store.purged = max(store.purged, log.head - min(log.head, UInt64(roll(8))))
        lane.purge(through: store.purged)
    }

    /// An operator gives up what waits; the process may die before or behind the answer.
    private mutating func giveUp() {
        let place = log.head - min(log.head, UInt64(roll(3)))
        lane.giveUp(through: place)
        journal.givenUp.ordered = max(journal.givenUp.ordered, place)
        journal.givenUp.ever = max(journal.givenUp.ever, place)
        if mistake == .skipAnsweredAtOnce { journal.givenUp.answered = journal.givenUp.ordered }
        if chance(2) { checkpoint() }
        if chance(2) { crash() }
    }

    /// The process dies: requests that were made reach the service, and their answers nothing.
    private mutating func crash() {
        crashes += 1
        journal.crash(flights.map(\.match))
        store.refused = nil
        flights = []
        trouble.pauseUntil = 0
        lane = Self.lane(store, rowsMax: rowsMax, seed: crashes)
        lane.committed(through: log.head)
        if mistake != .purgeForgottenAtRestart { lane.purge(through: store.purged) }
    }

    mutating func roll(_ below: Int) -> Int { Int.random(in: 0..<below, using: &random) }

    mutating func chance(_ one: Int) -> Bool { roll(one) == 0 }
}
