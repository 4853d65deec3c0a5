import HubVocabulary

/// The resource that a token's `sr` names; it tells whether a request lies within it.
///
/// Source: REST reference §3.3.
///
/// Scheme, port, query, ASCII case and trailing slashes make no difference; an audience covers
/// itself and everything below it at a `/` boundary.
struct Audience: Sendable {
    private let host: [UInt8]
    private let segments: [[UInt8]]

    /// Reads a percent-encoded `sr`; nil when an escape is broken or there is no host.
    init?(encoded resource: Span<UInt8>) {
        guard let text = PercentCoding.decode(resource) else { return nil }
        var rest = ASCII.lower(text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        for scheme in ["https://", "http://", "sb://"] where rest.starts(with: scheme.utf8) {
            rest.removeFirst(scheme.utf8.count)
            break
        }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        host = Self.withoutPort(authority)
        segments = Self.segments(of: rest.dropFirst(authority.count))
        guard !host.isEmpty else { return nil }
    }

    /// Whether a request for `path` (as it stands, percent-encoded) on one of `names` is covered.
    ///
    /// A segment may be escaped once more in `sr` than elsewhere, or not at all, for unusual tags:
    /// both sides are brought to one level first.
    func covers(path: [UInt8], names: [String]) -> Bool {
        guard names.contains(where: { Self.withoutPort(ASCII.lower($0.utf8)[...]) == host }) else {
            return false
        }
        let wanted = Self.segments(of: path.prefix { $0 != UInt8(ascii: "?") })
        guard segments.count <= wanted.count else { return false }
        return zip(segments, wanted).allSatisfy(Self.isSame)
    }

    private static func isSame(_ own: [UInt8], _ wanted: [UInt8]) -> Bool {
        let plain = ASCII.lower(wanted)
        if own == plain { return true }
        guard let decoded = PercentCoding.decode(plain.span).map(ASCII.lower) else { return false }
        return own == decoded || PercentCoding.decode(own.span).map(ASCII.lower) == decoded
    }

    /// The parts of a path between slashes; empty segments at the end do not count.
    private static func segments(of path: ArraySlice<UInt8>) -> [[UInt8]] {
        var parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.first?.isEmpty == true { parts.removeFirst() }
        while parts.last?.isEmpty == true { parts.removeLast() }
        return parts.map(Array.init)
    }

    /// A host without `:port`; an IPv6 literal keeps its brackets.
    private static func withoutPort(_ authority: ArraySlice<UInt8>) -> [UInt8] {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            authority[authority.index(after: colon)...].allSatisfy(ASCII.isDigit)
        else { return Array(authority) }
        let host = authority[..<colon]
        // Without brackets further colons belong to a bare IPv6 address, which has no port.
        if host.contains(UInt8(ascii: ":")), host.last != UInt8(ascii: "]") {
            return Array(authority)
        }
        return Array(host)
    }
}
