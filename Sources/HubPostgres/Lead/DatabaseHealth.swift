/// The clock and the standbys of a database's server, as it says.
package struct DatabaseHealth: Hashable, Sendable {
    /// Its clock, in milliseconds since 1970.
    package let clock: UInt64
    /// Standbys that commits wait for, as its setting names them; empty for none.
    package let synchronousNames: String
    /// Standbys that are connected.
    package let standbys: UInt64
    /// Those of them that commits wait for; nil where the role may not see that.
    package let synchronous: UInt64?
}

extension PostgresDatabase {
    /// Asks for it; `pg_monitor` lets a role see which standbys are synchronous.
    package func health() throws(PostgresError) -> DatabaseHealth {
        let connection = try connect(preparing: [])
        defer { connection.close() }
        let rows = try connection.run(
            PostgresCommand(
                sql: """
                    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::int8,
                        current_setting('synchronous_standby_names'), count(*)::int8,
                        count(sync_state)::int8,
                        count(*) FILTER (WHERE sync_state IN ('sync', 'quorum'))::int8
                    FROM pg_stat_replication
                    """
            )
        )
        let (all, seen) = (try rows.number(0, 2), try rows.number(0, 3))
        return DatabaseHealth(
            clock: try rows.number(0, 0),
            synchronousNames: try rows.text(0, 1),
            standbys: all,
            synchronous: seen == all ? try rows.number(0, 4) : nil
        )
    }
}
