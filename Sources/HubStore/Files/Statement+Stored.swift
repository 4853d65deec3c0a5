import GRDB
import GRDBSQLite

extension Statement {
    /// Runs a statement that has no rows, with a value for each of its parameters.
    ///
    /// GRDB's own way makes several objects of each value, and costs more than the statement does.
    func run(_ values: [StoredValue] = []) throws {
        // The statement lives as long as this object does.
        let statement = unsafe sqliteStatement
        for (place, value) in values.enumerated() {
            let number = Int32(place + 1)
            let code =
                switch value {
                case .integer(let integer):
                    unsafe sqlite3_bind_int64(statement, number, Int64(bitPattern: integer))
                // Without an address it would be NULL.
                case .bytes(let bytes) where bytes.isEmpty:
                    unsafe sqlite3_bind_zeroblob(statement, number, 0)
                case .bytes(let bytes):
                    // Copied within the call: that is what the destructor -1 says.
                    unsafe bytes.withUnsafeBytes { bytes in
                        unsafe sqlite3_bind_blob64(
                            statement,
                            number,
                            bytes.baseAddress,
                            UInt64(bytes.count),
                            unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                        )
                    }
                case .null: unsafe sqlite3_bind_null(statement, number)
                }
            try check(code, is: SQLITE_OK)
        }
        let code = unsafe sqlite3_step(statement)
        // Says once more what the step has said.
        defer { unsafe sqlite3_reset(statement) }
        try check(code, is: SQLITE_DONE)
    }

    private func check(_ code: Int32, is expected: Int32) throws {
        guard code != expected else { return }
        // The text is copied before the next call to the connection.
        let text = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(sqliteStatement)))
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: text)
    }
}
