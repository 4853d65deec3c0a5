/// Some of a notification's failures, and where the search for more goes on.
package struct FailurePart: Sendable {
    /// The notification as answers name it.
    package var notification: NotificationName
    /// The failures of this part.
    package var found: [DeliveryFailure] = []
    /// Registrations and handles that were looked at closely.
    package var examined = 0
    /// For the next question; nil when there are no more.
    package var next: UInt32?

    /// Nothing of a notification.
    package init(notification: NotificationName) { self.notification = notification }
}
