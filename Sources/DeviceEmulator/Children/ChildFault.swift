package import HubClient

/// Why a process of `belfry` does not do what this one needs.
package enum ChildFault: Error, Equatable, Sendable {
    /// It cannot be started.
    case notStarted(reason: String)
    /// It ended, or said nothing in time, instead of listening.
    case silent(what: String)
    /// The hub's description of itself cannot be read.
    case undescribed(ConnectionFileError)
    /// A command to it failed.
    case refused(what: String, reason: String)
    /// A phone does not say that a command is done.
    case unanswered(phone: String)
}

extension ChildFault: CustomStringConvertible {
    /// One readable line.
    package var description: String {
        switch self {
        case .notStarted(let reason): "a process of belfry cannot be started: \(reason)"
        case .silent(let what): "\(what) did not start"
        case .undescribed(let error): "\(error)"
        case .refused(let what, let reason): "\(what): \(reason)"
        case .unanswered(let phone): "\(phone) does not answer"
        }
    }
}
