import HubVocabulary

/// Holds back the removal of registrations that may be refused because of our own mistake.
///
/// Tokens of another environment or app are all refused as bad, and a lane that removes them loses
/// the audience of a hub. So removals wait until the answers show that the credential is right.
struct RemovalBrake {
    /// The answers that are looked at: the last so many.
    private static let windowMax = 10_000
    /// Answers from which on the lane stops when most are refusals.
    private static let answersToStop = 1_000
    /// Answers from which on removals begin.
    private static let answersToRemove = 100
    /// Registrations that may go in a minute whatever the size of the hub.
    private static let removalsOfMinute = 1_000

    enum Answer: UInt8 {
        case done, suspect, other
    }

    private var answers: [Answer] = []
    /// The oldest answer, once the window is full.
    private var oldest = 0
    private var done = 0
    private var suspects = 0
    private var held: [UInt32] = []
    private var minute: UInt64 = 0
    private var removed = 0

    init() {}

    /// Whether half of at least 1,000 answers are refusals of the handle.
    var isTripped: Bool { answers.count >= Self.answersToStop && suspects * 2 >= answers.count }

    mutating func note(_ answer: Answer) {
        if answers.count < Self.windowMax {
            answers.append(answer)
        } else {
            count(answers[oldest], -1)
            answers[oldest] = answer
            oldest = (oldest + 1) % Self.windowMax
        }
        count(answer, 1)
    }

    private mutating func count(_ answer: Answer, _ amount: Int) {
        switch answer {
        case .done: done += amount
        case .suspect: suspects += amount
        case .other: break
        }
    }

    /// Keeps a registration until it is known whether refusals are our own mistake.
    mutating func hold(_ registration: UInt32) {
        if held.count < Self.windowMax { held.append(registration) }
    }

    /// The service took something for a registration after all: it stays.
    mutating func clear(_ registration: UInt32) {
        if !held.isEmpty { held.removeAll { $0 == registration } }
    }

    /// The registrations that may go now.
    mutating func release(registrations: Int, now: Timestamp) -> [UInt32] {
        guard answers.count >= Self.answersToRemove, done > 0, suspects * 2 < answers.count else {
            return []
        }
        let ready = held
        held = []
        return ready.filter { _ in allows(registrations: registrations, now: now) }
    }

    /// Whether one more may go in this minute: 1,000, and 1 % of the hub's registrations.
    mutating func allows(registrations: Int, now: Timestamp) -> Bool {
        let present = now.milliseconds / 60_000
        if present != minute { (minute, removed) = (present, 0) }
        guard removed < Self.removalsOfMinute + registrations / 100 else { return false }
        removed += 1
        return true
    }

    /// Forgets answers and held registrations: the next ones are judged anew.
    mutating func reset() {
        answers = []
        (oldest, done, suspects) = (0, 0, 0)
        held = []
    }
}
