package import HubVocabulary
package import HubWire

/// A proven device asks for its session.
package struct AttachRequest: Sendable {
    /// Where to answer.
    package var address: ConnectionAddress
    /// Proven by key, certificate, or just made.
    package var device: DeviceID
    /// The key generation that was proven.
    package var keyGeneration: UInt32
    /// The process that speaks for the device.
    package var instance: UInt64
    /// How far the device has stored everything.
    package var position: Position
    /// Whether the device is new: a token HELLO made the identity.
    package var isNew: Bool
    /// The token of a new device.
    package var grant: AccessGrant?

    /// Makes a request.
    package init(
        address: ConnectionAddress,
        device: DeviceID,
        keyGeneration: UInt32,
        instance: UInt64,
        position: Position,
        isNew: Bool,
        grant: AccessGrant? = nil
    ) {
        self.address = address
        self.device = device
        self.keyGeneration = keyGeneration
        self.instance = instance
        self.position = position
        self.isNew = isNew
        self.grant = grant
    }
}
