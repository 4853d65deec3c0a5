import HubClient

/// A device's stored content: the session's state and the app's entries, written together.
struct DeviceStorage {
    var state = DeviceState()
    var entries: Set<AppEntry> = []
    /// The last one's place, for the order.
    var lastSequence: UInt64 = 0
    /// The highest place of anything, before a RESET too.
    var through: UInt64 = 0
}
