import CPostgres

/// PostgreSQL's client library, which is loaded when a database is wanted.
package enum PostgresLibrary {
    /// The library's name on every Linux.
    package static let name = "libpq.so.5"

    /// Loads it, once for the process.
    /// - Throws: `.library` with what the operator does about it.
    package static func load(_ name: String = name) throws(PostgresError) {
        // The name is borrowed for the call.
        switch unsafe belfry_postgres_load(name) {
        case belfry_postgres_library_ready: return
        case belfry_postgres_library_old: throw .library(.old)
        default: throw .library(.missing)
        }
    }
}
