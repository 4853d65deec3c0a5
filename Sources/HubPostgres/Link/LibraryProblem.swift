/// Why PostgreSQL's client library cannot be used.
package enum LibraryProblem: Hashable, Sendable, CustomStringConvertible {
    /// It is not installed.
    case missing
    /// It has no pipelines.
    case old

    package var description: String {
        switch self {
        case .missing:
            "PostgreSQL's client library \(PostgresLibrary.name) is missing: "
                + "install Debian's package libpq5"
        case .old:
            "PostgreSQL's client library \(PostgresLibrary.name) is older than release 14: "
                + "install a newer libpq5"
        }
    }
}
