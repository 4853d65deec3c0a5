import Foundation
import GRDB
import HubModel
import HubVocabulary

// Bulk jobs: one row each.
//
//     job(id, body, checksum)
extension RegistrationFile {
    static let jobTables = """
        CREATE TABLE job(
            id BLOB PRIMARY KEY, body BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Inserts or replaces a job.
    static func put(_ job: BulkJob, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO job(id, body, checksum) VALUES (?, ?, ?)"
        )
        let id = Array(job.id.text.utf8)
        let body = JobCodec.encode(job)
        try statement.execute(arguments: [Data(id), Data(body), Checksum.of(0, bytes: id, body)])
    }

    /// Forgets a job.
    static func removeJob(_ id: JobID, in database: Database) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM job WHERE id = ?")
        try statement.execute(arguments: [Data(id.text.utf8)])
    }

    /// Calls `body` with every job, ascending by id.
    func forEachJob(_ body: (BulkJob) -> Void) throws(StoreError) {
        try file.accessing { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT id, body, checksum FROM job ORDER BY id"
            )
            while let row = try rows.next() {
                let id = try row.bytes(at: 0)
                let bytes = try row.bytes(at: 1)
                let checksum: Int64 = row[2]
                let place = StoreError.corrupted("\(file.path): bulk job")
                guard checksum == Checksum.of(0, bytes: id, bytes) else { throw place }
                do {
                    body(try JobCodec.decode(bytes.span))
                } catch { throw place }
            }
        }
    }
}
