import Crypto

/// HMAC-SHA256 under one key, before its first byte: to begin one takes longer than all the rest of a
/// short text.
///
/// `HMAC` of `Crypto` is generic, and no other module gets code of it that is made for SHA-256.
struct PreparedCode: Sendable {
    private static let blockBytes = 64

    private let inner: SHA256
    private let outer: SHA256

    /// Takes a key of 64 bytes at most.
    init(key: [UInt8]) {
        precondition(key.count <= Self.blockBytes, "a key of \(key.count) bytes")
        let block = key + [UInt8](repeating: 0, count: Self.blockBytes - key.count)
        inner = Self.hash(SHA256(), block.map { $0 ^ 0x36 })
        outer = Self.hash(SHA256(), block.map { $0 ^ 0x5C })
    }

    /// The code of a text.
    func code(of text: [UInt8]) -> SHA256Digest {
        let hash = Self.hash(inner, text).finalize()
        var code = outer
        // The buffer is read before the call returns.
        unsafe hash.withUnsafeBytes { buffer in unsafe code.update(bufferPointer: buffer) }
        return code.finalize()
    }

    private static func hash(_ start: SHA256, _ bytes: [UInt8]) -> SHA256 {
        var hash = start
        // As above.
        unsafe bytes.withUnsafeBytes { buffer in unsafe hash.update(bufferPointer: buffer) }
        return hash
    }
}
