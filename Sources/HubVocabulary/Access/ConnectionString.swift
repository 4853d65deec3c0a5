/// The endpoint, rule and key with which a client reaches a server.
///
/// Source: REST reference §1.2.
///
///     Endpoint=sb://hubs.example.net:8443/;SharedAccessKeyName=RULE;SharedAccessKey=KEY
///
/// Has no description, so that its key reaches no log by accident.
package struct ConnectionString: Hashable, Sendable {
    /// A DNS name, an IPv4 address, or an IPv6 address in brackets.
    package let host: String
    /// The port; nil when the endpoint names none.
    package let port: UInt16?
    /// Name of the access rule.
    package let rule: String
    /// Text of one of its keys.
    package let key: String

    /// Makes one of its parts.
    package init(host: String, port: UInt16?, rule: String, key: String) {
        self.host = host
        self.port = port
        self.rule = rule
        self.key = key
    }

    /// Reads a connection string; part names without case, in any order, others ignored.
    ///
    /// - Throws: `.invalid` naming the part that is missing or wrong, never its value.
    package init(parsing text: String) throws(Refusal) {
        var endpoint: String?
        var rule: String?
        var key: String?
        for part in text.split(separator: ";") {
            guard let equals = part.firstIndex(of: "=") else {
                throw .invalid(field: "connection string", reason: "a part has no '='")
            }
            let value = String(part[part.index(after: equals)...])
            switch part[..<equals].lowercased() {
            case "endpoint": try Self.set(&endpoint, to: value, name: "Endpoint")
            case "sharedaccesskeyname": try Self.set(&rule, to: value, name: "SharedAccessKeyName")
            case "sharedaccesskey": try Self.set(&key, to: value, name: "SharedAccessKey")
            default: break
            }
        }
        self.rule = try Self.required(rule, name: "SharedAccessKeyName")
        self.key = try Self.required(key, name: "SharedAccessKey")
        (host, port) = try Self.address(in: try Self.required(endpoint, name: "Endpoint"))
    }

    /// The text in the one shape that every client reads.
    package var text: String {
        let place = port.map { "\(host):\($0)" } ?? host
        return "Endpoint=sb://\(place)/;SharedAccessKeyName=\(rule);SharedAccessKey=\(key)"
    }

    private static func set(
        _ value: inout String?,
        to text: String,
        name: String
    ) throws(Refusal) {
        guard value == nil, !text.isEmpty else {
            throw .invalid(field: name, reason: text.isEmpty ? "is empty" : "is there twice")
        }
        value = text
    }

    private static func required(_ value: String?, name: String) throws(Refusal) -> String {
        guard let value else { throw .invalid(field: name, reason: "is missing") }
        return value
    }

    private static func address(
        in endpoint: String
    ) throws(Refusal) -> (host: String, port: UInt16?) {
        let wrong = Refusal.invalid(field: "Endpoint", reason: "must be sb://HOST[:PORT]/")
        var rest = endpoint[...]
        guard rest.lowercased().hasPrefix("sb://") else { throw wrong }
        rest = rest.dropFirst(5)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.contains("/") else { throw wrong }
        var port: UInt16?
        if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
            let digits = Array(rest[rest.index(after: colon)...].utf8)
            guard let number = ASCII.decimal(digits), let small = UInt16(exactly: number), small > 0
            else { throw wrong }
            port = small
            rest = rest[..<colon]
        }
        guard !rest.isEmpty, rest.hasPrefix("[") == rest.contains(":") else { throw wrong }
        return (String(rest), port)
    }
}
