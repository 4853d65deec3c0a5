import Crypto

/// Makes SharedAccessSignature tokens.
///
/// Source: REST reference §3.
package struct SharedAccessSigner: Sendable {
    private let keyName: String
    private let key: SymmetricKey

    /// Signs with the text of a rule's key.
    package init(keyName: String, key: String) {
        self.keyName = keyName
        self.key = SymmetricKey(data: Array(key.utf8))
    }

    /// The token for a host and path, lower case and without port, as the .NET client writes it.
    ///
    /// - Parameters:
    ///   - host: the hub's host name, without port.
    ///   - path: what the token covers, with or without slashes at its ends.
    ///   - expiry: Unix seconds.
    /// - Returns: the value of the Authorization header.
    package func token(host: String, path: String, expiry: UInt64) -> String {
        let trimmed = path.split(separator: "/").joined(separator: "/")
        let resource = "http://\(host)/" + (trimmed.isEmpty ? "" : trimmed + "/")
        let encoded = Self.percentEncoded(resource.lowercased())
        let signature = signature(encodedResource: encoded, expiry: expiry)
        return "SharedAccessSignature sr=\(encoded)&sig=\(Self.percentEncoded(signature))"
            + "&se=\(expiry)&skn=\(Self.percentEncoded(keyName))"
    }

    /// Base64 of the HMAC over the resource exactly as it stands in the token, and the expiry.
    package func signature(encodedResource: String, expiry: UInt64) -> String {
        let text = "\(encodedResource)\n\(expiry)"
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
        return Base64.encode(Array(code))
    }

    private static func percentEncoded(_ text: String) -> String {
        String(
            decoding: PercentCoding.encode(text.utf8, digit: HexText.lowerDigit),
            as: UTF8.self
        )
    }
}
