import HubClient
import Synchronization

/// A device's store that counts its commits.
final class CountedStore: DeviceStore {
    private let store: any DeviceStore
    private let count = Atomic<Int>(0)

    init(_ store: any DeviceStore) { self.store = store }

    var commits: Int { count.load(ordering: .relaxed) }
    var state: DeviceState { store.state }
    var waiting: [ReceivedNotification] { store.waiting }
    var waitingCount: Int { store.waitingCount }

    func commit(_ change: StoreChange) throws(DeviceStoreError) {
        count.add(1, ordering: .relaxed)
        try store.commit(change)
    }
}
