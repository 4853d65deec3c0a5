/// The format that a send names, which decides the kind of registrations it reaches.
package enum NotificationFormat: Hashable, Sendable {
    /// Native registrations of one platform.
    case native(Platform)
    /// Template registrations of every platform.
    case template
}
