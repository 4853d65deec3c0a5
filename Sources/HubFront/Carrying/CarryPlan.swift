package import HubVocabulary

/// One request on its way to whoever leads: what comes after each attempt.
///
/// Time is an argument. A request ends with an answer of a leader, or with one of the front's own
/// once its time is over or nobody knows any more whether it was carried out.
package struct CarryPlan: Sendable {
    /// What became of an attempt.
    package enum Outcome: Hashable, Sendable {
        /// No node leads, as far as is known.
        case unled
        /// Nothing of the request was sent.
        case unreached
        /// The node says that it does not lead; it did nothing.
        case misdirected
        /// The leader can do nothing for a while; it says so with 503.
        case refused
        /// The leader was lost after some of the request was sent.
        case lost
    }

    /// What to do next.
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
        case .lost:
            isInDoubt = true
            guard rule != .never else { return .giveUp(.unknownOutcome) }
        case .refused:
            // An attempt before it may have been carried out, or this one in part.
            guard rule != .never, !isOver else { return .answer }
            return .again(afterMilliseconds: limits.refusedPauseMilliseconds)
        case .unled, .unreached, .misdirected: break
        }
        guard isOver else { return .again(afterMilliseconds: limits.pauseMilliseconds) }
        return .giveUp(isInDoubt ? .unknownOutcome : .unled)
    }
}
