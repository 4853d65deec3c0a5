import HubModel
import HubRelay
import HubVocabulary

/// A mistake around the lane that its checkers must notice; none is in code that ships.
enum HostMistake: CaseIterable {
    /// The mark passes what has no answer yet.
    case markBeforeAnswer
    /// Counts become durable without the mark.
    case countsWithoutMark
    /// The numbers that are done out of order are left out of the mark.
    case doneSetLost
    /// Rows of deferred notifications are not stored.
    case deferredLost
    /// A dead handle is asked again.
    case goneRetried
    /// The pause that the service asked for is not told to the lane.
    case retryAfterIgnored
    /// Requests that were not processed count as done.
    case goAwayLost
    /// An answer is told before it came.
    case answerGuessed
    /// Registrations are removed for a wrong credential.
    case removedForCredential
    /// The service's rest is forgotten at every turn.
    case restForgotten
}

/// A lane with a host, a store that survives crashes, and a service with faults; one seed, one run.
struct LaneSimulation {
    /// What the service does to a request.
    private enum Reaction {
        case take, dead, bad, deviceBusy, notProcessed, noAnswer
    }

    private struct Stored {
        var mark = LaneMark(epoch: 7, scanned: 0)
        var deferred: [DeferredRow.Key: DeferredRow] = [:]
        var counts: [UInt64: Int] = [:]
        var removed: Set<UInt32> = []
    }

    private struct Flight {
        let ticket: LaneTicket
        let verdict: RelayVerdict
        /// The step at which the service sees the request, and at which its answer comes.
        let seen: Int
        let answered: Int
    }

    private struct Match: Hashable {
        let sequence: UInt64
        let registration: UInt32
    }

    private static let registrations: UInt32 = 60
    private static let stepMilliseconds: UInt64 = 200

    private let mistake: HostMistake?
    private var random: SeededRandom
    private var lane: Lane
    private var stored = Stored()
    /// A checkpoint that the store did not take, which comes again as it is.
    private var refused: LaneCheckpoint?
    private var records: [LaneRecord] = []
    private var flights: [Flight] = []
    private var step = 0
    private var crashes = 0
    /// Matches that may be asked twice: they were in flight, or not stored yet, at a crash.
    private var repeatable: Set<Match> = []
    private var unstored: Set<Match> = []
    private var taken: [Match: Int] = [:]
    private var finallyRefused: Set<Match> = []
    private var lastSequence: [UInt32: UInt64] = [:]
    private var awayUntil = 0
    private var pauseUntil = 0
    private var credentialIsWrong = false
    private var heals = false
    /// What was noticed.
    private(set) var violations: [String] = []

    init(seed: UInt64, mistake: HostMistake? = nil) {
        self.mistake = mistake
        random = SeededRandom(seed: seed)
        lane = Self.lane(Stored(), seed: seed)
    }

    /// Runs with faults, heals, and drains; what was noticed is in `violations`.
    mutating func run() {
        for _ in 0..<900 { turn() }
        heals = true
        awayUntil = 0
        pauseUntil = 0
        credentialIsWrong = false
        var actions: [LaneAction] = []
        lane.begin(actions: &actions)
        handle(actions)
        for _ in 0..<3_000 { turn() }
        checkAll()
    }

    private var now: Now {
        let milliseconds = UInt64(step) * Self.stepMilliseconds + 1_000
        return Now(
            instant: Instant(nanoseconds: milliseconds * 1_000_000),
            time: Timestamp(milliseconds: Samples.time.milliseconds + milliseconds)
        )
    }

    private static func lane(_ stored: Stored, seed: UInt64) -> Lane {
        var limits = LaneLimits()
        limits.matchesOfSmallMax = 6
        limits.largeRecordsMax = 4
        limits.smallRecordsMax = 6
        limits.requestsMax = 7
        limits.outOfOrderMax = 12
        limits.deferredMax = 9
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
        if !heals {
            if chance(12) { commit() }
            if chance(150) { awayUntil = step + roll(200) }
            if chance(400) { credentialIsWrong.toggle() }
            if chance(250) { crash() }
        }
        answer()
        if mistake == .restForgotten {
            var actions: [LaneAction] = []
            lane.begin(actions: &actions)
        }
        var actions: [LaneAction] = []
        lane.turn(now: now, actions: &actions)
        handle(actions)
        if step % 5 == 0 { store() }
        if lane.weight > 60_000 { violations.append("memory: \(lane.weight) bytes") }
    }

