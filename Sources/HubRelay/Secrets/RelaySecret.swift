import Crypto
package import HubVocabulary

/// Bytes that a service's owner must keep secret: a key, a password, a bundle.
///
/// Prints, describes and mirrors as its type's name alone.
package struct RelaySecret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The beginning of a mask, which stands for a secret that a hub keeps.
    package static let maskPrefix = "belfry:kept:"
    /// Hex digits behind the prefix of a mask.
    private static let maskDigits = 8

    /// The secret's bytes, for a signature, a TLS context or the file of keys.
    package let bytes: [UInt8]

    /// Takes the bytes as they are.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Takes a text's UTF-8.
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Never the bytes.
    package var description: String { "RelaySecret" }

    /// Without children, so that no dump shows the bytes.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The text that stands for this secret where a hub is read.
    ///
    /// Depends on the hub's own secret, so that a reader cannot try likely passwords against it.
    package func mask(_ hub: HubSecret) -> String {
        let key = hub.key(for: Array("relay credential mask".utf8))
        let code = HMAC<SHA256>.authenticationCode(for: bytes, using: key)
        return Self.maskPrefix + HexText.lowercase(code.prefix(Self.maskDigits / 2))
    }

    /// Whether a value has the form of a mask.
    package static func isMask(_ value: String) -> Bool {
        guard value.hasPrefix(maskPrefix) else { return false }
        let digits = value.utf8.dropFirst(maskPrefix.utf8.count)
        return digits.count == maskDigits && digits.allSatisfy { HexText.digit($0) != nil }
    }
}
