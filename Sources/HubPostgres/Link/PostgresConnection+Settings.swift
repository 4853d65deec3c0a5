extension PostgresConnection {
    /// Reads the settings of the server that the promise depends on, and keeps the session at them:
    /// a weaker `synchronous_commit` that comes later counts for later connections.
    ///
    /// The server gives a statement up when the caller does: one that waits for a lock would be
    /// carried out much later.
    package func settings() throws(PostgresError) -> PostgresSettings {
        let rows = try run(
            PostgresCommand(
                sql: """
                    SELECT current_setting('server_version_num')::int8, current_setting('fsync'),
                        current_setting('full_page_writes'),
                        set_config('synchronous_commit', current_setting('synchronous_commit'), false),
                        current_setting('synchronous_standby_names'),
                        set_config('statement_timeout', $1::text, false)
                    """
            ) { $0.append("\(Int64(limits.answering / .milliseconds(1)))") }
        )
        return PostgresSettings(
            version: Int(try rows.integer(0, 0)),
            fsync: try rows.text(0, 1),
            fullPageWrites: try rows.text(0, 2),
            synchronousCommit: try rows.text(0, 3),
            synchronousStandbys: try rows.text(0, 4)
        )
    }

    /// Connects to the first host that is a primary, and refuses one that may lose commits.
    package static func trusted(
        _ address: PostgresAddress,
        limits: PostgresLimits = PostgresLimits()
    ) throws(PostgresError) -> PostgresConnection {
        let connection = try PostgresConnection(to: address, limits: limits)
        if let problem = try connection.settings().problem { throw .unfit(problem) }
        return connection
    }
}
