import GRDB
import HubModel
import HubVocabulary

// Bulk jobs: one row each.
extension RegistrationFile {
    static let jobTable = StoredTable<BulkJob>(
        "job",
        of: "bulk job",
        [.bytes("id", "PRIMARY KEY"), .bytes("body")],
        isWithoutRowID: true,
        salt: [0],
        encode: { job in [.bytes(Array(job.id.text.utf8)), .bytes(JobCodec.encode(job))] },
        decode: { row in try row.reading(1, JobCodec.decode) },
        audit: { row, job in Array(job.id.text.utf8) == (try row.bytes(at: 0)) }
    )

    /// Calls `body` with every job, ascending by id.
    func forEachJob(_ body: (BulkJob) -> Void) throws(StoreError) {
        try file.forEach(Self.jobTable, "ORDER BY id", [], body)
    }
}
