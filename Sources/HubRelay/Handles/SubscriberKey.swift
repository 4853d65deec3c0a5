/// The public key of a browser's subscription: a point of P-256.
package struct SubscriberKey: Hashable, Sendable {
    /// The point, 65 bytes.
    package let bytes: [UInt8]

    /// Reads a key; nil for bytes that are no point of the curve.
    package init?(_ bytes: [UInt8]) {
        guard MessageCipher.isPoint(bytes) else { return nil }
        self.bytes = bytes
    }
}
