/// An event that a device tells its app.
public enum DeviceEvent: Equatable, Sendable {
    /// The hub accepted the session.
    case connected(SessionOpening)
    /// A slot is registered as wanted; `isUnchanged` when the hub had it already.
    case registered(RegistrationChoice, isUnchanged: Bool)
    /// A slot is given up.
    case unregistered(slot: UInt16)
    /// A notification, stored unless it is transient; say `taken` when it was dealt with.
    case notification(ReceivedNotification)
    /// Notifications are lost, or may be: the app synchronises by other means.
    case gap(LossNotice)
    /// Nothing waits at the hub any more.
    case upToDate
    /// The connection is gone; nil means that the device does not come back by itself.
    case disconnected(Departure, retryIn: Duration?)
    /// Something went wrong; the device goes on where it can.
    case fault(DeviceFault)
}
