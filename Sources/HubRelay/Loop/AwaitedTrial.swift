package import HubModel

/// A trial, and who awaits its answer.
package struct AwaitedTrial: Sendable {
    /// The subject of the trial.
    let subject: RelayTrial
    /// Called once, on any thread.
    let reply: @Sendable (RelayTrialAnswer) -> Void

    /// Makes one of its parts.
    package init(
        _ subject: RelayTrial,
        reply: @escaping @Sendable (RelayTrialAnswer) -> Void
    ) {
        self.subject = subject
        self.reply = reply
    }

    /// The answer that a verdict means: a credential is right once the service judges the rest.
    func answer(_ verdict: RelayVerdict) -> RelayTrialAnswer {
        switch verdict.action {
        case .done: return .taken(verdict.reason)
        case .content, .gone, .suspect, .later:
            if case .credential = subject { return .taken(verdict.reason) }
            return .refused(verdict.outcome, verdict.reason)
        case .malformed, .renew, .keepOlderToken, .credential:
            return .refused(verdict.outcome, verdict.reason)
        case .slow, .stall, .again: return .unanswered(verdict.reason)
        }
    }
}
