package import HubTags

/// To whom a send goes.
package enum NotificationTarget: Sendable {
    /// Every registration of the format.
    case broadcast
    /// Registrations whose tags satisfy an expression.
    case tags(TagExpression)
    /// These handles, whatever their tags; canonical spelling, at most 1,000.
    case handles([[UInt8]])
    /// These registrations, by where they lead: a test send.
    case slots([RegistrationTarget])
}
