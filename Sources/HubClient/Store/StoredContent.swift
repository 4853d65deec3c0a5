/// What a store holds.
struct StoredContent: Sendable {
    var state: DeviceState
    var waiting: [ReceivedNotification] = []
}
