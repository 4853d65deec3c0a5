import Synchronization

/// A store that lives as long as the process; for fleets and tests.
package final class MemoryDeviceStore: DeviceStore {
    private let memory: Mutex<DeviceMemory>

    /// A store with a state, by default a new device's.
    package init(state: DeviceState = DeviceState()) {
        memory = Mutex(DeviceMemory(state: state))
    }

    /// The state that was committed last.
    package var state: DeviceState { memory.withLock { $0.state } }

    /// Stored notifications that the app has not taken, oldest first.
    package var waiting: [ReceivedNotification] { memory.withLock { $0.waiting } }

    /// How many of them there are.
    package var waitingCount: Int { memory.withLock { $0.waitingCount } }

    /// Makes a change in one step.
    /// - Throws: never.
    package func commit(_ change: StoreChange) throws(DeviceStoreError) {
        memory.withLock { $0.apply(change) }
    }
}
