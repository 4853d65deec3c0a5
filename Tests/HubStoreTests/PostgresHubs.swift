import HubPostgres
import HubTestSupport

/// Hubs of tests in one database of a real PostgreSQL.
enum PostgresHubs {
    private static let database = Result {
        var limits = PostgresLimits()
        limits.connecting = .seconds(60)
        limits.answering = .seconds(60)
        let address = try PostgresAddress(try TemporaryPostgres.shared.get().newDatabase())
        return try PostgresDatabase(opening: address, limits: limits)
    }

    /// A name that no other hub has.
    static func name() -> String { "h" + String(UInt64.random(in: .min ... .max), radix: 36) }

    /// Takes the lead of a hub.
    static func lead(_ name: String) throws -> PostgresGroupLog {
        var limits = PostgresLogLimits()
        limits.resolving = .seconds(120)
        limits.waiting = .seconds(60)
        // Small, so that every page and every step has a next one.
        limits.rowsPerStep = 2
        limits.rowsPerPage = 5
        limits.journalBytesMin = 1_000
        limits.mergedCursorsPerStep = 10
        limits.journalBytesKept = 2_000
        limits.journalBytesPerPage = 700
        return try PostgresGroupLog(leading: name, in: try database.get(), limits: limits)
    }
}
