package import HubVocabulary

/// One request on its way to the node that leads: what comes after each attempt.
///
/// Time is an argument. A request ends with an answer of a leader, or with one of the front's own
/// once its time is over, or once it is not known whether it was carried out.
package struct CarryPlan: Sendable {
    /// The fate of an attempt.
    package enum Outcome: Hashable, Sendable {
        /// No node leads, as far as is known.
        case unled
        /// Nothing of the request was sent.
        case unreached
        /// The node says that it does not lead; it did nothing.
        case misdirected
        /// The leader can do nothing for a while; it says so with 503.
        case refused
        /// The leader says with 503 that it does not know what becomes of it.
        case unanswered
        /// The leader has carried out what was asked, or says that it never will.
        case settled
        /// Its answer is another refusal.
        case declined
        /// All connections to the leader are taken.
        case crowded
        /// The leader was lost after some of the request was sent.
        case lost
    }

    /// The next step.
    package enum Next: Hashable, Sendable {
        /// Another attempt after so many milliseconds, or when the lead changes before.
        case again(afterMilliseconds: UInt64)
        /// The leader's refusal is the answer.
        case answer
        /// The front's own answer.
        case giveUp(Reason)
    }

    /// Why a front gives up.
    package enum Reason: Hashable, Sendable {
        /// No node led in time.
        case unled
        /// Too many requests wait for the leader.
        case crowded
        /// It may have been carried out, and must not be twice.
        case unknownOutcome
    }

    private let rule: CarryRule
    private let began: Instant
    private let limits: FrontLimits
    /// Whether a leader may have carried it out.
    package private(set) var isInDoubt = false

    /// A request that came at `began`.
    package init(_ rule: CarryRule, began: Instant, limits: FrontLimits) {
        self.rule = rule
        self.began = began
        self.limits = limits
    }

    /// Takes what became of an attempt.
    package mutating func next(after outcome: Outcome, now: Instant) -> Next {
        let isOver = now.milliseconds(since: began) >= limits.holdMilliseconds
        switch outcome {
        case .settled: return .answer
        case .declined:
            // An attempt before this one may have been carried out all the same.
            return isInDoubt && rule == .withKey ? .giveUp(.unknownOutcome) : .answer
        case .lost:
            isInDoubt = true
            guard rule != .never else { return .giveUp(.unknownOutcome) }
        case .refused, .unanswered:
            isInDoubt = isInDoubt || outcome == .unanswered
            if rule == .never || isOver {
                // A leader's word about its own doubt is for the client.
                let isTold = !isInDoubt || outcome == .unanswered
                return isTold ? .answer : .giveUp(.unknownOutcome)
            }
            return .again(afterMilliseconds: limits.refusedPauseMilliseconds)
        case .unled, .unreached, .misdirected, .crowded: break
        }
        guard isOver else { return .again(afterMilliseconds: pause(after: outcome)) }
        if isInDoubt { return .giveUp(.unknownOutcome) }
        return .giveUp(outcome == .crowded ? .crowded : .unled)
    }

    /// A node that does not lead yet is not asked more often than one that leads.
    private func pause(after outcome: Outcome) -> UInt64 {
        outcome == .misdirected ? limits.refusedPauseMilliseconds : limits.pauseMilliseconds
    }
}
