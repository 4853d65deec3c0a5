import Foundation
import GRDB
import HubModel
import HubVocabulary

// Readings of one slice, sealed or not.
extension FileReader {
    /// Records in `(after, through]`, ascending, at most `limit`, until about `bytesMax` bytes of
    /// bodies; at least one when there is one.
    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> SlicePage<NotificationRecord> {
        try reading { database in
            var found = SlicePage<NotificationRecord>()
            let table = LogEntry.table
            let rows = try Row.fetchCursor(
                table.statement("WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", in: database),
                arguments: [
                    Int64(clamping: after), Int64(clamping: through), Int64(clamping: limit),
                ]
            )
            while let row = try rows.next() {
                let entry = try table.read(row, path: path)
                guard found.admits(entry.body, bytesMax: bytesMax) else { break }
                found.values.append(try entry.record(path: path))
            }
            return found
        }
    }

    /// Decodes the records at these places that this file holds, until about `bytesMax` bytes of
    /// bodies.
    ///
    /// Returns at least the first of them, whatever its size.
    func entries<Value>(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int,
        decode: (LogEntry) throws -> Value
    ) throws(StoreError) -> SlicePage<Value> {
        try reading { database in
            let table = LogEntry.table
            let statement = try table.statement("WHERE seq = ?", in: database)
            var found = SlicePage<Value>()
            for sequence in sequences {
                let row = try Row.fetchOne(statement, arguments: [Int64(bitPattern: sequence)])
                guard let row else { continue }
                let entry = try table.read(row, path: path)
                guard found.admits(entry.body, bytesMax: bytesMax) else { break }
                found.values.append(try decode(entry))
            }
            return found
        }
    }

    /// The check value of a record, whatever has become of its body; nil when it is not here.
    ///
    /// A wrong one costs a device a RESET, an error would keep it, or the hub, from starting.
    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        try reading { database in
            let found = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT check_value FROM entry WHERE seq = ?"),
                arguments: [Int64(bitPattern: sequence)]
            )
            return found.map { UInt32(truncatingIfNeeded: $0) }
        }
    }

    /// The place of the record that a scheduled notification became; nil when it is not here.
    func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        try reading { database in
            let found = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT seq FROM entry WHERE schedule = ?"),
                arguments: [Data(schedule.stored)]
            )
            return found.map(UInt64.init(bitPattern:))
        }
    }

    /// Those of some scheduled notifications that became records of this slice.
    func recorded(_ schedules: Set<ScheduleID>, count: Int) throws(StoreError) -> Set<ScheduleID> {
        try reading { database in
            var found: Set<ScheduleID> = []
            if count <= schedules.count {
                let rows = try Row.fetchCursor(
                    database,
                    sql: "SELECT schedule FROM entry WHERE schedule IS NOT NULL"
                )
                while let row = try rows.next() {
                    if let id = ScheduleID(stored: try row.bytes(at: 0)), schedules.contains(id) {
                        found.insert(id)
                    }
                }
                return found
            }
            let statement = try database.cachedStatement(
                sql: "SELECT 1 FROM entry WHERE schedule = ?"
            )
            for id in schedules {
                if try Row.fetchOne(statement, arguments: [Data(id.stored)]) != nil {
                    found.insert(id)
                }
            }
            return found
        }
    }

    /// Adds to `found` the lowest places in `(after, through]` of each anchor, at most `limit` of
    /// each; only of a sealed slice.
    func collect(
        _ anchors: some Sequence<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int,
        into found: inout [UInt64]
    ) throws(StoreError) {
        found += try reading { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT seq FROM anchor WHERE anchor = ? AND seq > ? AND seq <= ?
                    ORDER BY seq LIMIT ?
                    """
            )
            var added: [UInt64] = []
            for anchor in anchors {
                let places = try Int64.fetchCursor(
                    statement,
                    arguments: [
                        Int64(bitPattern: anchor.raw), Int64(clamping: after),
                        Int64(clamping: through), Int64(clamping: limit),
                    ]
                )
                while let place = try places.next() { added.append(UInt64(bitPattern: place)) }
            }
            return added
        }
    }

    /// The lists of a slice that begins at `first` and ends at `head`, made from its groups.
    /// - Throws: `.corrupted` when a group is damaged or missing: they leave no hole.
    func lists(from first: UInt64, through head: UInt64) throws(StoreError) -> AnchorLists {
        var lists = AnchorLists()
        var next = first
        try forEachBatch { batch in
            guard batch.first == next else {
                throw StoreError.corrupted("a group at \(next) is missing")
            }
            for (offset, entry) in batch.headers.entries.enumerated() {
                lists.append(next + UInt64(offset), anchors: entry.anchors)
            }
            next += UInt64(batch.headers.entries.count)
        }
        guard next == max(head + 1, first) else {
            throw .corrupted("groups end before \(next), not at \(head)")
        }
        return lists
    }

    /// Calls `body` with every group, ascending.
    func forEachBatch(_ body: (Batch) throws -> Void) throws(StoreError) {
        try reading { database in
            try Batch.table.forEach("ORDER BY first", in: database, path: path, body)
        }
    }
}
