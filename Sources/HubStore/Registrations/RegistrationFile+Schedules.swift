import Foundation
import GRDB
import HubModel
import HubVocabulary

// Scheduled notifications, those that were cancelled, for telemetry, and the idempotency keys with
// which they were scheduled, which stay when they go.
extension RegistrationFile {
    static let scheduleTable = StoredTable<ScheduledNotification>(
        "schedule",
        of: "scheduled notification",
        [.bytes("id", "NOT NULL UNIQUE"), .integer("due"), .bytes("body")],
        encode: { schedule in
            [
                .bytes(schedule.id.stored), .integer(schedule.due.milliseconds),
                .bytes(ScheduleCodec.encode(schedule)),
            ]
        },
        decode: { row in try row.reading(2, ScheduleCodec.decode) },
        audit: { row, schedule in schedule.due.milliseconds == UInt64(bitPattern: row[1]) }
    )

    static let cancelledTable = StoredTable<ScheduledNotification>(
        "schedule_cancelled",
        of: "cancelled notification",
        [.bytes("id", "PRIMARY KEY"), .bytes("body")],
        isWithoutRowID: true,
        salt: [0],
        encode: { schedule in
            [.bytes(schedule.id.stored), .bytes(ScheduleCodec.encode(schedule))]
        },
        decode: { row in try row.reading(1, ScheduleCodec.decode) },
        audit: { row, schedule in schedule.id.stored == (try row.bytes(at: 0)) }
    )

    /// Keeps a schedule and its key.
    static func put(_ schedule: ScheduledNotification, in database: Database) throws {
        try scheduleTable.insert(schedule, in: database)
        guard let key = schedule.storedKey?.key else { return }
        let row = ScheduleKey(key: key, id: schedule.id)
        try ScheduleKey.table.insert(row, in: database, replacing: true)
    }

    /// Calls `body` with every cancelled schedule, ascending by id.
    func forEachCancelled(_ body: (ScheduledNotification) -> Void) throws(StoreError) {
        try file.forEach(Self.cancelledTable, "ORDER BY id", [], body)
    }

    /// Every schedule, in the order in which they fire.
    func schedules() throws(StoreError) -> [ScheduledNotification] {
        try file.all(Self.scheduleTable, "ORDER BY due, id")
    }

    /// The newest keys, ascending.
    func newestKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        try file.all(ScheduleKey.table, "ORDER BY id DESC LIMIT ?", [Int64(clamping: limit)])
            .reversed().map(\.stored)
    }

    /// The schedule that was made with a key; nil when there is none.
    func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        try file.first(ScheduleKey.table, "WHERE scope = ?", [Data(scope.stored)])?.stored
    }

    /// Removes keys of schedules made before a time, the oldest first.
    ///
    /// - Returns: whether there may be more.
    func forgetKeys(before time: Timestamp, limit: Int) throws(StoreError) -> Bool {
        try file.removeSome(
            of: ScheduleKey.table,
            where: "id < ?",
            // Ids begin with the time.
            Data([UInt8](high: time.milliseconds << 16, low: 0)),
            orderedBy: "id",
            limit: limit
        )
    }
}
