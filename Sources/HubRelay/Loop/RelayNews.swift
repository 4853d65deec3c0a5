/// News of a lane for its operator.
package enum RelayNews: Hashable, Sendable {
    /// It rests.
    case rests(LaneCause)
    /// It sends again.
    case resumes
    /// A request was malformed, which is a mistake of Belfry's; the service's reason.
    case malformed(String)
}
