import GRDB
import HubModel

extension SQLiteFile {
    /// Calls `body` with the rows of a table that a condition selects, in its order.
    func forEach<Element>(
        _ table: StoredTable<Element>,
        _ rest: String,
        _ arguments: StatementArguments = [],
        _ body: (Element) throws -> Void
    ) throws(StoreError) {
        try accessing { database in
            try table.forEach(rest, arguments, in: database, path: path, body)
        }
    }

    /// The rows of a table that a condition selects, in its order.
    func all<Element>(
        _ table: StoredTable<Element>,
        _ rest: String,
        _ arguments: StatementArguments = []
    ) throws(StoreError) -> [Element] {
        var found: [Element] = []
        try forEach(table, rest, arguments) { found.append($0) }
        return found
    }

    /// The first row of a table that a condition selects; nil when there is none.
    func first<Element>(
        _ table: StoredTable<Element>,
        _ rest: String = "",
        _ arguments: StatementArguments = []
    ) throws(StoreError) -> Element? {
        try accessing { database in
            try table.first(rest, arguments, in: database, path: path)
        }
    }

    /// Removes rows that meet a condition on `value`, in an order, `limit` at most.
    ///
    /// - Returns: whether there may be more.
    func removeSome(
        of table: some AnyStoredTable,
        where condition: String,
        _ value: some DatabaseValueConvertible,
        orderedBy order: String,
        limit: Int
    ) throws(StoreError) -> Bool {
        let chosen =
            "SELECT \(table.keyColumn) FROM \(table.name) WHERE \(condition) ORDER BY \(order)"
        let count = try accessing { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM (\(chosen) LIMIT ?)"),
                arguments: [value, limit]
            ) ?? 0
        }
        // Where there is nothing to remove nothing is written.
        guard count > 0 else { return false }
        try writing { database in
            try database.execute(
                sql: "DELETE FROM \(table.name) WHERE \(table.keyColumn) IN (\(chosen) LIMIT ?)",
                arguments: [value, limit]
            )
        }
        return count == limit
    }
}
