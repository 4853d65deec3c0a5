/// One server of an address.
package struct PostgresHost: Hashable, Sendable, CustomStringConvertible {
    /// A name, an address, or the folder of a Unix socket; empty for libpq's default.
    package let name: String
    /// nil for libpq's default.
    package let port: UInt16?

    /// Whether it is this machine.
    var isLocal: Bool {
        name.isEmpty || name.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(name)
    }

    package var description: String {
        let shown = name.isEmpty ? "localhost" : name.contains(":") ? "[\(name)]" : name
        return port.map { "\(shown):\($0)" } ?? shown
    }
}
