// The keys of hubs, which nodes seal before they come here.
extension PostgresDatabase {
    /// The bytes that a leader has kept; nil before one has.
    package func sealedKeys() throws(PostgresError) -> [UInt8]? {
        let connection = try connect(preparing: [])
        defer { connection.close() }
        let rows = try connection.run(PostgresCommand(sql: "SELECT keys FROM cluster"))
        return try rows.isNull(0, 0) ? nil : try rows.bytes(0, 0)
    }

    /// Keeps sealed keys under a term of the lead.
    ///
    /// - Returns: false when that term is over; nothing was changed then.
    package func keepKeys(_ bytes: [UInt8], term: UInt64) throws(PostgresError) -> Bool {
        let connection = try connect(preparing: [])
        defer { connection.close() }
        do throws(PostgresError) {
            _ = try connection.run([
                LeadStatements.require(term),
                PostgresCommand(sql: "UPDATE cluster SET keys = $1") { $0.append(bytes) },
            ])
        } catch {
            guard error.refusal == .fence else { throw error }
            return false
        }
        return true
    }
}
