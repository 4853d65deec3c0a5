/// A device's memory: its state, and the notifications that the app has not taken yet.
///
/// Each commit is atomic and durable when it returns: after a crash either all of it is there or
/// nothing. Any thread may use it. Source: Protocol [D-8].
package protocol DeviceStore: AnyObject, Sendable {
    /// The state that was committed last; a new device's before.
    var state: DeviceState { get }
    /// Stored notifications that the app has not taken, oldest first.
    var waiting: [ReceivedNotification] { get }
    /// How many of them there are.
    var waitingCount: Int { get }

    /// Makes a change in one step, whose cost does not depend on how many notifications wait.
    /// - Throws: `DeviceStoreError`; then the store is as before.
    func commit(_ change: StoreChange) throws(DeviceStoreError)

    /// Leaves the memory to others: its device has ended.
    ///
    /// A later commit adds to what is there then.
    func release()
}

extension DeviceStore {
    /// For stores that no other process can open.
    package func release() {}

    /// Writes a state and adds notifications, in one step.
    /// - Throws: `DeviceStoreError`; then the store is as before.
    package func commit(
        _ state: DeviceState,
        adding notifications: [ReceivedNotification]
    ) throws(DeviceStoreError) {
        try commit(StoreChange(state: state, adding: notifications))
    }

    /// Forgets the waiting notifications up to a number, which the app has taken.
    /// - Throws: `DeviceStoreError`; then the store is as before.
    package func markTaken(through number: UInt64) throws(DeviceStoreError) {
        try commit(StoreChange(takenThrough: number))
    }
}
