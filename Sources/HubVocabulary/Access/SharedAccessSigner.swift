package import Crypto

/// Makes SharedAccessSignature tokens with the key of a rule.
///
///     SharedAccessSignature sr=<R>&sig=<S>&se=<E>&skn=<N>
///
/// Source: REST reference §3.
package struct SharedAccessSigner: Sendable {
    /// The word in front of a token's parts.
    package static let scheme = "SharedAccessSignature"

    private let keyName: String
    private let key: SymmetricKey

    /// Signs with the text of a rule's key.
    package init(keyName: String, key: String) {
        self.keyName = keyName
        self.key = Self.signingKey(key)
    }

    /// Returns the signing key of a key's text: its UTF-8 bytes, not the bytes that they are base64 of.
    ///
    /// Source: REST reference §3.2.
    package static func signingKey(_ text: String) -> SymmetricKey {
        SymmetricKey(data: Array(text.utf8))
    }

    /// Returns the signed bytes: resource and expiry exactly as they stand in the token.
    package static func stringToSign(
        resource: some Sequence<UInt8>,
        expiry: some Sequence<UInt8>
    ) -> [UInt8] {
        resource + [UInt8(ascii: "\n")] + expiry
    }

    /// Returns a token for a plain audience, such as `https://hub.example.net/news`.
    ///
    /// Seconds of `expiry` are cut to whole ones.
    package func token(for resource: String, expiry: Timestamp) -> String {
        token(resource, expiry.milliseconds / 1_000, digit: HexText.upperDigit)
    }

    /// Returns the token for a host and path, lower case and without port, as the .NET client
    /// writes it.
    ///
    /// - Parameters:
    ///   - host: the hub's host name, without port.
    ///   - path: what the token covers, with or without slashes at its ends.
    ///   - expiry: Unix seconds.
    /// - Returns: the value of the Authorization header.
    package func token(host: String, path: String, expiry: UInt64) -> String {
        let trimmed = path.split(separator: "/").joined(separator: "/")
        let resource = "http://\(host)/" + (trimmed.isEmpty ? "" : trimmed + "/")
        return token(resource.lowercased(), expiry, digit: HexText.lowerDigit)
    }

    /// Returns base64 of the HMAC over the resource exactly as it stands in the token, and the
    /// expiry.
    package func signature(encodedResource: String, expiry: UInt64) -> String {
        let text = Self.stringToSign(resource: encodedResource.utf8, expiry: String(expiry).utf8)
        return Base64.encode(Array(HMAC<SHA256>.authenticationCode(for: text, using: key)))
    }

    private func token(_ resource: String, _ expiry: UInt64, digit: (UInt8) -> UInt8) -> String {
        func encoded(_ text: String) -> String {
            String(decoding: PercentCoding.encode(text.utf8, digit: digit), as: UTF8.self)
        }
        let resource = encoded(resource)
        let signature = encoded(signature(encodedResource: resource, expiry: expiry))
        return "\(Self.scheme) sr=\(resource)&sig=\(signature)&se=\(expiry)"
            + "&skn=\(encoded(keyName))"
    }
}
