import Foundation
import GRDB
import HubModel
import HubVocabulary

extension SliceFile {
    /// Makes looking for a key cheap; done only once keys no longer fit into memory, because every
    /// record with a key costs more from then on.
    func indexKeys() throws(StoreError) {
        try file.writing { database in
            try database.execute(
                sql: "CREATE INDEX IF NOT EXISTS idempotency_scope ON idempotency(scope)"
            )
        }
    }
}

extension FileReader {
    /// Keys of records in `(after, through]`, ascending, at most `limit`.
    func keys(
        after: UInt64,
        through: UInt64,
        limit: Int = .max
    ) throws(StoreError) -> [RecordKey] {
        try reading { database in
            var found: [RecordKey] = []
            try RecordKey.table.forEach(
                "WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
                [Int64(clamping: after), Int64(clamping: through), Int64(clamping: limit)],
                in: database,
                path: path
            ) { found.append($0) }
            return found
        }
    }

    /// The newest keys of records that were not accepted before a time, ascending.
    func newestKeys(limit: Int, from time: Timestamp) throws(StoreError) -> [StoredKey] {
        try reading { database in
            let table = RecordKey.table
            let rows = try Row.fetchCursor(
                table.statement("ORDER BY seq DESC LIMIT ?", in: database),
                arguments: [Int64(clamping: limit)]
            )
            var found: [StoredKey] = []
            while let row = try rows.next() {
                let key = try table.read(row, path: path).stored
                guard key.time >= time else { break }
                found.append(key)
            }
            return found.reversed()
        }
    }

    /// The newest record with a key; nil when there is none.
    ///
    /// A sealed slice has a table for this, another one an index.
    func key(_ scope: KeyHash, isSealed: Bool) throws(StoreError) -> StoredKey? {
        try reading { database in
            let condition =
                isSealed
                ? "seq IN (SELECT seq FROM key_place WHERE scope = ?) AND scope = ?" : "scope = ?"
            let start: StatementArguments = isSealed ? [Int64(bitPattern: scope.high)] : []
            return try RecordKey.table.first(
                "WHERE \(condition) ORDER BY seq DESC LIMIT 1",
                start + [Data(scope.stored)],
                in: database,
                path: path
            )?.stored
        }
    }
}
