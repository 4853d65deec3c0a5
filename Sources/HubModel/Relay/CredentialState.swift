/// A push service's word on a hub's credential.
package enum CredentialState: Hashable, Sendable {
    /// No request was judged yet.
    case untried
    /// The service judged a request that the credential let in.
    case works
    /// The service refuses the credential, or Belfry can no longer use it; the cause.
    case refused(String)

    /// The cause of the refusal; nil while there is none.
    package var refusal: String? {
        switch self {
        case .refused(let cause): cause
        case .untried, .works: nil
        }
    }
}
