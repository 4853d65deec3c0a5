/// Where a node listens: a host and a port, written `host:port`, with brackets around IPv6.
package struct NodeAddress: Hashable, Sendable {
    /// A name, or a numeric address without brackets.
    package let host: String
    /// The port.
    package let port: Int

    /// Joins a host and its port.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads what `description` wrote; nil for anything else, and for an empty host.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: Int(port))
    }
}

extension NodeAddress: CustomStringConvertible {
    /// `host:port`, or `[host]:port` for IPv6.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
