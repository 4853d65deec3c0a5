import HubVocabulary

/// A request's path and query, read as tolerantly as clients write them.
///
/// Source: REST §2.1.
package struct RequestTarget: Sendable {
    /// The path as it stands, percent-encoded, without query and trailing slashes; never empty.
    package let path: String
    /// The path's segments as they stand, without empty ones at the end.
    package let rawSegments: [Substring]
    /// The segments decoded; not necessarily UTF-8.
    package let segments: [[UInt8]]
    /// The query's fields as they stand, in order, without empty ones.
    let rawFields: [Substring]
    private let fields: [(key: String, value: [UInt8])]

    /// Splits a request target such as `/news/messages/?direct&api-version=2015-04`.
    ///
    /// An absolute target (`https://host/path`) loses its scheme and authority.
    package init(_ target: String) {
        var rest = Substring(target)
        // Bytes are compared, not characters: that is what a path is made of, and costs little.
        if let fragment = rest.utf8.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
        if !rest.hasPrefix("/"), let scheme = rest.firstRange(of: "://") {
            let afterScheme = rest[scheme.upperBound...]
            rest = afterScheme[(afterScheme.firstIndex(of: "/") ?? afterScheme.endIndex)...]
        }
        let question = rest.utf8.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        var before = rest[..<question]
        let end = before.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        before = end.map { before[...$0] } ?? ""
        path = before.isEmpty ? "/" : String(before)
        rawSegments = before.utf8
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map { Substring($0) }
        segments = rawSegments.map { PercentCoding.decodeLeniently($0.utf8, plusIsSpace: false) }
        rawFields = rest[question...].utf8.dropFirst().split(separator: UInt8(ascii: "&"))
            .map { Substring($0) }
        fields = rawFields.map { field in
            let equals = field.utf8.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
            let name = field.utf8[..<equals]
            let key = PercentCoding.decodeLeniently(name, plusIsSpace: true)
            let rest = field.utf8[equals...].dropFirst()
            let value = PercentCoding.decodeLeniently(rest, plusIsSpace: true)
            return (String(decoding: key, as: UTF8.self).lowercased(), value)
        }
    }

    /// How many fields the query has.
    package var fieldCount: Int { fields.count }

    /// The decoded value of a query field; its name compares without case, the first one counts.
    package func value(_ name: String) -> [UInt8]? {
        let key = name.lowercased()
        return fields.first { $0.key == key }?.value
    }

    /// Whether a flag such as `direct` is on: present without value, or with one that isn't a
    /// refusal.
    ///
    /// Source: REST §2.1.
    package func flag(_ name: String) -> Bool {
        guard let value = value(name) else { return false }
        let word = String(decoding: value, as: UTF8.self).lowercased()
        return word != "false" && word != "0"
    }

    /// The query with `api-version` first, which some clients insist on, then the others in their
    /// order; empty or beginning with `?`.
    ///
    /// Source: REST §8.1, §16.
    package func query(without dropped: String..., adding added: String? = nil) -> String {
        var parts: [Substring] = []
        for (raw, field) in zip(rawFields, fields) where !dropped.contains(field.key) {
            if field.key == "api-version", parts.isEmpty || !isVersion(parts[0]) {
                parts.insert(raw, at: 0)
            } else {
                parts.append(raw)
            }
        }
        if let added { parts.append(Substring(added)) }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// The `api-version` field alone; empty or beginning with `?`.
    var versionQuery: String {
        rawFields.first(where: isVersion).map { "?\($0)" } ?? ""
    }

    /// Path and query for people, without the version; of a long value the beginning alone, since
    /// it may be a push handle.
    package var shown: String {
        func cut(_ part: Substring) -> String {
            part.utf8.count < Self.shownBytesMax ? String(part) : "\(part.prefix(8))…"
        }
        let fields = rawFields.filter { !isVersion($0) }.map { field in
            field.split(separator: "=", maxSplits: 1).map(cut).joined(separator: "=")
        }
        let path = rawSegments.map { "/" + cut($0) }.joined()
        let whole = fields.isEmpty ? path : "\(path)?\(fields.joined(separator: "&"))"
        return whole.count <= Self.shownMax ? whole : "\(whole.prefix(Self.shownMax))…"
    }

    /// Bytes from which on a value is not shown whole: the digits of a handle.
    private static let shownBytesMax = 64
    /// Characters of all that is shown.
    private static let shownMax = 512

    private func isVersion(_ field: Substring) -> Bool {
        field.prefix { $0 != "=" }.lowercased() == "api-version"
    }
}
