/// News of a hub's way to its database, for operators.
package enum DatabaseNews: Hashable, Sendable {
    /// The database does not answer, or takes nothing; why.
    case lost(String)
    /// It answers again, after so long.
    case regained(Duration)
    /// An answer was lost, so the leader has to find out what was stored.
    case inDoubt
}

extension DatabaseNews: CustomStringConvertible {
    package var description: String {
        switch self {
        case .lost(let reason): "the database is away: \(reason)"
        case .regained(let duration):
            "the database answers again, after \(duration.components.seconds) s"
        case .inDoubt: "the answer to a commit is lost: the database is asked what it stored"
        }
    }
}
