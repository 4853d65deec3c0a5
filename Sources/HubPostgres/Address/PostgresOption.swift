/// An option of a connection as libpq names it.
struct PostgresOption: Hashable, Sendable {
    let keyword: String
    let value: String
}
