import Foundation
import GRDB
import HubCluster
import HubModel
import HubVocabulary

/// Registrations, tombstones, installations, schedules, jobs, settings, revoked keys and departures,
/// and how far the log was when they last changed.
///
/// Live rows are read by number alone: what finds them by id and by handle is in memory, so there is
/// no index of these to be written, and each id is there once because the directory sees to it.
/// A tombstone explains old deliveries and keeps its external id and slot from being given
/// again, until the log begins above its place. Its id may belong to a live row too, after a change
/// of handle.
struct RegistrationFile {
    /// The file's name.
    static let name = "registrations.sqlite"

    /// The log's epoch, head and check, as this file remembers them.
    ///
    /// Source: rules B.2.
    struct LogMark: Hashable {
        var epoch: UInt64
        var head: UInt64
        var check: UInt32
    }

    let file: SQLiteFile

    /// Opens or makes the file.
    init(path: String, keeping: Durability) throws(StoreError) {
        file = try SQLiteFile(path: path, pageBytes: 4_096, readers: 1, keeping: keeping) {
            database in
            for table in Self.tables { try database.execute(sql: table.creation) }
        }
        try Self.prepare(file, keeping: keeping)
    }

    /// Every table of the file but those that only the copy of a database has.
    static let tables: [any AnyStoredTable] = [
        RegistrationRow.table, installationTable, deviceTable, scheduleTable, cancelledTable,
        ScheduleKey.table, settingsTable, jobTable, departureTable, metaTable,
    ]

    private static let metaTable = StoredTable<(log: LogMark, numberMax: UInt32)>(
        "meta",
        of: "meta",
        [
            .one, .integer("epoch"), .integer("head"), .integer("check_value"),
            .integer("rid_max"),
        ],
        hasChecksum: false,
        encode: { meta in
            [
                .integer(1), .integer(meta.log.epoch), .integer(meta.log.head),
                .integer(UInt64(meta.log.check)), .integer(UInt64(meta.numberMax)),
            ]
        },
        decode: { row in
            let mark = LogMark(
                epoch: UInt64(bitPattern: row[1]),
                head: UInt64(bitPattern: row[2]),
                check: UInt32(truncatingIfNeeded: row[3] as Int64)
            )
            guard mark.epoch != 0 else { throw RecordProblem.badField("epoch") }
            return (mark, UInt32(truncatingIfNeeded: row[4] as Int64))
        },
        audit: { row, _ in
            row[0] as Int64 == 1 && row[2] as Int64 >= 0 && row[3] as Int64 >> 32 == 0
                && row[4] as Int64 >> 32 == 0
        }
    )

    /// Returns the log's place and the highest registration number ever given; nil for a new file.
    func mark() throws(StoreError) -> (log: LogMark, numberMax: UInt32)? {
        try file.first(Self.metaTable)
    }

    /// Notes how far the log is, without changes.
    func setMark(_ mark: LogMark, numberMax: UInt32) throws(StoreError) {
        try file.writing { database in
            try Self.metaTable.insert((mark, numberMax), in: database, replacing: true)
        }
    }

    /// Makes changes durable as one transaction; `feed` is the number of their group in a database,
    /// `lastChange` their mark there.
    func apply(
        _ changes: [StoredChange],
        mark: LogMark,
        numberMax: UInt32,
        feed: UInt64?,
        lastChange: ChangeMark? = nil
    ) throws(StoreError) {
        try file.writing { database in
            for change in changes {
                if feed != nil, case .putDeparture(let row) = change {
                    try Self.forgetDepartures(from: row.number, in: database)
                }
                try Self.apply(change, head: mark.head, in: database)
            }
            try Self.metaTable.insert((mark, numberMax), in: database, replacing: true)
            if let feed { try Self.feedTable.insert(feed, in: database, replacing: true) }
            guard let lastChange else { return }
            try Self.lastChangeTable.insert(lastChange, in: database, replacing: true)
        }
    }

    private static func apply(
        _ change: StoredChange,
        head: UInt64,
        in database: Database
    ) throws {
        switch change {
        case .put(let registration):
            let row = RegistrationRow(registration: registration, deleted: 0)
            try RegistrationRow.table.insert(row, in: database, replacing: true)
        case .remove(let registration):
            let row = RegistrationRow(registration: registration, deleted: head + 1)
            try RegistrationRow.table.insert(row, in: database, replacing: true)
        case .putInstallation(let installation):
            try installationTable.insert(installation, in: database, replacing: true)
        case .removeInstallation(let installation):
            try installationTable.remove(Data(installation.key), in: database)
        case .putSchedule(let schedule): try put(schedule, in: database)
        case .removeSchedule(let id): try scheduleTable.remove(Data(id.stored), in: database)
        case .cancelSchedule(let schedule):
            try scheduleTable.remove(Data(schedule.id.stored), in: database)
            try cancelledTable.insert(schedule, in: database, replacing: true)
        case .forgetSchedule(let id): try cancelledTable.remove(Data(id.stored), in: database)
        case .putSettings(let settings):
            try settingsTable.insert(settings, in: database, replacing: true)
        case .revoke(let device, let generation):
            try deviceTable.insert((device, generation), in: database, replacing: true)
        case .putJob(let job): try jobTable.insert(job, in: database, replacing: true)
        case .removeJob(let id): try jobTable.remove(Data(id.text.utf8), in: database)
        case .putDeparture(let row): try departureTable.insert(row, in: database)
        }
    }
}
