import HubVocabulary
package import HubWire

/// Who a device is: what the first WELCOME made.
///
/// The key and the handle are secrets.
package struct DeviceIdentity: Equatable, Sendable {
    /// The device id, given by the hub.
    package var id: ID16
    /// Proves the id on later connections; 32 bytes.
    package var key: [UInt8]
    /// The push handle, 32 bytes: with it a client can register for this device over REST.
    package var handle: [UInt8]

    /// An identity of its parts.
    package init(id: ID16, key: [UInt8], handle: [UInt8]) {
        self.id = id
        self.key = key
        self.handle = handle
    }

    /// The push handle as registrations over REST name it: 64 lower-case hexadecimal digits.
    package var handleText: String {
        HexText.lowercase(handle)
    }
}
