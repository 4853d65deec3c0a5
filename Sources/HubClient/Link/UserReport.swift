/// A user's action with a notification.
public struct UserReport: Equatable, Sendable {
    /// Displayed, opened, dismissed or an action chosen.
    public enum Event: Equatable, Sendable {
        case displayed
        case opened
        case dismissed
        case actionChosen(UInt8)
        /// The system or the user's settings kept it from being shown.
        case suppressed
    }

    /// The action.
    public var event: Event
    /// To which notification.
    public var notification: ReceivedNotification

    /// A report about a notification.
    public init(_ event: Event, of notification: ReceivedNotification) {
        self.event = event
        self.notification = notification
    }
}
