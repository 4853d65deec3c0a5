/// To whom a registration's handle leads.
package enum HandleVerdict: Hashable, Sendable {
    /// A device of this hub, over Belfry's own link.
    case ours
    /// A handle that Belfry made and that leads nowhere any more: no service ever sees it.
    case oursButDead
    /// A device of the platform's service.
    case foreign(ForeignHandle)
    /// No handle that the service could have made.
    case unusable(ForeignHandle.Unusable)
    /// A handle of a service that this hub has no credential for.
    case noCredential

    /// Why no service is asked; empty for a handle of a service.
    var refusal: String {
        switch self {
        case .foreign: ""
        case .ours, .oursButDead: "a handle that Belfry made"
        case .unusable(let problem): "\(problem.field) \(problem.reason)"
        case .noCredential: "no credential"
        }
    }
}
