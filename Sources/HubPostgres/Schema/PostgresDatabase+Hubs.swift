// The hubs of a database: which there are, and how they go.
extension PostgresDatabase {
    /// Rows of a table that one step removes.
    private static let rowsPerStep: UInt64 = 5_000

    /// Every hub, ascending by name.
    package func hubs() throws(PostgresError) -> [DatabaseHub] {
        let connection = try connect(preparing: [])
        defer { connection.close() }
        let rows = try connection.run(
            PostgresCommand(sql: "SELECT name, is_whole FROM hub ORDER BY name")
        )
        var hubs: [DatabaseHub] = []
        for row in 0..<rows.count {
            hubs.append(
                DatabaseHub(name: try rows.text(row, 0), isWhole: try rows.integer(row, 1) == 1)
            )
        }
        return hubs
    }

    /// Removes a hub with everything of it, step by step; one that is not there is no error.
    ///
    /// Its leader stores nothing from the first step on.
    package func remove(_ name: String) throws(PostgresError) {
        let connection = try connect(preparing: [])
        defer { connection.close() }
        let found = try connection.run(
            PostgresCommand(sql: "SELECT id FROM hub WHERE name = $1") { $0.append(name) }
        )
        guard found.count > 0 else { return }
        let hub = try found.integer(0, 0)
        func ofHub(_ sql: String) -> PostgresCommand {
            PostgresCommand(sql: sql) { $0.append(hub) }
        }
        _ = try connection.run([
            ofHub("UPDATE hub SET is_whole = false WHERE id = $1"),
            ofHub("UPDATE head SET fence = fence + 1 WHERE hub = $1"),
        ])
        for table in PostgresSchema.tablesOfHubs {
            let step = PostgresCommand(
                sql: """
                    DELETE FROM \(table) WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM \(table) WHERE hub = $1 LIMIT $2::int8))
                    """
            ) { values in
                values.append(hub)
                values.append(Self.rowsPerStep)
            }
            while try connection.run(step).changed > 0 {}
        }
        _ = try connection.run([
            ofHub("DELETE FROM epoch WHERE hub = $1"),
            ofHub("DELETE FROM head WHERE hub = $1"),
            ofHub("DELETE FROM hub WHERE id = $1"),
        ])
    }

    /// Says of hubs that everything of them is there, of all or of none.
    package func completeHubs(_ names: [String]) throws(PostgresError) {
        let connection = try connect(preparing: [])
        defer { connection.close() }
        _ = try connection.run(
            names.map { name in
                PostgresCommand(sql: "UPDATE hub SET is_whole = true WHERE name = $1") {
                    $0.append(name)
                }
            }
        )
    }
}
