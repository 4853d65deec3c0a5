/// The content of a store.
struct DeviceMemory: Sendable {
    var state = DeviceState()
    /// Waiting notifications, behind `gone` that were taken and are not yet let go.
    private var notifications: [ReceivedNotification] = []
    private var gone = 0

    init(state: DeviceState = DeviceState()) { self.state = state }

    /// Stored notifications that the app has not taken, oldest first.
    var waiting: [ReceivedNotification] { Array(notifications[gone...]) }

    var waitingCount: Int { notifications.count - gone }

    /// Whether some of those that wait have a number up to this one.
    func waits(upTo number: UInt64) -> Bool {
        gone < notifications.count && notifications[gone].number <= number
    }

    mutating func apply(_ change: StoreChange) {
        if let state = change.state { self.state = state }
        notifications += change.added
        if let number = change.takenThrough { take(through: number) }
    }

    private mutating func take(through number: UInt64) {
        while waits(upTo: number) { gone += 1 }
        // As many are moved as were taken: each costs the same, however many wait.
        guard gone * 2 >= notifications.count else { return }
        notifications.removeFirst(gone)
        gone = 0
    }
}
