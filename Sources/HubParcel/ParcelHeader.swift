/// A header of the send that travels to the device, such as `apns-push-type`.
package struct ParcelHeader: Hashable, Sendable {
    /// 1...255 bytes.
    package var name: [UInt8]
    /// 0...255 bytes.
    package var value: [UInt8]

    /// Makes a header.
    package init(name: [UInt8], value: [UInt8]) {
        self.name = name
        self.value = value
    }
}
