import Foundation
import GRDB
import HubClient

/// The tables of a device and their rows.
///
///     belfry_state     part: place, profile or receipts | value
///     belfry_entries   recorded: how many entries were ever recorded with this row | value
///     belfry_waiting   number | value
///
/// The values are those of `StateParts` and `KeptNotification`.
enum DeviceTables {
    /// The name of a part in `belfry_state`.
    private enum Part: String {
        case place, profile, receipts
    }

    static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS belfry_state (
                    part TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL
                ) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS belfry_entries (
                    recorded INTEGER NOT NULL PRIMARY KEY, value BLOB NOT NULL
                );
                CREATE TABLE IF NOT EXISTS belfry_waiting (
                    number INTEGER NOT NULL PRIMARY KEY, value BLOB NOT NULL
                );
                """
        )
    }

    /// The device's state; nil when nothing was committed.
    static func state(_ database: Database) throws -> DeviceState? {
        guard let place = try value(of: .place, database) else { return nil }
        let entries = try Data.fetchAll(
            database,
            sql: "SELECT value FROM belfry_entries ORDER BY recorded"
        )
        var state = DeviceState()
        for row in entries {
            let parts = StateParts(place: place, profile: nil, receipts: nil, entries: Array(row))
            state = try parts.state(after: state)
        }
        let parts = StateParts(
            place: place,
            profile: try value(of: .profile, database),
            receipts: try value(of: .receipts, database),
            entries: nil
        )
        return try parts.state(after: state)
    }

    private static func value(of part: Part, _ database: Database) throws -> [UInt8]? {
        try Data.fetchOne(
            database,
            sql: "SELECT value FROM belfry_state WHERE part = ?",
            arguments: [part.rawValue]
        ).map { Array($0) }
    }

    /// Writes what a state has beside the known one.
    static func write(
        _ state: DeviceState,
        after known: DeviceState?,
        _ database: Database
    ) throws {
        let parts = StateParts(state, after: known)
        try set(.place, parts.place, database)
        if let profile = parts.profile { try set(.profile, profile, database) }
        if let receipts = parts.receipts { try set(.receipts, receipts, database) }
        guard let entries = parts.entries else { return }
        let recorded = Int64(clamping: state.recent.recorded)
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO belfry_entries (recorded, value) VALUES (?, ?)"
        ).execute(arguments: [recorded, Data(entries)])
        try database.cachedStatement(sql: "DELETE FROM belfry_entries WHERE recorded <= ?")
            .execute(arguments: [recorded - Int64(RecentEntries.leastKept)])
    }

    private static func set(_ part: Part, _ value: [UInt8], _ database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO belfry_state (part, value) VALUES (?, ?)"
        ).execute(arguments: [part.rawValue, Data(value)])
    }

    static func add(_ notifications: [ReceivedNotification], _ database: Database) throws {
        guard !notifications.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO belfry_waiting (number, value) VALUES (?, ?)"
        )
        for notification in notifications {
            try statement.execute(
                arguments: [
                    Int64(clamping: notification.number),
                    Data(KeptNotification.encode(notification)),
                ]
            )
        }
    }

    /// Removes those up to a number; returns how many there were.
    static func remove(through number: UInt64, _ database: Database) throws -> Int {
        try database.cachedStatement(sql: "DELETE FROM belfry_waiting WHERE number <= ?")
            .execute(arguments: [Int64(clamping: number)])
        return database.changesCount
    }

    static func waiting(_ database: Database) throws -> [ReceivedNotification] {
        try Data.fetchAll(database, sql: "SELECT value FROM belfry_waiting ORDER BY number")
            .map { try KeptNotification.decode(Array($0).span) }
    }

    static func waitingCount(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM belfry_waiting") ?? 0
    }
}
