/// How the hub makes the payload for a registration.
///
/// Source: Protocol [T-6].
package enum RegistrationKind: UInt8, CaseIterable, Sendable {
    /// The payload of the send as it is.
    case native = 0
    /// The registration's own template, rendered with the send's properties.
    case template = 1
}
