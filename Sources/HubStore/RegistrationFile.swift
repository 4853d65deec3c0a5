import Foundation
import GRDB
import HubModel
import HubVocabulary

/// Registrations, tombstones, installations and revoked keys, and how far the log was when they last
/// changed.
///
///     registration(rid, regid, handle, device, slot, deleted, body, checksum)
///     installation(id, body, checksum)
///     device(id, generation, checksum)
///     settings(one, body, checksum)   what operators decided
///     job(id, body, checksum): bulk jobs
///     schedule, schedule_cancelled, schedule_key: see RegistrationFile+Schedules.swift
///     departure(number, time, body, checksum)   registrations that ended by themselves
///     meta(epoch, head, check_value, rid_max)
///
/// Live rows are read by number alone: what finds them by id and by handle is in memory, so there is
/// no index of these to be written, and each id is there once because the directory sees to it.
/// `deleted` is 0 in a live row, in a tombstone the place in the log from which the registration was
/// gone. A tombstone explains old deliveries and keeps its external id and slot from being given
/// again, until the log begins above its place. Its id may belong to a live row too, after a change
/// of handle.
struct RegistrationFile {
    /// The file's name.
    static let name = "registrations.sqlite"

    /// What the file knows of the log.
    ///
    /// Source: rules B.2.
    struct LogMark: Hashable {
        var epoch: UInt64
        var head: UInt64
        var check: UInt32
    }

    let file: SQLiteFile

    /// Opens or makes the file.
    init(path: String) throws(StoreError) {
        file = try SQLiteFile(path: path, pageBytes: 4_096, readers: 1) { database in
            try database.execute(
                sql: """
                    CREATE TABLE registration(
                        rid INTEGER PRIMARY KEY, regid BLOB NOT NULL, handle BLOB NOT NULL,
                        device BLOB, slot INTEGER, deleted INTEGER NOT NULL, body BLOB NOT NULL,
                        checksum INTEGER NOT NULL
                    ) STRICT;
                    \(Self.tombstoneIndexes)
                    CREATE TABLE installation(
                        id BLOB PRIMARY KEY, body BLOB NOT NULL, checksum INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE device(
                        id BLOB PRIMARY KEY, generation INTEGER NOT NULL,
                        checksum INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    \(Self.scheduleTables)
                    \(Self.settingsTable)
                    \(Self.jobTables)
                    \(Self.departureTable)
                    CREATE TABLE meta(
                        one INTEGER PRIMARY KEY CHECK (one = 1), epoch INTEGER NOT NULL,
                        head INTEGER NOT NULL, check_value INTEGER NOT NULL,
                        rid_max INTEGER NOT NULL
                    ) STRICT;
                    """
            )
        }
    }

    static let tombstoneIndexes = """
        CREATE INDEX registration_deleted ON registration(regid) WHERE deleted > 0;
        CREATE INDEX registration_left ON registration(device) WHERE deleted > 0;
        CREATE INDEX registration_gone ON registration(deleted) WHERE deleted > 0;
        """

