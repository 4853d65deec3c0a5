import HubVocabulary

/// The parts of a database's URL, decoded.
struct AddressParts {
    private(set) var user: String?
    private(set) var password: String?
    private(set) var database: String?
    private var hosts: [PostgresHost] = []
    /// The options of the query, in its order.
    private(set) var options: [PostgresOption] = []

    init(_ url: String) throws(AddressProblem) {
        let schemes = ["postgres://", "postgresql://"]
        guard let scheme = schemes.first(where: url.hasPrefix) else { throw .scheme }
        var rest = url.dropFirst(scheme.count)
        if let end = rest.firstIndex(where: { "/?#".contains($0) }), rest[end...].contains("@") {
            throw .unescaped
        }
        if let mark = rest.firstIndex(of: "?") {
            options = try Self.options(rest[mark...].dropFirst())
            rest = rest[..<mark]
        }
        if let slash = rest.firstIndex(of: "/") {
            let name = try Self.decoded(rest[slash...].dropFirst())
            database = name.isEmpty ? nil : name
            rest = rest[..<slash]
        }
        if let at = rest.lastIndex(of: "@") {
            let names = rest[..<at]
            let colon = names.firstIndex(of: ":") ?? names.endIndex
            let name = try Self.decoded(names[..<colon])
            let secret = try Self.decoded(names[colon...].dropFirst())
            user = name.isEmpty ? nil : name
            password = secret.isEmpty ? nil : secret
            rest = rest[at...].dropFirst()
        }
        let list = rest.split(separator: ",", omittingEmptySubsequences: false)
        hosts = try list.map(Self.host)
    }

    /// Takes an option away; the last one of its name counts.
    mutating func take(_ keyword: String) -> String? {
        let value = options.last { $0.keyword == keyword }?.value
        options.removeAll { $0.keyword == keyword }
        return value
    }

    /// The hosts, those of the query instead of the URL's.
    mutating func takeHosts() throws(AddressProblem) -> [PostgresHost] {
        let names = take("host").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let ports = take("port").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let named = names.map { $0.map { PostgresHost(name: String($0), port: nil) } } ?? hosts
        guard let ports else { return named }
        guard ports.count == 1 || ports.count == named.count else { throw .hostsAndPorts }
        var found: [PostgresHost] = []
        for (index, host) in named.enumerated() {
            let port = try Self.port(ports.count == 1 ? ports[0] : ports[index])
            found.append(PostgresHost(name: host.name, port: port))
        }
        return found
    }

    /// Reads `NAME`, `NAME:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT`.
    private static func host(_ text: Substring) throws(AddressProblem) -> PostgresHost {
        if text.first == "[", let end = text.firstIndex(of: "]") {
            let name = try decoded(text[..<end].dropFirst())
            let rest = text[end...].dropFirst()
            guard rest.isEmpty || rest.first == ":" else { throw .port }
            return PostgresHost(name: name, port: try port(rest.dropFirst()))
        }
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        let name = try decoded(text[..<colon])
        return PostgresHost(name: name, port: try port(text[colon...].dropFirst()))
    }

    private static func port(_ text: Substring) throws(AddressProblem) -> UInt16? {
        guard !text.isEmpty else { return nil }
        guard let port = UInt16(text), port > 0 else { throw .port }
        return port
    }

    private static func options(_ query: Substring) throws(AddressProblem) -> [PostgresOption] {
        var found: [PostgresOption] = []
        for part in query.split(separator: "&") {
            let mark = part.firstIndex(of: "=") ?? part.endIndex
            let keyword = try decoded(part[..<mark])
            guard mark < part.endIndex else { throw .noValue }
            let value = try decoded(part[mark...].dropFirst())
            found.append(PostgresOption(keyword: keyword, value: value))
        }
        return found
    }

    private static func decoded(_ text: Substring) throws(AddressProblem) -> String {
        let bytes = PercentCoding.decode(Array(text.utf8).span)
        guard let bytes, !bytes.contains(0) else { throw .encoding }
        return String(decoding: bytes, as: UTF8.self)
    }
}
