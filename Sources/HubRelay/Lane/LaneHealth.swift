import HubModel
import HubVocabulary

/// The service's answers to one lane: how many, how fast, and its word on the credential.
struct LaneHealth {
    /// Milliseconds between two measurements of the rate at least.
    private static let measureMilliseconds: UInt64 = 5_000

    private(set) var answers: UInt64
    private(set) var credential = CredentialState.untried
    /// Answers a second between the last two measurements.
    private(set) var rate = 0.0
    private var last: (time: Instant, answers: UInt64)?

    init(answers: UInt64) { self.answers = answers }

    /// The service took a request, or refused it for a cause other than the credential.
    mutating func answered() {
        answers += 1
        credential = .works
    }

    /// The lane rests; a credential stays refused until the service judges a request.
    mutating func rests(_ cause: LaneCause) {
        if case .credential = cause { credential = .refused(cause.sentence) }
    }

    mutating func measure(now: Instant) {
        guard let last else { return self.last = (now, answers) }
        let milliseconds = now.milliseconds(since: last.time)
        guard milliseconds >= Self.measureMilliseconds else { return }
        rate = Double(answers - last.answers) * 1_000 / Double(milliseconds)
        self.last = (now, answers)
    }
}
