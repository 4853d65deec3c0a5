/// The change that one commit makes in a store.
package struct StoreChange: Sendable {
    /// The new state; nil leaves the one that is there.
    package var state: DeviceState?
    /// Notifications that wait for the app from now on, in order.
    package var added: [ReceivedNotification]
    /// The app has taken those up to this number, added ones too; nil when it has taken none.
    package var takenThrough: UInt64?

    /// A change of its parts.
    package init(
        state: DeviceState? = nil,
        adding added: [ReceivedNotification] = [],
        takenThrough: UInt64? = nil
    ) {
        self.state = state
        self.added = added
        self.takenThrough = takenThrough
    }

    /// Whether nothing would change.
    package var isEmpty: Bool { state == nil && added.isEmpty && takenThrough == nil }
}
