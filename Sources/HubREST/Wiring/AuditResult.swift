/// How far an act has come, as a line of the audit says it.
package enum AuditResult: Equatable, Sendable {
    /// It is about to be carried out; without a later line it may or may not have been.
    case begun
    /// It was carried out.
    case done
    /// It was refused with a status of HTTP.
    case refused(status: Int)

    /// The line's word.
    package var word: String {
        switch self {
        case .begun: "begun"
        case .done: "done"
        case .refused(let status): "refused \(status)"
        }
    }
}
