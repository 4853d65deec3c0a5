/// What a send names as its format.
package enum NotificationFormat: Hashable, Sendable {
    /// Native registrations of one platform.
    case native(Platform)
    /// Template registrations of every platform.
    case template
}
