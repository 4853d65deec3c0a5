import Foundation
import GRDB
import HubModel
import HubVocabulary

// The journal of departures: one row each, written at the end, removed from the beginning.
//
//     departure(number, time, body, checksum)   numbers without holes; times ascend with them
extension RegistrationFile {
    static let departureTable = """
        CREATE TABLE departure(
            number INTEGER PRIMARY KEY, time INTEGER NOT NULL, body BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        """

    /// Adds a row.
    static func put(_ departure: DepartureRow, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO departure(number, time, body, checksum) VALUES (?, ?, ?, ?)"
        )
        let (number, time) = (departure.number, departure.time.milliseconds)
        let body = DepartureCodec.encode(departure)
        try statement.execute(
            arguments: [
                Int64(bitPattern: number), Int64(bitPattern: time), Data(body),
                Checksum.of(number, time, bytes: body),
            ]
        )
    }

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
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT number, time, body, checksum FROM departure
                        WHERE number >= ? ORDER BY number LIMIT ?
                        """
                ),
                arguments: [Int64(clamping: number), limit]
            )
            var found: [DepartureRow] = []
            while let row = try rows.next() { found.append(try departure(row)) }
            return found
        }
    }

    private func departure(_ row: Row) throws -> DepartureRow {
        let (number, time) = (UInt64(bitPattern: row[0]), UInt64(bitPattern: row[1]))
        let body = try row.bytes(at: 2)
        let place = StoreError.corrupted("\(file.path): departure \(number)")
        guard row[3] == Checksum.of(number, time, bytes: body) else { throw place }
        do throws(RecordProblem) {
            return try DepartureCodec.decode(
                body.span,
                number: number,
                time: Timestamp(milliseconds: time)
            )
        } catch { throw place }
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
