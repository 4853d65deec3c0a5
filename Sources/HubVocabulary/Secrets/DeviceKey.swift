import Crypto
import HubWire

/// The key by which a device proves who it is; derived, so that the hub stores none.
///
/// HKDF-SHA256 of the hub secret, without salt, with the "device key" text of `HubSecret` as info;
/// 32 bytes. Source: rules C.2.
package struct DeviceKey: Sendable, CustomStringConvertible {
    /// Length of a key.
    package static let byteCount = 32
    /// Length of the TLS exporter's value.
    package static let exporterByteCount = 32

    private let key: SymmetricKey

    /// The key of a device in one of its generations.
    package init(device: DeviceID, hub: HubName, secret: HubSecret, generation: UInt32) {
        let info = HubSecret.text(
            label: "device key",
            hub: hub,
            device: device,
            generation: generation
        )
        key = secret.key(for: info)
    }

    /// The 32 bytes, as WELCOME carries them once.
    package var bytes: [UInt8] {
        // The buffer is copied whole before the call returns, so nothing outlives it.
        unsafe key.withUnsafeBytes { buffer in unsafe Array(buffer) }
    }

    /// Never the bytes.
    package var description: String { "DeviceKey" }

    /// Returns the proof that the device sends in HELLO on the connection with this exporter value.
    ///
    /// `helloPrefix` is the HELLO body up to the length of its auth field.
    package func proof(exporter: [UInt8], helloPrefix: Span<UInt8>) -> [UInt8] {
        let input = DeviceProof.input(exporter: exporter, prefix: helloPrefix)
        return Array(HMAC<SHA256>.authenticationCode(for: input, using: key))
    }

    /// Whether a HELLO's proof was made with this key on this connection; constant time.
    ///
    /// False for an exporter value that is not 32 bytes: without one nothing binds the proof.
    package func accepts(
        proof: Span<UInt8>,
        exporter: [UInt8],
        helloPrefix: Span<UInt8>
    ) -> Bool {
        guard exporter.count == Self.exporterByteCount else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(
            proof.bytes(in: 0..<proof.count),
            authenticating: DeviceProof.input(exporter: exporter, prefix: helloPrefix),
            using: key
        )
    }
}
