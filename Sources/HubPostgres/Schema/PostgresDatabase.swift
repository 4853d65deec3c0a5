/// A database that holds hubs: its server is one that keeps what it commits, its tables are ours.
package struct PostgresDatabase: Sendable {
    /// Where it is.
    package let address: PostgresAddress
    /// The server's settings when it was opened.
    package let settings: PostgresSettings
    /// Which database it is, wherever it moves.
    package let id: String
    let limits: PostgresLimits
    let patience = DatabasePatience()

    /// Looks at the server, and makes the tables where there are none.
    ///
    /// Nodes that start together may all try; one makes them.
    /// - Throws: `.unfit` for a server that may lose commits, and for tables of another release.
    package init(
        opening address: PostgresAddress,
        limits: PostgresLimits = PostgresLimits()
    ) throws(PostgresError) {
        self.address = address
        self.limits = limits
        let connection = try PostgresConnection.trusted(address, limits: limits)
        settings = try connection.settings()
        var attempts = 3
        while try !Self.hasTables(connection) {
            attempts -= 1
            do throws(PostgresError) {
                try Self.makeTables(connection)
            } catch {
                // Another node was quicker: its tables are there when its transaction has ended.
                guard case .refused(let refusal) = error, refusal.cause == .alreadyThere,
                    attempts > 0
                else { throw error }
            }
        }
        id = try connection.run(PostgresCommand(sql: "SELECT id::text FROM belfry.cluster"))
            .text(0, 0)
    }

    /// Lets no thread wait any longer for a database that is away; its hubs are about to close.
    package func endWaiting() { patience.end() }

    /// Connects, and prepares statements; the hub's tables are found without their schema's name.
    func connect(
        preparing statements: [PostgresStatement],
        within limits: PostgresLimits? = nil
    ) throws(PostgresError) -> PostgresConnection {
        let connection = try PostgresConnection.trusted(address, limits: limits ?? self.limits)
        _ = try connection.run(
            PostgresCommand(sql: "SELECT set_config('search_path', $1::text, false)") {
                $0.append(PostgresSchema.name)
            }
        )
        try connection.prepare(statements)
        return connection
    }

    /// Makes the schema, unless an operator has made it for a role that may not, and its tables.
    private static func makeTables(_ connection: PostgresConnection) throws(PostgresError) {
        let schema = "SELECT to_regnamespace('\(PostgresSchema.name)') IS NULL"
        let isMissing = try connection.run(PostgresCommand(sql: schema)).integer(0, 0) == 1
        let first = isMissing ? ["CREATE SCHEMA \(PostgresSchema.name)"] : []
        let all = first + PostgresSchema.creation
        _ = try connection.run(all.map { PostgresCommand(sql: $0) })
    }

    /// Whether the tables are there; those of another release are refused.
    private static func hasTables(
        _ connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
        let table = "SELECT to_regclass('belfry.cluster') IS NOT NULL"
        guard try connection.run(PostgresCommand(sql: table)).integer(0, 0) == 1 else {
            return false
        }
        let version = PostgresCommand(sql: "SELECT schema FROM belfry.cluster")
        let found = Int(try connection.run(version).integer(0, 0))
        guard found == PostgresSchema.version else {
            throw .unfit(.schema(found: found, known: PostgresSchema.version))
        }
        try addStanding(connection)
        return true
    }

    /// Makes the table that databases of the first releases lack.
    private static func addStanding(_ connection: PostgresConnection) throws(PostgresError) {
        let known = "SELECT to_regclass('belfry.standing') IS NOT NULL"
        guard try connection.run(PostgresCommand(sql: known)).integer(0, 0) == 0 else { return }
        do throws(PostgresError) {
            _ = try connection.run(PostgresCommand(sql: PostgresSchema.standing))
        } catch {
            // Another node was quicker.
            guard case .refused(let refusal) = error, refusal.cause == .alreadyThere else {
                throw error
            }
        }
    }
}
