package import HubVocabulary

/// How far a device has acknowledged and been evaluated; merged by maximum.
///
/// Source: rules B.5.
package struct CursorAdvance: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// The session that reports it.
    package var sessionGeneration: UInt64
    /// Highest complete sequence number the device stored.
    package var acknowledged: UInt64
    /// Everything at or below was evaluated for the device and is acknowledged or did not match.
    package var scannedThrough: UInt64
    /// Matches at or below that are not sent were counted.
    package var evaluatedThrough: UInt64
    /// How many of `ProgressReport.acknowledged` are this device's.
    package var entries: Int
    /// How many of `ProgressReport.unsent` are this device's.
    package var unsent: Int

    /// Makes an advance.
    package init(
        device: DeviceID,
        sessionGeneration: UInt64,
        acknowledged: UInt64,
        scannedThrough: UInt64,
        evaluatedThrough: UInt64 = 0,
        entries: Int = 0,
        unsent: Int = 0
    ) {
        self.device = device
        self.sessionGeneration = sessionGeneration
        self.acknowledged = acknowledged
        self.scannedThrough = scannedThrough
        self.evaluatedThrough = evaluatedThrough
        self.entries = entries
        self.unsent = unsent
    }
}