    private mutating func commit() {
        let isBroadcast = chance(4)
        let count = isBroadcast ? Int(Self.registrations) : 1 + roll(5)
        var audience = Set<UInt32>()
        while audience.count < count { audience.insert(UInt32(1 + roll(Int(Self.registrations)))) }
        records.append(
            LaneRecord(
                sequence: UInt64(records.count + 1),
                accepted: now.time,
                expires: now.time.adding(seconds: 1_000_000),
                isTransient: false,
                collapse: nil,
                audience: audience.sorted()
            )
        )
        lane.committed(through: UInt64(records.count))
    }

    private mutating func handle(_ actions: [LaneAction]) {
        for action in actions {
            switch action {
            case .read(let after, var large, var small, _):
                var found: [LaneRecord] = []
                var through = UInt64(records.count)
                for record in records.dropFirst(Int(after)) {
                    let isLarge = record.audience.count > lane.limits.matchesOfSmallMax
                    guard isLarge ? large > 0 : small > 0 else {
                        through = record.sequence - 1
                        break
                    }
                    if isLarge { large -= 1 } else { small -= 1 }
                    found.append(record)
                }
                lane.receive(found, through: through, now: now)
            case .send(let ticket): send(ticket)
            case .remove(let registration, _):
                stored.removed.insert(registration)
                lane.removed(registration)
            case .removeSuspect(let registration): stored.removed.insert(registration)
            case .renewToken: lane.tokenRenewed()
            case .keepOlderToken, .rests, .resumes: break
            }
        }
    }

    private mutating func send(_ ticket: LaneTicket) {
        guard !stored.removed.contains(ticket.registration) else {
            lane.absent(ticket)
            noteAnswered(ticket)
            return
        }
        if flights.contains(where: { $0.ticket.registration == ticket.registration }) {
            violations.append("two in flight for \(ticket.registration)")
        }
        let seen = step + roll(3)
        flights.append(
            Flight(
                ticket: ticket,
                verdict: verdict(ticket, seen: seen),
                seen: seen,
                answered: seen + 1 + roll(6)
            )
        )
        if mistake == .answerGuessed, chance(10) {
            var actions: [LaneAction] = []
            lane.receive(
                RelayVerdict(.done, .success),
                for: ticket,
                from: .service(sharesContent: true),
                modified: Timestamp(milliseconds: 0),
                now: now,
                actions: &actions
            )
            handle(actions)
        }
    }

    /// The service's part: what it does with a request, judged by what the journal allows.
    private mutating func verdict(_ ticket: LaneTicket, seen: Int) -> RelayVerdict {
        let match = Match(sequence: ticket.sequence, registration: ticket.registration)
        if step < pauseUntil { violations.append("a request within the service's pause") }
        if credentialIsWrong { return RelayVerdict(.credential, .invalidCredentials, "wrong") }
        if seen < awayUntil { return RelayVerdict(.stall(retryAfter: nil), .pnsUnavailable, "") }
        if !heals, chance(120) {
            return RelayVerdict(.slow(retryAfter: 8), .throttled, "")
        }
        switch reaction(ticket) {
        case .take:
            journal(match)
            return RelayVerdict(.done, .success)
        case .dead:
            if !finallyRefused.insert(match).inserted, !repeatable.contains(match) {
                violations.append("\(match) was asked again after it was dead")
            }
            return RelayVerdict(.gone(since: nil), .expiredChannel, "")
        case .bad:
            return RelayVerdict(.suspect(mayDelete: true), .badChannel, "")
        case .deviceBusy: return RelayVerdict(.later(seconds: 2, most: 16), .channelThrottled, "")
        case .notProcessed: return RelayVerdict(.again, .pnsUnavailable, "")
        case .noAnswer:
            journal(match)
            repeatable.insert(match)
            return .unreachable("cut")
        }
    }

    private mutating func reaction(_ ticket: LaneTicket) -> Reaction {
        if ticket.registration % 19 == 3 { return .dead }
        if ticket.registration % 29 == 7 { return .bad }
        guard !heals else { return .take }
        if chance(25) { return .notProcessed }
        if chance(60) { return .noAnswer }
        // A device that is busy on every attempt would end as given up, which no checker counts.
        if ticket.attempt < 6, chance(20) { return .deviceBusy }
        return .take
    }

    private mutating func journal(_ match: Match) {
        let times = (taken[match] ?? 0) + 1
        taken[match] = times
        if times > 1, !repeatable.contains(match) {
            violations.append("\(match) was taken \(times) times without a crash between")
        }
        let last = lastSequence[match.registration] ?? 0
        if match.sequence < last, !repeatable.contains(match) {
            violations.append("\(match) came after record \(last)")
        }
        lastSequence[match.registration] = max(last, match.sequence)
    }

