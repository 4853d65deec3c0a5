import Foundation
import GRDB
import HubModel
import HubVocabulary

// What is read of live and deleted registrations.
extension RegistrationFile {
    private static let columns = "rid, regid, body, checksum, deleted"

    /// Calls `body` with the bytes of every live registration, ascending by number.
    ///
    /// - Throws: `.corrupted` also for what `body` throws.
    func forEach(_ body: (Span<UInt8>) throws(RecordProblem) -> Void) throws(StoreError) {
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT \(Self.columns) FROM registration WHERE deleted = 0 ORDER BY rid"
            )
            while let row = try rows.next() { try reading(row, body) }
        }
    }

    /// The live registrations with these numbers, in this order; without those that there are not.
    func registrations(
        _ numbers: [RegistrationNumber]
    ) throws(StoreError) -> [Registration] {
        try file.accessing { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(Self.columns) FROM registration WHERE rid = ? AND deleted = 0"
            )
            var found: [Registration] = []
            for number in numbers {
                let rows = try Row.fetchCursor(statement, arguments: [Int64(number.raw)])
                if let row = try rows.next() { found.append(try registration(row)) }
            }
            return found
        }
    }

    /// Tombstones of an external id, the newest first.
    func deleted(id: [UInt8]) throws(StoreError) -> [Registration] {
        try deleted(where: "regid = ?", Data(id))
    }

    /// Tombstones that led to a device, the newest first.
    func deleted(of device: DeviceID) throws(StoreError) -> [Registration] {
        try deleted(where: "device = ?", Data([UInt8](high: device.high, low: device.low)))
    }

    /// Tombstones of what was still there at a place in the log, the oldest first.
    func deleted(since sequence: UInt64, limit: Int) throws(StoreError) -> [Registration] {
        try file.accessing { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(Self.columns) FROM registration
                    WHERE deleted > 0 AND deleted > ? ORDER BY deleted, rid LIMIT ?
                    """
            )
            let rows = try Row.fetchAll(
                statement,
                arguments: [Int64(clamping: sequence), limit]
            )
            return try rows.map { try registration($0) }
        }
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
            let id = Data([UInt8](high: device.high, low: device.low))
            guard let row = try Row.fetchOne(statement, arguments: [id, Int64(first)]) else {
                return nil
            }
            let number = UInt32(truncatingIfNeeded: row[0] as Int64)
            return (RegistrationNumber(number), UInt16(truncatingIfNeeded: row[1] as Int64))
        }
    }

    private func deleted(
        where condition: String,
        _ value: Data
    ) throws(StoreError) -> [Registration] {
        try file.accessing { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(Self.columns) FROM registration
                    WHERE deleted > 0 AND \(condition) ORDER BY rid DESC LIMIT 64
                    """,
                arguments: [value]
            )
            return try rows.map { try registration($0) }
        }
    }

    private func registration(_ row: Row) throws -> Registration {
        try reading(row) { bytes throws(RecordProblem) in try RegistrationCodec.decode(bytes) }
    }

    /// What `body` makes of a row's bytes, which are lent to it, when the checksum fits.
    private func reading<Value>(
        _ row: Row,
        _ body: (Span<UInt8>) throws(RecordProblem) -> Value
    ) throws -> Value {
        let number: Int64 = row[0]
        var checksum = Checksum()
        checksum.append(UInt64(bitPattern: number))
        checksum.append(UInt64(bitPattern: row[4]))
        return try row.withUnsafeData(atIndex: 1) { id in
            checksum.append((id ?? Data()).span)
            return try row.withUnsafeData(atIndex: 2) { data in
                let data = data ?? Data()
                checksum.append(data.span)
                do {
                    guard row[3] == Int64(checksum.value) else {
                        throw RecordProblem.badField("checksum")
                    }
                    return try body(data.span)
                } catch {
                    throw StoreError.corrupted("\(file.path): registration \(number)")
                }
            }
        }
    }
}
