/// An `http` or `https` address in its parts.
package struct JobAddress: Hashable, Sendable {
    /// `http` or `https`.
    package let scheme: String
    /// Host in lower case, and the port unless it is the scheme's own.
    package let authority: String
    /// As it stands, percent-encoded; begins with `/`.
    package let path: String
    /// As it stands, with its question mark, or empty; it may be a signature, so it is in no log.
    package let query: String

    /// The whole address.
    package var text: String { "\(scheme)://\(authority)\(path)\(query)" }

    /// The address without its query, which may hold a secret; this form may reach an operator.
    package var shown: String { "\(scheme)://\(authority)\(path)" }

    /// The address of a file below this one.
    package func file(_ names: [String]) -> String {
        var folder = path
        while folder.hasSuffix("/") { folder.removeLast() }
        return "\(scheme)://\(authority)\(folder)/\(names.joined(separator: "/"))\(query)"
    }

    init(scheme: String, authority: String, path: String, query: String) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
    }

    /// Whether an address is this one or lies below it.
    func covers(_ other: JobAddress) -> Bool {
        guard scheme == other.scheme, authority == other.authority else { return false }
        let folder = path.hasSuffix("/") ? path : path + "/"
        return other.path == path || other.path.hasPrefix(folder)
    }
}
