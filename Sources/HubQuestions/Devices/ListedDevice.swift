import HubDirectory
package import HubModel

/// A device of a list: whether it is there, and how far it has come.
package struct ListedDevice: Sendable {
    /// Its cursor.
    package let cursor: StoredCursor
    /// Whether it has a session.
    package let isConnected: Bool
    /// Places of the log that were not looked at for it yet.
    package let behind: UInt64
    /// Times that its key was revoked.
    package let keyGeneration: UInt32
    /// Registrations that lead to it.
    package let registrations: Int

    /// Makes one of its parts.
    package init(
        cursor: StoredCursor,
        isConnected: Bool,
        behind: UInt64,
        keyGeneration: UInt32,
        registrations: Int
    ) {
        self.cursor = cursor
        self.isConnected = isConnected
        self.behind = behind
        self.keyGeneration = keyGeneration
        self.registrations = registrations
    }

    /// A device as a hub knows it.
    init(_ cursor: StoredCursor, of hub: HubView) {
        self.init(
            cursor: cursor,
            isConnected: hub.devices.isConnected(cursor.device),
            behind: Self.behind(cursor, head: hub.log.bounds.head),
            keyGeneration: hub.devices.keyGeneration(of: cursor.device),
            registrations: hub.table.numbers(of: cursor.device).count
        )
    }

    /// Places of the log that were not looked at for a device yet.
    static func behind(_ cursor: StoredCursor, head: UInt64) -> UInt64 {
        head - min(head, max(cursor.scannedThrough, cursor.acknowledged))
    }
}
