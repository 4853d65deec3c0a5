import HubModel
import HubVocabulary

/// A record that the lane is sending.
struct OpenRecord {
    let sequence: UInt64
    let accepted: Timestamp
    let expires: Timestamp
    let isTransient: Bool
    let collapse: UInt64?
    /// Whether it has many registrations, or had them.
    private(set) var isLarge: Bool
    /// The registrations that are not finished, with those that are in flight.
    private(set) var left: RegistrationSet
    /// From where registrations have had no turn yet; nil once all had theirs.
    private var cursor: UInt32? = 0
    /// Whether a request was made for it.
    var isStarted = false
    /// Whether a device took it, so that its content is right.
    private(set) var wasTaken = false
    /// Numbers above the lowest that is left and finished all the same.
    private var done: Set<UInt32>
    /// The lowest number that was left when `done` was last cleared of those below it.
    private var cleared: UInt32 = 0
    /// The last refusal of its content, and how often it came in a row.
    private var refusals: (verdict: RelayVerdict, count: Int)?

    /// Seconds within which something for now or never must have begun.
    private static let transientSeconds: UInt64 = 5

    init(_ record: LaneRecord, progress: LaneMark.Open.Progress?, limits: LaneLimits) {
        sequence = record.sequence
        accepted = record.accepted
        expires = record.expires
        isTransient = record.isTransient
        // For now or never: it neither replaces nor is replaced.
        collapse = record.isTransient ? nil : record.collapse
        isLarge = record.audience.count > limits.matchesOfSmallMax
        let open = progress.map { LaneMark.Open(sequence: record.sequence, progress: $0) }
        left = RegistrationSet(
            ascending: open?.left(of: record.audience) ?? record.audience,
            listMax: limits.matchesOfSmallMax
        )
        if case .through(_, let finished)? = progress { done = Set(finished) } else { done = [] }
        isStarted = progress != nil
    }

    /// Bytes that it takes in memory, about.
    var weight: Int { 200 + left.weight + done.count * 8 }

    /// How a registration ends that has no turn any more at this time; nil while it has.
    func end(now: Timestamp) -> LaneEnd? {
        if isTransient {
            let began = isStarted || now <= accepted.adding(seconds: Self.transientSeconds)
            return began ? nil : .missed
        }
        return expires <= now ? .expired : nil
    }

    /// The next registration that has had no turn; nil also while too many are done out of order.
    mutating func advance(outOfOrderMax: Int) -> UInt32? {
        guard let number = cursor.flatMap({ left.next(from: $0) }) else {
            cursor = nil
            return nil
        }
        guard !isOutOfOrder(number, max: outOfOrderMax) else { return nil }
        cursor = number == .max ? nil : number + 1
        return number
    }

    /// Whether all registrations have had their turn.
    var isPassed: Bool { cursor == nil }

    /// Lets registrations that had their turn and are not finished have another.
    mutating func rewind() { cursor = 0 }

    /// Whether a registration had its turn and is not finished.
    func hasPassed(_ registration: UInt32) -> Bool {
        (cursor.map { registration < $0 } ?? true) && left.contains(registration)
    }

    /// Whether so many numbers are done out of order that no more may be.
    mutating func isOutOfOrder(_ registration: UInt32, max: Int) -> Bool {
        guard !left.isList, done.count >= max, let lowest = left.next(from: 0) else { return false }
        if lowest > cleared {
            done = done.filter { $0 > lowest }
            cleared = lowest
        }
        return done.count >= max && registration > lowest
    }

    mutating func finish(_ registration: UInt32) {
        guard left.remove(registration), !left.isList else { return }
        if let lowest = left.next(from: 0), registration > lowest { done.insert(registration) }
    }

    /// Ends the registrations of an audience but for some; returns how many ended.
    ///
    /// None ends when the mark could not say in bounds which are left.
    mutating func finish(
        _ audience: RegistrationSet,
        but busy: [UInt32],
        _ limits: LaneLimits
    ) -> Int {
        var ending = audience
        for registration in busy { ending.remove(registration) }
        var rest = left
        let ended = rest.subtract(ending)
        guard ended > 0 else { return 0 }
        if rest.count <= limits.matchesOfSmallMax {
            left = RegistrationSet(ascending: rest.numbers, listMax: .max)
            done = []
            isLarge = false
            return ended
        }
        let lowest = rest.next(from: 0) ?? 0
        let above = left.numbers.filter { $0 > lowest && ending.contains($0) }
        guard done.count + above.count <= limits.outOfOrderMax else { return 0 }
        left = rest
        done.formUnion(above)
        return ended
    }

    /// Ends all but some registrations; returns how many ended.
    mutating func finishAll(but busy: [UInt32]) -> Int {
        let kept = busy.filter { left.contains($0) }.sorted()
        let ended = left.count - kept.count
        left = RegistrationSet(ascending: kept, listMax: .max)
        done = []
        return ended
    }

    /// Counts a refusal of the content; returns how often the same came in a row, 0 once a device
    /// has taken the record.
    mutating func noteRefusal(_ verdict: RelayVerdict) -> Int {
        guard !wasTaken else { return 0 }
        let count = refusals?.verdict == verdict ? (refusals?.count ?? 0) + 1 : 1
        refusals = (verdict, count)
        return count
    }

    mutating func noteTaken() { wasTaken = true }

    var mark: LaneMark.Open {
        if left.isList {
            return LaneMark.Open(sequence: sequence, progress: .allBut(left.numbers))
        }
        let below = left.next(from: 0) ?? .max
        return LaneMark.Open(
            sequence: sequence,
            progress: .through(below: below, done: done.filter { $0 > below }.sorted())
        )
    }
}
