import Crypto

/// Collapse keys in the forms that services allow.
enum ShortKey {
    /// 32 characters of base64 for addresses: equal for equal keys.
    static func hashed(_ key: [UInt8]) -> String {
        String(Base64URL.encode(Array(SHA256.hash(data: key))).prefix(32))
    }
}
