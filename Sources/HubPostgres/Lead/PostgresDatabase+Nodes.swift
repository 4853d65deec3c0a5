// Changes of a database's nodes by operators.
extension PostgresDatabase {
    /// Promises the lead to a run for a minute, while it is there: the one that leads hands over, and
    /// no other takes it.
    package func promiseLead(to run: UInt64) throws(PostgresError) {
        try change(
            PostgresCommand(
                sql: """
                    UPDATE handover SET run = $1, until = clock_timestamp() + interval '1 minute'
                    """
            ) { $0.append(run) }
        )
    }

    /// Takes a promise back.
    package func withdrawLead(from run: UInt64) throws(PostgresError) {
        try change(
            PostgresCommand(sql: "UPDATE handover SET until = '-infinity' WHERE run = $1") {
                $0.append(run)
            }
        )
    }

    /// Removes the row of a run that has ended without a word.
    package func forget(_ run: UInt64) throws(PostgresError) {
        try change(PostgresCommand(LeadStatements.leave) { $0.append(run) })
    }

    private func change(_ command: PostgresCommand) throws(PostgresError) {
        let connection = try connect(preparing: [LeadStatements.leave])
        defer { connection.close() }
        _ = try connection.run(command)
    }
}
