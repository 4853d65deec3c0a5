/// A statement that a connection prepares once.
package struct PostgresStatement: Hashable, Sendable {
    /// Unique among those of a connection.
    package let name: String
    /// One statement, `$1` and so on for its values.
    package let sql: String

    /// Names a statement.
    package init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }
}
