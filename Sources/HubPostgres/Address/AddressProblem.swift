/// Why a text is not the address of a database; none of its cases holds a password.
package enum AddressProblem: Error, Hashable, Sendable {
    /// It does not begin with `postgres://` or `postgresql://`.
    case scheme
    /// A `%` without two hex digits behind it, or a zero byte.
    case encoding
    /// An `@` behind the hosts: part of what precedes it may belong to a password.
    case unescaped
    /// No database is named.
    case noDatabase
    /// A port that is no number from 1 to 65,535; it may be part of a password.
    case port
    /// Hosts and ports in the query are not equally many.
    case hostsAndPorts
    /// An option without a value; it may be part of a password.
    case noValue
    /// An option that would lead to other servers than the hosts.
    case option(String)
    /// Sessions of this kind may not be able to write.
    case sessionAttributes(String)
    /// The seconds of a connection's deadline.
    case timeout(String)
}

extension AddressProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .scheme: "the database's address does not begin with postgres://"
        case .encoding: "a % in the database's address stands without two hex digits: write %25"
        case .unescaped:
            "an @ in the database's address stands behind the hosts: write / ? @ of names and "
                + "passwords as %2F %3F %40"
        case .noDatabase:
            "the database's address names no database: write postgres://HOST/DATABASE"
        case .port: "a port in the database's address is no number from 1 to 65535"
        case .hostsAndPorts:
            "the database's address has not as many ports as hosts: name one port, or one for each"
        case .noValue: "an option in the database's address has no value: write OPTION=VALUE"
        case .option(let option):
            "the option \(option) of the database's address is not supported: name the hosts"
        case .sessionAttributes(let value):
            "target_session_attrs=\(value) may lead to a server that only reads: leave it out"
        case .timeout(let text): "connect_timeout=\(text) is no number of seconds from 1 to 60"
        }
    }
}
