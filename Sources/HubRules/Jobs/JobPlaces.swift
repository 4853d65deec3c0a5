package import HubVocabulary

/// The places that bulk jobs of a hub may use: its own folder, and what the operator allows.
///
/// A place is compared as text with what is allowed, so everything that a server could read
/// differently is refused: dots as segments in any spelling, backslashes, semicolons, users,
/// fragments.
package struct JobPlaces: Sendable {
    /// The addresses at or below which jobs may read and write.
    private let allowed: [JobAddress]

    /// Bytes of a place at most.
    package static let bytesMax = 2_048
    /// Segments of a path at most.
    package static let segmentsMax = 32

    /// Allows nothing but the hub's own folder.
    package init() { allowed = [] }

    /// Allows what lies at or below some addresses besides.
    ///
    /// - Throws: `.invalid` naming the address that is none or has a query.
    package init(allowing addresses: [String]) throws(Refusal) {
        var allowed: [JobAddress] = []
        for text in addresses {
            guard case .web(let address) = try Self.read(text, field: "jobs.urls"),
                address.query.isEmpty
            else {
                throw .invalid(field: "jobs.urls", reason: "takes http and https addresses.")
            }
            allowed.append(address)
        }
        self.allowed = allowed
    }

    /// The place that a text names.
    ///
    /// - Throws: `.invalid` with the field when it is none, or not allowed here.
    package func place(_ text: String, field: String, isFile: Bool) throws(Refusal) -> JobPlace {
        let place = try Self.read(text, field: field)
        switch place {
        case .folder(let names):
            guard !isFile || !names.isEmpty else {
                throw .invalid(field: field, reason: "names no file.")
            }
        case .web(let address):
            guard allowed.contains(where: { $0.covers(address) }) else {
                throw .invalid(
                    field: field,
                    reason: "is no place that the operator of this hub allows (jobs.urls); "
                        + "'file:///NAME' is a file in the hub's own folder for jobs."
                )
            }
        }
        return place
    }

    private static func read(_ text: String, field: String) throws(Refusal) -> JobPlace {
        func invalid(_ reason: String) -> Refusal { .invalid(field: field, reason: reason) }
        guard (1...bytesMax).contains(text.utf8.count) else {
            throw invalid("must have 1 to \(bytesMax) bytes.")
        }
        let isPlain = text.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\\\"<>^`{|}#".utf8.contains(byte)
        }
        guard isPlain else { throw invalid("must be a percent-encoded URL without fragment.") }
        guard let mark = text.firstRange(of: "://") else { throw invalid("must be a whole URL.") }
        let scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end].lowercased()
        let question = rest[end...].firstIndex(of: "?") ?? rest.endIndex
        let path = String(rest[end..<question])
        let query = String(rest[question...])
        let names = try segments(of: path) { invalid($0) }
        switch scheme {
        case "file":
            guard authority.isEmpty || authority == "localhost", query.isEmpty else {
                throw invalid("must be 'file:///' and names below the hub's folder for jobs.")
            }
            return .folder(try folderNames(names) { invalid($0) })
        case "http", "https":
            let own = scheme == "http" ? ":80" : ":443"
            let host = authority.hasSuffix(own) ? String(authority.dropLast(own.count)) : authority
            guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
                throw invalid("must name a host, and no user.")
            }
            return .web(
                JobAddress(
                    scheme: scheme,
                    authority: host,
                    path: path.isEmpty ? "/" : path,
                    query: query
                )
            )
        default: throw invalid("must begin with file, http or https.")
        }
    }

    /// Returns the decoded segments of a path.
    ///
    /// - Throws: the refusal that `invalid` makes, for a segment that could mean another place.
    private static func segments(
        of path: String,
        invalid: (String) -> Refusal
    ) throws(Refusal) -> [String] {
        let raw = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard raw.count <= segmentsMax else {
            throw invalid("has more than \(segmentsMax) segments.")
        }
        var names: [String] = []
        for segment in raw {
            guard let bytes = PercentCoding.decode(Array(segment.utf8).span),
                let name = String(validating: bytes, as: UTF8.self)
            else { throw invalid("is not percent-encoded UTF-8.") }
            let isPlain = bytes.allSatisfy { byte in
                byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "/")
                    && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "%")
                    // Servers cut parameters of a segment off: `..;a` is `..` there.
                    && byte != UInt8(ascii: ";")
            }
            guard isPlain, name != ".", name != ".." else {
                throw invalid("has a segment that could mean another place.")
            }
            names.append(name)
        }
        return names
    }

    private static func folderNames(
        _ names: [String],
        invalid: (String) -> Refusal
    ) throws(Refusal) -> [String] {
        var names = names
        if names.last == "" { names.removeLast() }
        let areNames = names.allSatisfy { name in
            (1...255).contains(name.utf8.count) && !name.hasPrefix(".")
        }
        guard areNames else {
            throw invalid("has a name that is empty, begins with a dot or is too long.")
        }
        return names
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
