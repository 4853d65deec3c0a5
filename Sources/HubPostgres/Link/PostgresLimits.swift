/// How long a database may take.
package struct PostgresLimits: Sendable {
    /// For one host to accept a connection, unless the address says otherwise.
    package var connecting: Duration = .seconds(3)
    /// To answer what was sent together.
    package var answering: Duration = .seconds(10)

    /// The ordinary ones.
    package init() {}
}
