import HubVocabulary

/// An `https` address that a client chose and that may be contacted, taken apart.
///
/// Clients choose WNS channels and browser endpoints, and a WNS request carries a token with which
/// every device of the app can be reached. So a host is compared with a list, byte by byte.
package struct ServiceAddress: Hashable, Sendable {
    /// Why an address is not used.
    package enum Problem: Error, Hashable, Sendable {
        case tooLong, notPlain, notSecure, hasUser, hasFragment, isLiteral, badHost, badPort
        case foreignHost

        /// The rule, as a refusal and `explain` name it.
        package var reason: String {
            switch self {
            case .tooLong: "is longer than \(ServiceAddress.bytesMax) bytes"
            case .notPlain: "has characters that no address has"
            case .notSecure: "must begin with https://"
            case .hasUser: "must not hold a user"
            case .hasFragment: "must not hold a fragment"
            case .isLiteral: "must name a host, not an address"
            case .badHost: "has a host that no service has"
            case .badPort: "must use port 443"
            case .foreignHost: "has a host that is not one of the service's"
            }
        }
    }

    /// Bytes of an address at most.
    package static let bytesMax = 2_048

    /// Lower-case name.
    package let host: String
    /// Port 443, or the one of an operator's own host.
    package let port: Int
    /// Path and query, beginning with a slash.
    package let path: String

    /// Scheme, host and, unless it is 443, port: the audience of a Web Push token.
    package var origin: String { "https://\(host)" + (port == 443 ? "" : ":\(port)") }

    /// Takes an address apart and holds its host against a list.
    ///
    /// A host of the list stands for its subdomains too; one with `:port` for itself at that port.
    /// - Throws: the first rule that it breaks.
    package init(_ address: [UInt8], hosts: [String]) throws(Problem) {
        guard address.count <= Self.bytesMax else { throw .tooLong }
        guard PlainText.isVisibleASCII(address), !address.contains(UInt8(ascii: "\\")) else {
            throw .notPlain
        }
        guard ASCII.hasPrefix(address, "https://".utf8) else { throw .notSecure }
        guard !address.contains(UInt8(ascii: "#")) else { throw .hasFragment }
        let rest = address.dropFirst("https://".utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard !authority.contains(UInt8(ascii: "@")) else { throw .hasUser }
        let tail = rest.dropFirst(authority.count)
        let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let name = parts.first, authority.first != UInt8(ascii: "[") else { throw .isLiteral }
        guard parts.count <= 2 else { throw .badPort }
        let host = String(decoding: ASCII.lower(name), as: UTF8.self)
        try Self.checkName(host)
        let port = try Self.port(parts.count == 2 ? parts[1] : nil)
        let isListed = hosts.contains { listed in
            if listed.contains(":") { return "\(host):\(port)" == listed }
            return port == 443 && (host == listed || host.hasSuffix("." + listed))
        }
        guard isListed else { throw port == 443 ? .foreignHost : .badPort }
        self.host = host
        self.port = port
        let text = String(decoding: tail, as: UTF8.self)
        path = text.first == "/" ? text : "/" + text
    }

    private static func port(_ digits: ArraySlice<UInt8>?) throws(Problem) -> Int {
        guard let digits else { return 443 }
        guard let port = ASCII.decimal(digits), (1...65_535).contains(port) else { throw .badPort }
        return Int(port)
    }

    /// Letters, digits and hyphens in two or more parts, the last not a number.
    private static func checkName(_ host: String) throws(Problem) {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isPlain = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
                        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                }
        }
        guard isPlain, labels.count > 1, host.utf8.count <= 253 else { throw .badHost }
        guard let last = labels.last, !last.allSatisfy(ASCII.isDigit), !last.starts(with: "0x".utf8)
        else { throw .isLiteral }
        guard !labels.contains(where: { $0.starts(with: "xn--".utf8) }) else { throw .badHost }
    }
}
