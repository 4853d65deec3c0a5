import HubVocabulary

/// A private key as people paste it: PEM or its body, with line breaks of any kind or none.
///
/// Azure keeps the body alone; Firebase writes line breaks as the two characters `\n`.
package enum KeyText {
    /// The DER bytes; nil when no base64 is left after armour and blanks.
    package static func der(_ text: String) -> [UInt8]? {
        var body: [UInt8] = []
        let unescaped = text.split(separator: "\\r").joined().split(separator: "\\n")
        for part in unescaped {
            for line in part.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
                let trimmed = ASCII.trimmed(Array(line))
                if trimmed.starts(with: "-----".utf8) { continue }
                body += trimmed.filter { !ASCII.isBlank($0) }
            }
        }
        guard !body.isEmpty, let bytes = Base64.decode(body) else { return nil }
        return bytes
    }

    /// The key as PEM, in the form that every tool reads.
    package static func pem(_ der: [UInt8]) -> String {
        let text = Array(Base64.encode(der).utf8)
        let lines = stride(from: 0, to: text.count, by: 64).map { start in
            String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self)
        }
        return "-----BEGIN PRIVATE KEY-----\n" + lines.joined(separator: "\n")
            + "\n-----END PRIVATE KEY-----\n"
    }
}
