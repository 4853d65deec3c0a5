/// `Endpoint=sb://host[:port]/;SharedAccessKeyName=…;SharedAccessKey=…`; the key is a secret.
///
/// `;EntityPath=…` may name the hub.
/// Source: REST reference §1.2.
public struct ConnectionString: Equatable, Sendable {
    /// Name or address of the hub's REST API.
    public var host: String
    /// Its port; 443 where the endpoint names none.
    public var port: UInt16
    /// Name of the access rule.
    public var keyName: String
    /// The rule's key, as text.
    public var key: String
    /// The hub's name, where `EntityPath` says it.
    public var hub: String?

    /// A connection string of its parts.
    public init(host: String, port: UInt16, keyName: String, key: String, hub: String? = nil) {
        self.hub = hub
        self.host = host
        self.port = port
        self.keyName = keyName
        self.key = key
    }

    /// Reads the text form: parts in any order, names without case, other parts ignored.
    ///
    /// The scheme is `sb`, `https` or missing, and always means TLS.
    /// - Throws: `ConnectionStringError`.
    public init(parsing text: String) throws(ConnectionStringError) {
        var endpoint: Substring?
        var keyName: Substring?
        var key: Substring?
        for part in text.split(separator: ";") {
            guard let equals = part.firstIndex(of: "=") else { throw .partWithoutValue }
            let value = part[part.index(after: equals)...]
            switch part[..<equals].lowercased() {
            case "endpoint": endpoint = value
            case "sharedaccesskeyname": keyName = value
            case "sharedaccesskey": key = value
            case "entitypath": hub = value.isEmpty ? nil : String(value)
            default: break
            }
        }
        guard let endpoint, !endpoint.isEmpty else { throw .missing("Endpoint") }
        guard let keyName, !keyName.isEmpty else { throw .missing("SharedAccessKeyName") }
        guard let key, !key.isEmpty else { throw .missing("SharedAccessKey") }
        (host, port) = try Self.authority(of: endpoint)
        self.keyName = String(keyName)
        self.key = String(key)
    }

    /// The text form, exactly as every client understands it.
    public var text: String {
        let authority = port == 443 ? bracketedHost : "\(bracketedHost):\(port)"
        let path = hub.map { ";EntityPath=\($0)" } ?? ""
        return "Endpoint=sb://\(authority)/;SharedAccessKeyName=\(keyName);SharedAccessKey=\(key)"
            + path
    }

    /// The host as it stands in a URL: IPv6 in brackets.
    package var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    private static func authority(
        of endpoint: Substring
    ) throws(ConnectionStringError) -> (String, UInt16) {
        var rest = endpoint
        if let scheme = rest.firstRange(of: "://") {
            let name = rest[..<scheme.lowerBound].lowercased()
            guard name == "sb" || name == "https" else { throw .schemeUnsupported(name) }
            rest = rest[scheme.upperBound...]
        }
        if rest.last == "/" { rest = rest.dropLast() }
        guard !rest.contains("/"), !rest.contains("@"), !rest.contains("?") else {
            throw .endpointMalformed
        }
        var portText: Substring?
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw .endpointMalformed }
            let tail = rest[rest.index(after: end)...]
            guard tail.isEmpty || tail.first == ":" else { throw .endpointMalformed }
            if !tail.isEmpty { portText = tail.dropFirst() }
            rest = rest[rest.index(after: rest.startIndex)..<end]
        } else if let colon = rest.firstIndex(of: ":") {
            portText = rest[rest.index(after: colon)...]
            rest = rest[..<colon]
        }
        guard !rest.isEmpty else { throw .endpointMalformed }
        guard let portText else { return (String(rest), 443) }
        guard let port = UInt16(portText), port > 0 else { throw .endpointMalformed }
        return (String(rest), port)
    }
}
