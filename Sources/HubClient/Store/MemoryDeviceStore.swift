import Synchronization

/// A store that lives as long as the process; for fleets and tests.
package final class MemoryDeviceStore: DeviceStore {
    private let content: Mutex<StoredContent>

    /// A store with a state, by default a new device's.
    package init(state: DeviceState = DeviceState()) {
        content = Mutex(StoredContent(state: state))
    }

    /// What was committed last.
    package var state: DeviceState { content.withLock { $0.state } }

    /// Stored notifications that the app has not taken, oldest first.
    package var waiting: [ReceivedNotification] { content.withLock { $0.waiting } }

    /// Takes a state and adds notifications, in one step.
    /// - Throws: `DeviceStoreError`; then everything is as before.
    package func commit(
        _ state: DeviceState,
        adding notifications: [ReceivedNotification]
    ) throws(DeviceStoreError) {
        content.withLock { content in
            content.state = state
            content.waiting.append(contentsOf: notifications)
        }
    }

    /// Forgets the waiting notifications up to a number.
    /// - Throws: `DeviceStoreError`; then everything is as before.
    package func markTaken(through number: UInt64) throws(DeviceStoreError) {
        content.withLock { content in content.waiting.removeAll { $0.number <= number } }
    }
}
