/// A right that a token can carry.
///
/// Source: REST reference §3.5.
package enum AccessRight: UInt8, CaseIterable, Sendable {
    case listen = 1
    case send = 2
    case manage = 4

    /// The right's word in configuration and answers.
    package var name: String {
        switch self {
        case .listen: "Listen"
        case .send: "Send"
        case .manage: "Manage"
        }
    }
}
