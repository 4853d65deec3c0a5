/// A request that an operator or a test send awaits, beside those of a lane.
///
/// Nothing of it is counted, removed or repeated.
package enum RelayTrial: Sendable {
    /// Whether the service takes the credential; delivers nothing.
    case credential
    /// A notification for one handle, with the registration that has it; nil when none does.
    case notification(NotificationDraft, handle: [UInt8], Registration?)
}
