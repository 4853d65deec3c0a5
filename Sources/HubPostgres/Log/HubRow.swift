/// The row `hub` of a hub's name.
enum HubRow {
    private static func read(_ name: String) -> PostgresCommand {
        PostgresCommand(sql: "SELECT id, is_whole FROM hub WHERE name = $1") { $0.append(name) }
    }

    /// The hub's number; a hub that the database does not know is made.
    ///
    /// `led` goes before whatever is stored, and may refuse it.
    /// - Throws: `.unfit` when the hub is there in part only, and `isWhole` asks for all of it.
    static func number(
        of name: String,
        isWhole: Bool,
        _ led: [PostgresCommand],
        _ connection: PostgresConnection
    ) throws(PostgresError) -> Int64 {
        var found = try connection.run(read(name))
        if found.count == 0 {
            let insert = "INSERT INTO hub(name, is_whole) VALUES ($1, \(isWhole))"
            found = try connection.run(
                led + [
                    PostgresCommand(sql: insert + " ON CONFLICT DO NOTHING") { $0.append(name) },
                    PostgresCommand(
                        sql: """
                            INSERT INTO head(hub) SELECT id FROM hub WHERE name = $1
                            ON CONFLICT DO NOTHING
                            """
                    ) { $0.append(name) },
                    read(name),
                ]
            )[led.count + 2]
        }
        guard try found.integer(0, 1) == (isWhole ? 1 : 0) else { throw .unfit(.hubInPart(name)) }
        return try found.integer(0, 0)
    }

    /// The number of a hub that is there as a whole; nil when the database does not know it.
    static func known(
        _ name: String,
        _ connection: PostgresConnection
    ) throws(PostgresError) -> Int64? {
        let found = try connection.run(read(name))
        guard found.count > 0 else { return nil }
        guard try found.integer(0, 1) == 1 else { throw .unfit(.hubInPart(name)) }
        return try found.integer(0, 0)
    }
}
