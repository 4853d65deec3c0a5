import Foundation
import GRDB
import HubModel

// What operators decided for the hub: one row.

extension RegistrationFile {
    static let settingsTable = """
        CREATE TABLE settings(
            one INTEGER PRIMARY KEY CHECK (one = 1), body BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        """

    /// Keeps settings in place of those before.
    static func write(_ settings: HubSettings, to database: Database) throws {
        let body = HubSettingsCodec.encode(settings)
        try database.execute(
            sql: "INSERT OR REPLACE INTO settings(one, body, checksum) VALUES (1, ?, ?)",
            arguments: [Data(body), Checksum.of(1, bytes: body)]
        )
    }

    /// The settings; nil when nothing was decided.
    func settings() throws(StoreError) -> HubSettings? {
        try file.accessing { database in
            guard let row = try Row.fetchOne(database, sql: "SELECT body, checksum FROM settings")
            else { return nil }
            let body = try row.bytes(at: 0)
            let checksum: Int64 = row[1]
            guard checksum == Checksum.of(1, bytes: body) else {
                throw StoreError.corrupted("\(file.path): settings")
            }
            do {
                return try HubSettingsCodec.decode(body.span)
            } catch {
                throw StoreError.corrupted("\(file.path): settings")
            }
        }
    }
}
