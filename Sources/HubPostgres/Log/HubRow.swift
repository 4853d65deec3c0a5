/// The row `hub` of a hub's name.
enum HubRow {
    /// The hub's number; a hub that the database does not know is made.
    static func number(
        of name: String,
        _ connection: PostgresConnection
    ) throws(PostgresError) -> Int64 {
        let read = PostgresCommand(sql: "SELECT id FROM hub WHERE name = $1") { $0.append(name) }
        let found = try connection.run(read)
        if found.count > 0 { return try found.integer(0, 0) }
        let made = try connection.run([
            PostgresCommand(sql: "INSERT INTO hub(name) VALUES ($1) ON CONFLICT DO NOTHING") {
                $0.append(name)
            },
            PostgresCommand(
                sql: """
                    INSERT INTO head(hub) SELECT id FROM hub WHERE name = $1
                    ON CONFLICT DO NOTHING
                    """
            ) { $0.append(name) },
            read,
        ])
        return try made[2].integer(0, 0)
    }
}
