import Crypto
import HubVocabulary

/// Sixteen bytes of a SHA-256: what is compared instead of what a caller wrote.
package struct KeyHash: Hashable, Sendable {
    /// Bytes 0..7, big-endian.
    package var high: UInt64
    /// Bytes 8..15, big-endian.
    package var low: UInt64

    /// Makes a hash of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The first half of the SHA-256 of some bytes.
    package init(of bytes: [UInt8]) {
        let digest = Array(SHA256.hash(data: bytes))
        self.init(high: UInt64(bigEndian: digest), low: UInt64(bigEndian: digest.dropFirst(8)))
    }
}
