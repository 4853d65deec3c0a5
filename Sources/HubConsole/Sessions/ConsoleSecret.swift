import Crypto
import HubVocabulary

/// Random texts that open something, and how they are kept: as SHA-256 alone.
enum ConsoleSecret {
    /// 256 random bits in hex, for a cookie or a relay.
    static func token() -> String { HexText.lowercase(random(32)) }

    /// 130 random bits in groups of four letters and digits that are hard to confuse.
    static func code() -> String {
        let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
        let picked = random(26).map { letters[Int($0) % letters.count] }
        return stride(from: 0, to: picked.count, by: 4)
            .map { String(picked[$0..<min($0 + 4, picked.count)]) }
            .joined(separator: "-")
    }

    /// Nine random digits, for a confirmation.
    static func digits() -> String {
        var system = SystemRandomNumberGenerator()
        let number = String(UInt32.random(in: 0...999_999_999, using: &system))
        return String(repeating: "0", count: 9 - number.count) + number
    }

    /// How a secret is kept and compared, in hex; letters of codes count without case and dashes.
    static func digest(_ secret: String) -> String {
        let plain = secret.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return HexText.lowercase(SHA256.hash(data: Array(plain.utf8)))
    }

    /// How the keys of a rule are kept, so that other ones are noticed.
    static func mark(_ keys: String) -> String {
        HexText.lowercase(SHA256.hash(data: Array(keys.utf8)))
    }

    /// The token that forms of a session carry beside its cookie; nothing of the cookie can be told from it.
    static func formToken(of cookie: String) -> String { digest("form \(cookie)") }

    /// Compares two digests in a time that does not tell where they differ.
    static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func random(_ count: Int) -> [UInt8] {
        var system = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &system) }
    }
}
