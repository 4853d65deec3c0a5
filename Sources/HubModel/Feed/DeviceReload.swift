package import HubVocabulary

/// A session whose registrations a shard wants again.
package struct DeviceReload: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// Its session.
    package var sessionGeneration: UInt64
    /// Where it lives.
    package var address: ConnectionAddress

    /// Names a session.
    package init(device: DeviceID, sessionGeneration: UInt64, address: ConnectionAddress) {
        self.device = device
        self.sessionGeneration = sessionGeneration
        self.address = address
    }
}
