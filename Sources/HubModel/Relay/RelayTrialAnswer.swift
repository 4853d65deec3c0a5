/// How a trial ended.
package enum RelayTrialAnswer: Hashable, Sendable {
    /// The service took it; of a credential, it knows the hub. The service's own word, if it has
    /// one.
    case taken(String)
    /// The service refused it, or would: Azure's word, and the service's own.
    case refused(RelayOutcome, String)
    /// There is no answer that says either.
    case unanswered(String)
    /// Such credentials have no endpoint that judges them: they are tried with each notification.
    case untestable
    /// The platform has no relay that runs.
    case noRelay
}
