import Crypto

/// The public key of a browser's subscription: a point of P-256, read once.
package struct SubscriberKey: Hashable, Sendable {
    /// The point, 65 bytes.
    package let bytes: [UInt8]
    let key: P256.KeyAgreement.PublicKey

    /// Reads a key; nil for bytes that are no point of the curve.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 65,
            // Off the curve is the only other fault of 65 bytes.
            let key = try? P256.KeyAgreement.PublicKey(x963Representation: bytes)
        else { return nil }
        self.bytes = bytes
        self.key = key
    }

    /// Whether both are one point.
    package static func == (one: SubscriberKey, other: SubscriberKey) -> Bool {
        one.bytes == other.bytes
    }

    /// Feeds the point.
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
