import HubData
import HubPostgres

extension ServerError {
    /// Does what a database may refuse, and says why it did in the words of a server.
    static func ofDatabase<Value>(
        _ body: () throws(PostgresError) -> Value
    ) throws(ServerError) -> Value {
        do throws(PostgresError) {
            return try body()
        } catch {
            throw .database(reason: error.description)
        }
    }
}
