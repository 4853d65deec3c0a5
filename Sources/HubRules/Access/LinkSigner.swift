import Crypto
package import HubVocabulary

/// Signs the links of one hub, and knows its own signatures.
///
/// The key is derived from the hub's secret, so links hold beyond a restart and end with the hub:
///
///     HMAC-SHA256(HKDF-SHA256(secret, "feedback link"),
///                 hub length: u16 | hub: lower-case UTF-8 | kind: u8 | seconds: u64 | subject)
package struct LinkSigner: Sendable {
    private let key: SymmetricKey
    private let hub: HubName

    /// Derives the key of a hub.
    package init(secret: HubSecret, hub: HubName) {
        key = secret.key(for: Array("feedback link".utf8))
        self.hub = hub
    }

    /// The signature of a link: 64 lower-case hex digits.
    package func signature(of link: FeedbackLink) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: text(link), using: key)
        return HexText.lowercase(code)
    }

    /// Checks a signature in its one spelling, in constant time, and then the time.
    ///
    /// - Throws: `.linkRefused` with the reason.
    package func check(
        _ signature: [UInt8],
        of link: FeedbackLink,
        now: Timestamp
    ) throws(Refusal) {
        let isSpelled = signature.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard isSpelled, let code = HexText.decode(signature.span),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: text(link), using: key)
        else { throw .linkRefused(reason: Self.wrongSignature) }
        guard now.milliseconds / 1_000 < link.expires.milliseconds / 1_000 else {
            throw .linkRefused(reason: "ExpiredLink: The address has expired; ask for a new one.")
        }
    }

    /// The refusal of every wrong signature; it does not tell in which way the signature is wrong.
    package static let wrongSignature =
        "InvalidLink: The address was not made by this hub, or it was changed."

    private func text(_ link: FeedbackLink) -> [UInt8] {
        let name = Array(hub.description.utf8)
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt16(name.count))
        bytes += name
        switch link.subject {
        case .container: bytes.append(1)
        case .errors: bytes.append(2)
        }
        bytes.appendBigEndian(link.expires.milliseconds / 1_000)
        if case .errors(let id) = link.subject {
            bytes.appendBigEndian(id.high)
            bytes.appendBigEndian(id.low)
        }
        return bytes
    }
}
