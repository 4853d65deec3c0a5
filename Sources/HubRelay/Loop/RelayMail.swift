package import HubModel
package import HubVocabulary

/// Mail of a lane's loop.
package enum RelayMail: Sendable {
    /// The log has records up to here.
    case committed(through: UInt64)
    /// Administrators purged records up to here.
    case purged(through: UInt64)
    /// The audiences of the records that were asked for, in their order.
    case audiences(Result<FoundAudiences, Refusal>, of: [UInt64])
    /// The registrations of some tickets; those that are gone are left out.
    case rows(Result<[RelayRow], Refusal>, of: [LaneTicket])
    /// Answers that came together.
    case answers([RelayReply])
    /// The same of the endpoint for access tokens.
    case token(Result<RelayAnswer, RelayVerdict>)
    /// Whether the store took the last report; again while it refuses.
    case stored(Bool)
    /// A removal was carried out, or given up.
    case removed(RegistrationNumber)
    /// An operator or a test send awaits the service's answer.
    case trial(AwaitedTrial)
    /// An operator gives up what waits up to a place.
    case skip(AwaitedSkip)
    /// The namespace has other hubs, whose handles no service may see either.
    case judge(HandleJudge)
}
