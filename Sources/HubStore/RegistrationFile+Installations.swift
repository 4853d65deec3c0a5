import Foundation
import GRDB
import HubModel

// Installations: one row each, beside the registrations that were derived from it.

extension RegistrationFile {
    /// Inserts or replaces the row of an installation's key.
    static func write(_ installation: Installation, to database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO installation(id, body, checksum) VALUES (?, ?, ?)"
        )
        let body = InstallationCodec.encode(installation)
        let key = installation.key
        try statement.execute(arguments: [Data(key), Data(body), Checksum.of(0, bytes: key, body)])
    }

    /// Deletes the row of an installation's key.
    static func delete(_ installation: Installation, from database: Database) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM installation WHERE id = ?")
        try statement.execute(arguments: [Data(installation.key)])
    }

    /// Calls `body` with every installation, ascending by key.
    func forEachInstallation(_ body: (Installation) -> Void) throws(StoreError) {
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT rowid, id, body, checksum FROM installation ORDER BY id"
            )
            while let row = try rows.next() {
                let number: Int64 = row[0]
                let place = "\(file.path): installation \(number)"
                let key = try row.bytes(at: 1)
                let bytes = try row.bytes(at: 2)
                let checksum: Int64 = row[3]
                guard checksum == Checksum.of(0, bytes: key, bytes) else {
                    throw StoreError.corrupted(place)
                }
                do {
                    body(try InstallationCodec.decode(bytes.span))
                } catch {
                    throw StoreError.corrupted(place)
                }
            }
        }
    }
}
