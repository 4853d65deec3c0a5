/// Where a database is and how to sign in there, from a URL as libpq understands it.
///
/// A URL without a password leaves it to libpq, which looks at `PGPASSWORD`, `PGPASSFILE` and
/// `~/.pgpass`. Neither the description nor a problem shows one.
package struct PostgresAddress: Sendable {
    /// Servers that may be the primary, tried one after the other; at least one.
    package let hosts: [PostgresHost]
    /// The database's name.
    package let database: String
    /// nil for libpq's default.
    package let user: String?
    /// Seconds that one host may take to accept a connection; nil leaves it to the limits.
    package let connectSeconds: Int?
    /// Takes the place of a password in the URL.
    package var password: PostgresPassword?
    /// The other options of the query.
    private let options: [PostgresOption]

    /// Options of every connection that a URL may replace.
    ///
    /// Where TCP still hears nothing after some seconds, the connection ends.
    private static let defaults = [
        PostgresOption(keyword: "application_name", value: "belfry"),
        PostgresOption(keyword: "gssencmode", value: "disable"),
        PostgresOption(keyword: "keepalives_idle", value: "2"),
        PostgresOption(keyword: "keepalives_interval", value: "2"),
        PostgresOption(keyword: "keepalives_count", value: "2"),
        PostgresOption(keyword: "tcp_user_timeout", value: "5000"),
    ]

    /// Another machine has to prove who it is, unless a URL says otherwise; libpq's own default
    /// would take any certificate, and none.
    private static let remote = [PostgresOption(keyword: "sslmode", value: "verify-full")]

    /// Reads `postgres://[USER[:PASSWORD]@]HOST[:PORT][,HOST…]/DATABASE[?OPTION=VALUE&…]`.
    ///
    /// `postgresql://` is the same. `host` and `port` may stand in the query, which folders of Unix
    /// sockets need.
    package init(_ url: String) throws(AddressProblem) {
        var parts = try AddressParts(url)
        if let attributes = parts.take("target_session_attrs"),
            attributes != "read-write", attributes != "primary"
        {
            throw .sessionAttributes(attributes)
        }
        for option in ["hostaddr", "service"] where parts.take(option) != nil {
            throw .option(option)
        }
        connectSeconds = try parts.take("connect_timeout").map { text throws(AddressProblem) in
            guard let seconds = Int(text), (1...60).contains(seconds) else {
                throw .timeout(text)
            }
            return seconds
        }
        user = parts.take("user") ?? parts.user
        password = (parts.take("password") ?? parts.password).map(PostgresPassword.init)
        guard let name = parts.take("dbname") ?? parts.database else { throw .noDatabase }
        database = name
        hosts = try parts.takeHosts()
        options = parts.options
    }

    /// All that libpq needs for one of the hosts.
    ///
    /// Each later option with the same keyword counts instead of the earlier one.
    func options(for host: PostgresHost) -> [PostgresOption] {
        let own = [
            ("host", host.name), ("port", host.port.map { "\($0)" } ?? ""), ("dbname", database),
            ("user", user ?? ""), ("password", password?.text ?? ""),
            ("target_session_attrs", "read-write"), ("client_encoding", "UTF8"),
        ]
        return Self.defaults + (host.isLocal ? [] : Self.remote) + options
            + own.filter { !$0.1.isEmpty }.map { PostgresOption(keyword: $0.0, value: $0.1) }
    }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// Hosts and database, for messages.
    package var description: String {
        let list = hosts.map(\.description).joined(separator: ",")
        return "postgres://\(user.map { $0 + "@" } ?? "")\(list)/\(database)"
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
