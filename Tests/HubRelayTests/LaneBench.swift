import HubModel
import HubRelay
import HubVocabulary

/// A lane with a clock, whose actions a test answers by hand.
struct LaneBench {
    var lane: Lane
    var milliseconds: UInt64 = 1_000
    /// A checkpoint that the store did not take.
    private var refused: LaneCheckpoint?
    private(set) var actions: [LaneAction] = []
    /// Requests that have no answer yet, in the order in which they were made.
    private(set) var waiting: [LaneTicket] = []
    /// Every request that was made.
    private(set) var sent: [LaneTicket] = []
    private(set) var removals: [UInt32] = []
    private(set) var rests: [LaneCause] = []
    private var records: [LaneRecord] = []

    init(
        _ limits: LaneLimits = .standard,
        registrations: Int = 1_000,
        mark: LaneMark? = nil,
        deferred: [DeferredRow] = []
    ) {
        lane = Lane(
            mark: mark ?? LaneMark(epoch: 7, scanned: 0),
            deferred: deferred,
            registrations: registrations,
            seed: 1,
            limits: limits
        )
    }

    var now: Now {
        Now(
            instant: Instant(nanoseconds: milliseconds * 1_000_000),
            time: Timestamp(milliseconds: Samples.time.milliseconds + milliseconds)
        )
    }

    /// The place of the next record.
    var next: UInt64 { (records.last?.sequence ?? 0) + 1 }

    var due: Timestamp? { lane.nextDue(after: now.time) }

    static func record(
        _ sequence: UInt64,
        _ audience: [UInt32],
        accepted: UInt64 = 0,
        seconds: UInt64 = 3_600,
        transient: Bool = false,
        collapse: UInt64? = nil
    ) -> LaneRecord {
        let time = Timestamp(milliseconds: Samples.time.milliseconds + accepted)
        return LaneRecord(
            sequence: sequence,
            accepted: time,
            expires: transient ? time : time.adding(seconds: seconds),
            isTransient: transient,
            collapse: collapse,
            audience: audience
        )
    }

    /// Commits records and lets the lane take its turn.
    mutating func commit(_ new: LaneRecord...) {
        records += new
        lane.committed(through: records.last?.sequence ?? 0)
        turn()
    }

    /// Turns until the lane asks for nothing more to read.
    mutating func turn(after passed: UInt64 = 0) {
        milliseconds += passed
        var reads = true
        while reads {
            reads = false
            var new: [LaneAction] = []
            lane.turn(now: now, actions: &new)
            for action in new {
                if case .read(let after, let large, let small, _) = action {
                    reads = true
                    read(after, large, small)
                }
            }
            note(new)
        }
    }

    private mutating func read(_ after: UInt64, _ large: Int, _ small: Int) {
        var (large, small) = (large, small)
        var found: [LaneRecord] = []
        var through = records.last?.sequence ?? after
        for record in records where record.sequence > after {
            let isLarge = record.audience.count > lane.limits.matchesOfSmallMax
            guard isLarge ? large > 0 : small > 0 else {
                through = record.sequence - 1
                break
            }
            if isLarge { large -= 1 } else { small -= 1 }
            found.append(record)
        }
        lane.receive(found, through: through, now: now)
    }

    private mutating func note(_ new: [LaneAction]) {
        actions += new
        for action in new {
            switch action {
            case .send(let ticket):
                sent.append(ticket)
                waiting.append(ticket)
            case .remove(let registration, _), .removeSuspect(let registration):
                removals.append(registration)
            case .rests(let cause): rests.append(cause)
            case .read, .renewToken, .keepOlderToken, .resumes: break
            }
        }
    }

    /// The service answers the oldest request, or the one of a registration.
    mutating func answer(
        _ action: RelayAction,
        _ outcome: RelayOutcome,
        registration: UInt32? = nil,
        from source: VerdictSource = .service(sharesContent: true),
        modified: UInt64 = 0
    ) {
        let index = waiting.firstIndex { registration == nil || $0.registration == registration }
        guard let index else { fatalError("no request waits") }
        let ticket = waiting.remove(at: index)
        var new: [LaneAction] = []
        lane.receive(
            RelayVerdict(action, outcome, "reason"),
            for: ticket,
            from: source,
            modified: Timestamp(milliseconds: modified),
            now: now,
            actions: &new
        )
        note(new)
        turn()
    }

    /// The service takes every request until none waits.
    mutating func drain() {
        while !waiting.isEmpty { answer(.done, .success) }
    }

    mutating func begin() {
        var new: [LaneAction] = []
        lane.begin(actions: &new)
        note(new)
        turn()
    }

    /// Stores a checkpoint; its counts by end.
    mutating func store() -> [LaneEnd: Int] {
        var counts: [LaneEnd: Int] = [:]
        while let checkpoint = refused ?? lane.checkpoint() {
            refused = nil
            lane.checkpointStored()
            for count in checkpoint.counts { counts[count.end, default: 0] += count.amount }
        }
        return counts
    }

    mutating func refuseStore() {
        refused = refused ?? lane.checkpoint()
        guard refused != nil else { return }
        var new: [LaneAction] = []
        lane.checkpointDelayed(now: now, actions: &new)
        note(new)
    }

    func renewals() -> Int { actions.count { $0 == .renewToken } }
}
