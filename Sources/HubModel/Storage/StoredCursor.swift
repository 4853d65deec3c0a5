package import HubVocabulary

/// A device's cursor as the store keeps it.
///
/// Source: rules B.5.
package struct StoredCursor: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// Highest acknowledged sequence number.
    package var acknowledged: UInt64
    /// At least `acknowledged`.
    package var scannedThrough: UInt64
    /// When the device was last seen.
    package var lastSeen: Timestamp
    /// Matches at or below that were not sent are counted.
    package var evaluatedThrough: UInt64

    /// Makes a cursor.
    package init(
        device: DeviceID,
        acknowledged: UInt64,
        scannedThrough: UInt64,
        lastSeen: Timestamp,
        evaluatedThrough: UInt64 = 0
    ) {
        self.device = device
        self.acknowledged = acknowledged
        self.scannedThrough = scannedThrough
        self.lastSeen = lastSeen
        self.evaluatedThrough = evaluatedThrough
    }
}
