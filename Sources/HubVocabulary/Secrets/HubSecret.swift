package import Crypto

/// The 32 random bytes behind a hub's push handles and device keys; made once, kept with the hub.
///
/// Everything derived from it is an HMAC-SHA256 or HKDF-SHA256 over one unambiguous text:
///
///     label | hub length: u16 | hub: lower-case UTF-8 | device id: 16 | generation: u32
///
/// Numbers are big-endian. The label is one of two fixed words, and neither begins the other;
/// `LinkSigner` has a label of its own. Source: rules C.1, C.2.
package struct HubSecret: Sendable, CustomStringConvertible {
    /// Length of a secret.
    package static let byteCount = 32

    /// HMAC with the secret, and with the key that HKDF's first step makes of it.
    private let codes: PreparedCode
    private let keys: PreparedCode
    private let root: SymmetricKey

    /// Takes the bytes; nil when they are not exactly 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        root = SymmetricKey(data: bytes)
        codes = PreparedCode(key: bytes)
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: root, salt: [UInt8]?.none)
        keys = PreparedCode(key: Array(extracted))
    }

    /// The secret itself, for who computes its codes in a way of his own.
    package var bytes: [UInt8] {
        // The buffer is copied whole before the call returns, so nothing outlives it.
        unsafe root.withUnsafeBytes { buffer in unsafe Array(buffer) }
    }

    /// HMAC-SHA256 of a text.
    func code(of text: [UInt8]) -> SHA256Digest { codes.code(of: text) }

    /// HKDF-SHA256 without salt; 32 bytes, which are one block of its second step.
    package func key(for info: [UInt8]) -> SymmetricKey {
        SymmetricKey(data: keys.code(of: info + [1]))
    }

    /// Never the bytes.
    package var description: String { "HubSecret" }

    static func text(
        label: String,
        hub: HubName,
        device: DeviceID,
        generation: UInt32
    ) -> [UInt8] {
        let name = hub.description.utf8
        var bytes: [UInt8] = []
        bytes.reserveCapacity(label.utf8.count + 2 + name.count + 20)
        bytes += label.utf8
        bytes.appendBigEndian(UInt16(name.count))
        bytes += name
        bytes.appendBigEndian(device.high)
        bytes.appendBigEndian(device.low)
        bytes.appendBigEndian(generation)
        return bytes
    }
}
