import Foundation
import GRDB
import HubModel
import HubVocabulary

// From the first schema, in which the log was one file, records named no anchors, registrations had
// no times of their own and tombstones no place, there were no settings, jobs or cancelled
// schedules, and fewer counters. Each file is brought up to date in one transaction.

extension SliceFile {
    /// The whole log becomes its first slice.
    static func migrateFirst(_ database: Database, path: String) throws {
        try database.execute(sql: indexTables)
        let first = try Int64.fetchOne(database, sql: "SELECT first FROM meta") ?? 1
        let epochs = try EpochRow.all(database, path: path)
        let below = UInt64(bitPattern: first) - 1
        let check = epochs.first { $0.place.sequence == below + 1 }?.checkBelow ?? 0
        try SliceRow(number: 1, first: below + 1, checkBelow: check, logFirst: below + 1)
            .store(in: database)
        var after: Int64 = 0
        while let last = try migrateRecords(database, after: after, path: path) { after = last }
        try database.execute(sql: "DROP TABLE meta")
    }

    /// Records that are read at once; a group in the new log.
    private static let recordsAtOnce = 128

    /// Writes some records as they are written now; the last of them, nil when none were left.
    private static func migrateRecords(
        _ database: Database,
        after: Int64,
        path: String
    ) throws -> Int64? {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT seq, check_value, body, schedule, checksum FROM entry
                WHERE seq > ? ORDER BY seq LIMIT \(recordsAtOnce)
                """,
            arguments: [after]
        )
        var group: [NotificationRecord] = []
        var bytes = 0
        for row in rows {
            let entry = try Entry(row, path: path)
            let record = try oldRecord(entry.body, sequence: entry.sequence, path: path)
            // A group has no hole in it: an epoch began there.
            if let last = group.last?.sequence, last + 1 != record.sequence {
                try insertBatch(group, bytes: bytes, in: database)
                (group, bytes) = ([], 0)
            }
            let body = NotificationCodec.encode(record)
            let check = UInt64(entry.check)
            try database.execute(
                sql: "UPDATE entry SET body = ?, checksum = ? WHERE seq = ?",
                arguments: [
                    Data(body), Checksum.of(entry.sequence, check, bytes: body, entry.schedule),
                    Int64(bitPattern: entry.sequence),
                ]
            )
            group.append(record)
            bytes += body.count
        }
        try insertBatch(group, bytes: bytes, in: database)
        return rows.last?[0]
    }

    private static func oldRecord(
        _ body: [UInt8],
        sequence: UInt64,
        path: String
    ) throws -> NotificationRecord {
        do throws(RecordProblem) {
            return try NotificationCodec.decodeWithoutAnchors(body.span, sequence: sequence)
        } catch {
            throw StoreError.corrupted("\(path): record \(sequence)")
        }
    }
}

extension RegistrationFile {
    /// Rows that are read at once.
    private static let rowsAtOnce = 1_000
    /// Two times that nobody noted, behind everything else.
    private static let unknownTimes = [UInt8](repeating: 0, count: 16)

    /// Tombstones get the place of the last change, which is not before any of theirs; when a
    /// registration was made and changed is not known.
    static func migrateFirst(_ database: Database, path: String) throws {
        try database.execute(
            sql: """
                DROP INDEX IF EXISTS registration_regid;
                DROP INDEX IF EXISTS registration_handle;
                DROP INDEX registration_deleted;
                DROP INDEX registration_left;
                """
        )
        let head = try Int64.fetchOne(database, sql: "SELECT head FROM meta") ?? 0
        var after: Int64 = 0
        while let last = try migrateRows(database, after: after, gone: head + 1, path: path) {
            after = last
        }
        try database.execute(sql: tombstoneIndexes + settingsTable + jobTables + cancelledTable)
        try migrateSchedules(database, path: path)
    }

    /// Writes some registrations as they are written now; the last of them, nil when none were left.
    private static func migrateRows(
        _ database: Database,
        after: Int64,
        gone place: Int64,
        path: String
    ) throws -> Int64? {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT rid, regid, body, checksum, deleted FROM registration
                WHERE rid > ? ORDER BY rid LIMIT \(rowsAtOnce)
                """,
            arguments: [after]
        )
        for row in rows {
            let (number, isGone): (Int64, Int64) = (row[0], row[4])
            let (id, old) = (try row.bytes(at: 1), try row.bytes(at: 2))
            let integers = (UInt64(bitPattern: number), UInt64(bitPattern: isGone))
            guard row[3] == Checksum.of(integers.0, integers.1, bytes: id, old) else {
                throw StoreError.corrupted("\(path): registration \(number)")
            }
            let body = old + unknownTimes
            let deleted = isGone == 0 ? 0 : place
            let checksum = Checksum.of(
                integers.0,
                UInt64(bitPattern: deleted),
                bytes: id,
                body
            )
            try database.execute(
                sql: "UPDATE registration SET deleted = ?, body = ?, checksum = ? WHERE rid = ?",
                arguments: [deleted, Data(body), checksum, number]
            )
        }
        return rows.last?[0]
    }

    private static func migrateSchedules(_ database: Database, path: String) throws {
        for row in try Row.fetchAll(database, sql: "SELECT id, due, body, checksum FROM schedule") {
            let (id, body) = (try row.bytes(at: 0), try row.bytes(at: 2))
            let due = UInt64(bitPattern: row[1])
            let damage = StoreError.corrupted("\(path): scheduled notification")
            guard row[3] == Checksum.of(due, bytes: id, body) else { throw damage }
            let schedule: ScheduledNotification
            do throws(RecordProblem) {
                schedule = try ScheduleCodec.decodeWithoutAnchors(body.span)
            } catch { throw damage }
            let written = ScheduleCodec.encode(schedule)
            try database.execute(
                sql: "UPDATE schedule SET body = ?, checksum = ? WHERE id = ?",
                arguments: [Data(written), Checksum.of(due, bytes: id, written), Data(id)]
            )
        }
    }
}

extension StateFile {
    /// Counters of the first schema: 16 of 8 bytes.
    private static let firstCountsBytes = 128

    /// Kinds that there were not have counted nothing.
    static func migrateFirst(_ database: Database, path: String) throws {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT seq, platform, counts, checksum FROM counter"
        )
        for row in rows {
            let (sequence, platform): (Int64, Int64) = (row[0], row[1])
            var counts = try row.bytes(at: 2)
            let integers = (UInt64(bitPattern: sequence), UInt64(bitPattern: platform))
            guard counts.count == firstCountsBytes,
                row[3] == Checksum.of(integers.0, integers.1, bytes: counts)
            else { throw StoreError.corrupted("\(path): counter \(sequence)") }
            counts += [UInt8](repeating: 0, count: countsBytes - firstCountsBytes)
            try database.execute(
                sql: "UPDATE counter SET counts = ?, checksum = ? WHERE seq = ? AND platform = ?",
                arguments: [
                    Data(counts), Checksum.of(integers.0, integers.1, bytes: counts), sequence,
                    platform,
                ]
            )
        }
    }
}
