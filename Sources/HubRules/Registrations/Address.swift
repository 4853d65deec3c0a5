import HubVocabulary

/// An absolute http or https address.
struct Address {
    /// Lower case.
    let scheme: [UInt8]
    /// Lower case, without the scheme's own port.
    let authority: [UInt8]
    /// Everything behind the authority, as given; begins with `/`.
    let path: [UInt8]

    /// Reads an address; nil when it is not absolute, names no host, or holds characters that no
    /// URI has.
    init?(_ text: [UInt8]) {
        let forbidden = Array("<>\"\\^`{|}".utf8)
        guard PlainText.isVisibleASCII(text), !text.contains(where: forbidden.contains) else {
            return nil
        }
        let schemes = ["https", "http"].map { Array($0.utf8) }
        guard
            let scheme = schemes.first(where: { ASCII.hasPrefix(text, $0 + Array("://".utf8)) })
        else { return nil }
        let rest = text[(scheme.count + 3)...]
        let authority = rest.prefix { !Array("/?#".utf8).contains($0) }
        let lowered = ASCII.lower(authority)
        guard Self.isAuthority(lowered) else { return nil }
        self.scheme = scheme
        let standard = Array((scheme.count == 5 ? ":443" : ":80").utf8)
        self.authority =
            lowered.suffix(standard.count) == standard[...]
            ? Array(lowered.dropLast(standard.count)) : lowered
        let path = Array(rest.dropFirst(authority.count))
        self.path = path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path
    }

    /// Scheme and host lower case, no default port, and at least the path `/`.
    var normalised: [UInt8] { scheme + Array("://".utf8) + authority + path }

    /// `HOST[:PORT]`, the host being a name, an IPv4 address or an IPv6 address in brackets; no
    /// user.
    private static func isAuthority(_ text: [UInt8]) -> Bool {
        guard !text.contains(UInt8(ascii: "@")) else { return false }
        let port: ArraySlice<UInt8>
        if text.first == UInt8(ascii: "[") {
            guard let close = text.firstIndex(of: UInt8(ascii: "]")), close > 1 else {
                return false
            }
            port = text[(close + 1)...]
        } else {
            let host = text.prefix { $0 != UInt8(ascii: ":") }
            guard !host.isEmpty else { return false }
            port = text[host.count...]
        }
        if port.isEmpty { return true }
        guard port.first == UInt8(ascii: ":"), let number = ASCII.decimal(port.dropFirst()) else {
            return false
        }
        return (1...65_535).contains(number)
    }
}
