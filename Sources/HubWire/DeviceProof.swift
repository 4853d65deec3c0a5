/// How a device proves its key on one TLS connection, without a round trip.
///
/// Source: Protocol.
package enum DeviceProof {
    /// Label of the TLS exporter; there is no context, and the value has `exporterBytes`.
    package static let exporterLabel = "EXPORTER-belfry-1-auth"
    /// Stands in front of what is authenticated: `BLF1 auth`.
    package static let context: [UInt8] = Array("BLF1 auth".utf8)

    /// Returns the bytes whose HMAC-SHA256 under the device key is the proof.
    ///
    /// `prefix` is the HELLO body up to the length of its auth field.
    package static func input(exporter: [UInt8], prefix: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(context.count + exporter.count + prefix.count)
        bytes.append(contentsOf: context)
        bytes.append(contentsOf: exporter)
        bytes.append(copying: prefix)
        return bytes
    }
}