    /// What the file knows of the log, and the highest registration number ever given; nil for a
    /// new file.
    func mark() throws(StoreError) -> (log: LogMark, numberMax: UInt32)? {
        try file.accessing { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT epoch, head, check_value, rid_max FROM meta"
            )
            guard let row else { return nil }
            let mark = LogMark(
                epoch: UInt64(bitPattern: row[0]),
                head: UInt64(bitPattern: row[1]),
                check: UInt32(truncatingIfNeeded: row[2] as Int64)
            )
            guard mark.epoch != 0 else { throw StoreError.corrupted("\(file.path): meta") }
            return (mark, UInt32(truncatingIfNeeded: row[3] as Int64))
        }
    }

    /// Notes how far the log is, without changes.
    func setMark(_ mark: LogMark, numberMax: UInt32) throws(StoreError) {
        try file.writing { database in try Self.write(mark, numberMax, to: database) }
    }

    /// Makes changes durable as one transaction.
    func apply(
        _ changes: [StoredChange],
        mark: LogMark,
        numberMax: UInt32
    ) throws(StoreError) {
        try file.writing { database in
            let upsert = try database.cachedStatement(
                sql: """
                    INSERT INTO registration(
                        rid, regid, handle, device, slot, deleted, body, checksum
                    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT(rid) DO UPDATE SET
                        regid = excluded.regid, handle = excluded.handle,
                        device = excluded.device, slot = excluded.slot,
                        deleted = excluded.deleted, body = excluded.body,
                        checksum = excluded.checksum
                    """
            )
            for change in changes {
                switch change {
                case .put(let registration):
                    try upsert.execute(arguments: Self.row(registration, deleted: 0))
                case .remove(let registration):
                    let place = Int64(clamping: mark.head + 1)
                    try upsert.execute(arguments: Self.row(registration, deleted: place))
                case .putInstallation(let installation):
                    try Self.write(installation, to: database)
                case .removeInstallation(let installation):
                    try Self.delete(installation, from: database)
                case .putSchedule(let schedule): try Self.put(schedule, in: database)
                case .removeSchedule(let id): try Self.removeSchedule(id, in: database)
                case .putSettings(let settings): try Self.write(settings, to: database)
                case .cancelSchedule(let schedule): try Self.cancel(schedule, in: database)
                case .forgetSchedule(let id): try Self.forgetSchedule(id, in: database)
                case .revoke(let device, let generation):
                    try Self.revoke(device, generation: generation, in: database)
                case .putJob(let job): try Self.put(job, in: database)
                case .removeJob(let id): try Self.removeJob(id, in: database)
                case .putDeparture(let row): try Self.put(row, in: database)
                }
            }
            try Self.write(mark, numberMax, to: database)
        }
    }

    private static func row(_ registration: Registration, deleted: Int64) -> StatementArguments {
        let body = RegistrationCodec.encode(registration)
        let target = registration.target
        let number = UInt64(registration.number.raw)
        return [
            Int64(registration.number.raw), Data(registration.id),
            Data(registration.content.handle),
            target.map { Data([UInt8](high: $0.device.high, low: $0.device.low)) },
            target.map { Int64($0.slot) }, deleted, Data(body),
            Checksum.of(number, UInt64(deleted), bytes: registration.id, body),
        ]
    }

    private static func write(
        _ mark: LogMark,
        _ numberMax: UInt32,
        to database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO meta(one, epoch, head, check_value, rid_max)
                VALUES (1, ?, ?, ?, ?)
                """
        )
        try statement.execute(
            arguments: [
                Int64(bitPattern: mark.epoch), Int64(bitPattern: mark.head), Int64(mark.check),
                Int64(numberMax),
            ]
        )
    }

    /// Removes tombstones of what was gone before a place, `limit` at most; whether there may be
    /// more.
    func forgetDeleted(below place: UInt64, limit: Int) throws(StoreError) -> Bool {
        let count = try file.accessing { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT count(*) FROM (
                            SELECT 1 FROM registration WHERE deleted > 0 AND deleted < ? LIMIT ?
                        )
                        """
                ),
                arguments: [Int64(clamping: place), limit]
            ) ?? 0
        }
        guard count > 0 else { return false }
        try file.writing { database in
            try database.execute(
                sql: """
                    DELETE FROM registration WHERE rid IN (
                        SELECT rid FROM registration WHERE deleted > 0 AND deleted < ?
                        ORDER BY deleted LIMIT ?
                    )
                    """,
                arguments: [Int64(clamping: place), limit]
            )
        }
        return count == limit
    }

    // MARK: Keys

    /// Calls `body` with the key generation of every device that has one above 0.
    func forEachRevocation(_ body: (DeviceID, UInt32) -> Void) throws(StoreError) {
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT id, generation, checksum FROM device ORDER BY id"
            )
            while let row = try rows.next() {
                let id = try row.bytes(at: 0)
                let generation: Int64 = row[1]
                let checksum: Int64 = row[2]
                guard id.count == 16, let known = UInt32(exactly: generation),
                    checksum == Checksum.of(UInt64(known), bytes: id)
                else { throw StoreError.corrupted("\(file.path): device keys") }
                body(DeviceID(high: id.integer(at: 0), low: id.integer(at: 8)), known)
            }
        }
    }

    private static func revoke(
        _ device: DeviceID,
        generation: UInt32,
        in database: Database
    ) throws {
        let id = [UInt8](high: device.high, low: device.low)
        try database.execute(
            sql: "INSERT OR REPLACE INTO device(id, generation, checksum) VALUES (?, ?, ?)",
            arguments: [Data(id), Int64(generation), Checksum.of(UInt64(generation), bytes: id)]
        )
    }
}
