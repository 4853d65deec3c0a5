import GRDB
import HubModel
import HubVocabulary

// The journal of departures: one row each, written at the end, removed from the beginning.
// Numbers have no holes; times ascend with them.
extension RegistrationFile {
    static let departureTable = StoredTable<DepartureRow>(
        "departure",
        of: "departure",
        [.integer("number", "PRIMARY KEY"), .integer("time"), .bytes("body")],
        isDense: true,
        encode: { departure in
            [
                .integer(departure.number), .integer(departure.time.milliseconds),
                .bytes(DepartureCodec.encode(departure)),
            ]
        },
        decode: { row in
            try row.reading(2) { body in
                try DepartureCodec.decode(
                    body,
                    number: UInt64(bitPattern: row[0]),
                    time: Timestamp(milliseconds: UInt64(bitPattern: row[1]))
                )
            }
        },
        audit: { row, departure in DepartureCodec.encode(departure) == (try row.bytes(at: 2)) }
    )

    /// The numbers of the rows that are kept.
    func departureNumbers() throws(StoreError) -> ClosedRange<UInt64>? {
        try file.accessing { database in
            // Two questions: asked for both at once, the engine reads every row.
            let first = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT min(number) FROM departure")
            )
            let last = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT max(number) FROM departure")
            )
            guard let first, let last, first <= last, first > 0 else { return nil }
            return UInt64(first)...UInt64(last)
        }
    }

    /// Rows from a number on, ascending.
    func departures(from number: UInt64, limit: Int) throws(StoreError) -> [DepartureRow] {
        try file.all(
            Self.departureTable,
            "WHERE number >= ? ORDER BY number LIMIT ?",
            [Int64(clamping: number), limit]
        )
    }

    /// Removes rows of a copy that an earlier journal has left: one that was emptied begins at 1 again.
    static func forgetDepartures(from number: UInt64, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM departure WHERE number >= ?",
            arguments: [Int64(clamping: number)]
        )
    }

    /// Removes rows before a time, in milliseconds, and the oldest of more than `keeping`, `limit`
    /// at most; whether there may be more.
    func forgetDepartures(
        before time: UInt64,
        keeping count: UInt64,
        limit: Int
    ) throws(StoreError) -> Bool {
        guard let numbers = try departureNumbers() else { return false }
        let surplus = numbers.upperBound - min(numbers.upperBound, count)
        let (last, found) = try file.accessing { database in
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: "SELECT number, time FROM departure ORDER BY number LIMIT ?"
                ),
                arguments: [limit]
            )
            var (last, found): (Int64, Int) = (0, 0)
            while let row = try rows.next() {
                let (number, left): (Int64, Int64) = (row[0], row[1])
                guard UInt64(bitPattern: number) <= surplus || UInt64(bitPattern: left) < time
                else { break }
                (last, found) = (number, found + 1)
            }
            return (last, found)
        }
        guard found > 0 else { return false }
        try file.writing { database in
            try database.execute(
                sql: "DELETE FROM departure WHERE number <= ?",
                arguments: [last]
            )
        }
        return found == limit
    }
}