    private mutating func answer() {
        let due = flights.filter { $0.answered <= step }
        flights.removeAll { $0.answered <= step }
        for flight in due {
            if case .slow = flight.verdict.action { pauseUntil = step + 25 }
            var actions: [LaneAction] = []
            lane.receive(
                told(flight.verdict),
                for: flight.ticket,
                from: .service(sharesContent: true),
                modified: Timestamp(milliseconds: 0),
                now: now,
                actions: &actions
            )
            noteAnswered(flight.ticket)
            if mistake == .removedForCredential, flight.verdict.action == .credential {
                stored.removed.insert(flight.ticket.registration)
            }
            handle(actions)
        }
    }

    private mutating func noteAnswered(_ ticket: LaneTicket) {
        unstored.insert(Match(sequence: ticket.sequence, registration: ticket.registration))
    }

    /// The verdict as the host tells it, which a mistake changes.
    private func told(_ verdict: RelayVerdict) -> RelayVerdict {
        switch (mistake, verdict.action) {
        case (.goneRetried, .gone): RelayVerdict(.again, .pnsUnavailable)
        case (.retryAfterIgnored, .slow): RelayVerdict(.again, .pnsUnavailable)
        case (.goAwayLost, .again): RelayVerdict(.done, .success)
        default: verdict
        }
    }

    // MARK: The store

    private mutating func store() {
        if !heals, chance(15) {
            refused = refused ?? lane.checkpoint()
            guard refused != nil else { return }
            var actions: [LaneAction] = []
            lane.checkpointDelayed(now: now, actions: &actions)
            handle(actions)
            return
        }
        guard var checkpoint = refused ?? lane.checkpoint() else { return }
        // What came since the refused one is not in it.
        let isOld = refused != nil
        refused = nil
        lane.checkpointStored()
        if mistake == .markBeforeAnswer { checkpoint.mark = guessedMark() }
        if mistake == .doneSetLost {
            checkpoint.mark.open = checkpoint.mark.open.map { open in
                guard case .through(let below, _) = open.progress else { return open }
                return LaneMark.Open(
                    sequence: open.sequence,
                    progress: .through(below: below, done: [])
                )
            }
        }
        if mistake != .countsWithoutMark { stored.mark = checkpoint.mark }
        for count in checkpoint.counts { stored.counts[count.sequence, default: 0] += count.amount }
        if mistake != .deferredLost {
            for row in checkpoint.deferred { stored.deferred[row.key] = row }
        }
        for key in checkpoint.finished { stored.deferred[key] = nil }
        if !isOld { unstored = [] }
    }

    /// The mark as it would be if every request in flight had been taken.
    private func guessedMark() -> LaneMark {
        var guess = lane
        var actions: [LaneAction] = []
        for flight in flights {
            guess.receive(
                RelayVerdict(.done, .success),
                for: flight.ticket,
                from: .service(sharesContent: true),
                modified: Timestamp(milliseconds: 0),
                now: now,
                actions: &actions
            )
        }
        return guess.checkpoint()?.mark ?? stored.mark
    }

    /// The process dies: requests that were made reach the service, and their answers nothing.
    private mutating func crash() {
        crashes += 1
        for flight in flights {
            repeatable.insert(
                Match(
                    sequence: flight.ticket.sequence,
                    registration: flight.ticket.registration
                )
            )
        }
        repeatable.formUnion(unstored)
        unstored = []
        refused = nil
        flights = []
        pauseUntil = 0
        lane = Self.lane(stored, seed: UInt64(crashes))
        lane.committed(through: UInt64(records.count))
    }

    // MARK: At the end

    private mutating func checkAll() {
        // The refused one, and what came since.
        store()
        store()
        if !lane.isIdle { violations.append("requests without an answer") }
        for record in records {
            let counted = stored.counts[record.sequence] ?? 0
            if counted != record.audience.count {
                violations.append(
                    "record \(record.sequence): \(counted) of \(record.audience.count) counted"
                )
            }
            for registration in record.audience where !stored.removed.contains(registration) {
                let match = Match(sequence: record.sequence, registration: registration)
                if taken[match] == nil, registration % 29 != 7 {
                    violations.append("\(match) was never taken")
                }
            }
        }
        for registration in stored.removed
        where registration % 19 != 3 && registration % 29 != 7 {
            violations.append("\(registration) was removed and is alive")
        }
        if lane.needed <= UInt64(records.count) {
            violations.append("the log must keep \(lane.needed) of \(records.count)")
        }
    }

    private mutating func roll(_ below: Int) -> Int { Int.random(in: 0..<below, using: &random) }

    private mutating func chance(_ one: Int) -> Bool { roll(one) == 0 }
}
