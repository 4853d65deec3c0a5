import Foundation
import GRDB
import HubModel
import HubVocabulary

// Live and deleted registrations.
extension RegistrationFile {
    /// Rows for each wanted one that a pass may go over.
    private static let distanceMax = 4
    /// Rows of a pass over all that are read before it asks again whether it goes on.
    private static let rowsBetweenChecks = 4_095

    /// Calls `body` with the bytes of every live registration, ascending by number.
    ///
    /// - Throws: `.corrupted` also for what `body` throws; the error of `ending` once it has come.
    func forEach(
        until ending: StoreEnding,
        _ body: (Span<UInt8>) throws(RecordProblem) -> Void
    ) throws(StoreError) {
        let table = RegistrationRow.table
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                table.statement("WHERE deleted = 0 ORDER BY rid", in: database)
            )
            var left = 0
            while let row = try rows.next() {
                if left == 0 { try ending.check() }
                left = left == 0 ? Self.rowsBetweenChecks : left - 1
                do {
                    guard try table.isSound(row) else { throw RecordProblem.badField("checksum") }
                    try row.reading(RegistrationRow.bodyColumn, body)
                } catch {
                    throw table.damage(row, path: file.path)
                }
            }
        }
    }

    /// The live registrations with these numbers, in this order; without those that there are not.
    func registrations(
        _ numbers: [RegistrationNumber]
    ) throws(StoreError) -> [Registration] {
        try file.accessing { database in
            var found: [Registration] = []
            found.reserveCapacity(numbers.count)
            // One transaction locks the file once, and not for each of them.
            try database.inSavepoint {
                if areClose(numbers) {
                    try read(close: numbers, in: database) { found.append($0) }
                } else {
                    try read(numbers, in: database) { found.append($0) }
                }
                return .commit
            }
            return found
        }
    }

    /// Whether numbers ascend with so few others between them that one pass over all takes less time
    /// than a search for each.
    private func areClose(_ numbers: [RegistrationNumber]) -> Bool {
        guard let first = numbers.first, let last = numbers.last, numbers.count > 1,
            zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 })
        else { return false }
        return Int(last.raw - first.raw) < numbers.count * Self.distanceMax
    }

    /// Reads numbers in one pass.
    private func read(
        close numbers: [RegistrationNumber],
        in database: Database,
        _ body: (Registration) -> Void
    ) throws {
        guard let first = numbers.first, let last = numbers.last else { return }
        let table = RegistrationRow.table
        let rows = try Row.fetchCursor(
            table.statement("WHERE rid BETWEEN ? AND ? AND deleted = 0 ORDER BY rid", in: database),
            arguments: [Int64(first.raw), Int64(last.raw)]
        )
        var wanted = numbers[...]
        while let row = try rows.next() {
            let number = RegistrationNumber(UInt32(truncatingIfNeeded: row[0] as Int64))
            wanted = wanted.drop { $0 < number }
            guard wanted.first == number else { continue }
            body(try table.read(row, path: file.path).registration)
        }
    }

    /// Reads numbers one by one.
    private func read(
        _ numbers: [RegistrationNumber],
        in database: Database,
        _ body: (Registration) -> Void
    ) throws {
        let table = RegistrationRow.table
        let statement = try table.statement("WHERE rid = ? AND deleted = 0", in: database)
        for number in numbers {
            // A row that is not behind a cursor would be copied before it is read.
            let rows = try Row.fetchCursor(statement, arguments: [Int64(number.raw)])
            guard let row = try rows.next() else { continue }
            body(try table.read(row, path: file.path).registration)
        }
    }

    /// Tombstones of an external id, the newest first.
    func deleted(id: [UInt8]) throws(StoreError) -> [Registration] {
        try tombstones("AND regid = ? ORDER BY rid DESC LIMIT 64", [Data(id)])
    }

    /// Tombstones that led to a device, the newest first.
    func deleted(of device: DeviceID) throws(StoreError) -> [Registration] {
        try tombstones("AND device = ? ORDER BY rid DESC LIMIT 64", [Data(device.stored)])
    }

    /// Tombstones of what was still there at a place in the log, the oldest first.
    func deleted(since sequence: UInt64, limit: Int) throws(StoreError) -> [Registration] {
        try tombstones(
            "AND deleted > ? ORDER BY deleted, rid LIMIT ?",
            [Int64(clamping: sequence), limit]
        )
    }

    private func tombstones(
        _ rest: String,
        _ arguments: StatementArguments
    ) throws(StoreError) -> [Registration] {
        try file.all(RegistrationRow.table, "WHERE deleted > 0 " + rest, arguments)
            .map(\.registration)
    }

    /// Whether there is a tombstone of an external id.
    func wasDeleted(_ id: [UInt8]) throws(StoreError) -> Bool {
        try file.accessing { database in
            let statement = try database.cachedStatement(
                sql: "SELECT 1 FROM registration WHERE deleted > 0 AND regid = ? LIMIT 1"
            )
            return try Int.fetchOne(statement, arguments: [Data(id)]) != nil
        }
    }

    /// Number and slot of a device's newest tombstone in a slot from `first` on.
    func lastDeletedSlot(
        of device: DeviceID,
        from first: UInt16
    ) throws(StoreError) -> (number: RegistrationNumber, slot: UInt16)? {
        try file.accessing { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT rid, slot FROM registration
                    WHERE deleted > 0 AND device = ? AND slot >= ? ORDER BY rid DESC LIMIT 1
                    """
            )
            guard
                let row = try Row.fetchOne(
                    statement,
                    arguments: [Data(device.stored), Int64(first)]
                )
            else { return nil }
            let number = UInt32(truncatingIfNeeded: row[0] as Int64)
            return (RegistrationNumber(number), UInt16(truncatingIfNeeded: row[1] as Int64))
        }
    }

    /// Removes tombstones of what was gone before a place, `limit` at most.
    ///
    /// - Returns: whether there may be more.
    func forgetDeleted(below place: UInt64, limit: Int) throws(StoreError) -> Bool {
        try file.removeSome(
            of: RegistrationRow.table,
            where: "deleted > 0 AND deleted < ?",
            Int64(clamping: place),
            orderedBy: "deleted",
            limit: limit
        )
    }
}
