/// What a device remembers: its state, and the notifications that the app has not taken yet.
///
/// Each call is atomic and durable when it returns: after a crash either all of it is there or
/// nothing. Any thread may use it. Source: Protocol [D-8].
package protocol DeviceStore: AnyObject, Sendable {
    /// What was committed last; a new device's when nothing was.
    var state: DeviceState { get }
    /// Stored notifications that the app has not taken, oldest first.
    var waiting: [ReceivedNotification] { get }

    /// Writes a state and adds notifications, in one step.
    /// - Throws: `DeviceStoreError`; then the store is as before.
    func commit(
        _ state: DeviceState,
        adding notifications: [ReceivedNotification]
    ) throws(DeviceStoreError)

    /// Forgets the waiting notifications up to a number, which the app has taken.
    /// - Throws: `DeviceStoreError`; then the store is as before.
    func markTaken(through number: UInt64) throws(DeviceStoreError)
}
