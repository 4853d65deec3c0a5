import GRDB
import HubModel

// Whether what a slice says twice is the same: headers of groups with the records, and, once it is
// sealed, lists with headers and places of keys with keys.
extension StoreVerification {
    /// Compares; to be called for a slice in which nothing else is wrong.
    mutating func compareLists(_ database: Database, path: String) throws {
        guard let slice = try SliceRow.read(database, path: path),
            let lists = try headers(database, path: path), slice.end != nil
        else { return }
        try compare(lists, database, path: path)
        try compareKeys(database, path: path)
    }

    /// The lists that follow from the headers of groups; nil when these are not the records'.
    private mutating func headers(_ database: Database, path: String) throws -> AnchorLists? {
        var lists = AnchorLists()
        let records = try Int64.fetchCursor(database, sql: "SELECT seq FROM entry ORDER BY seq")
        let batches = try Row.fetchCursor(
            database,
            sql: "SELECT first, headers FROM batch ORDER BY first"
        )
        while let batch = try batches.next() {
            var place: Int64 = batch[0]
            for entry in BatchHeaders(try batch.bytes(at: 1))?.entries ?? [] {
                guard try records.next() == place else {
                    note("\(path): headers of record \(place), which is not there")
                    return nil
                }
                lists.append(UInt64(bitPattern: place), anchors: entry.anchors)
                place += 1
            }
        }
        if let record = try records.next() {
            note("\(path): record \(record) has no headers")
            return nil
        }
        return lists
    }

    private mutating func compare(
        _ lists: AnchorLists,
        _ database: Database,
        path: String
    ) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT anchor, seq FROM anchor ORDER BY anchor, seq"
        )
        var list: (anchor: UInt64, sequences: [UInt64], next: Int)?
        var count = 0
        while let row = try rows.next() {
            let anchor = UInt64(bitPattern: row[0])
            let sequence = UInt64(bitPattern: row[1])
            if list?.anchor != anchor { list = (anchor, lists.sequences(of: anchor), 0) }
            guard let known = list, known.next < known.sequences.count,
                known.sequences[known.next] == sequence
            else {
                note("\(path): a list does not have the records that it should, at \(sequence)")
                return
            }
            list?.next += 1
            count += 1
        }
        if count != lists.count {
            note("\(path): its lists have \(count) entries instead of \(lists.count)")
        }
    }

    private mutating func compareKeys(_ database: Database, path: String) throws {
        let find = try database.makeStatement(
            sql: "SELECT 1 FROM key_place WHERE scope = ? AND seq = ?"
        )
        let keys = try Row.fetchCursor(
            database,
            sql: "SELECT seq, scope FROM idempotency ORDER BY seq"
        )
        var count = 0
        while let key = try keys.next() {
            let sequence: Int64 = key[0]
            guard let scope = KeyHash(stored: try key.bytes(at: 1)) else { continue }
            count += 1
            let place: StatementArguments = [Int64(bitPattern: scope.high), sequence]
            if try Row.fetchOne(find, arguments: place) == nil {
                note("\(path): the key of record \(sequence) is not found by its place")
            }
        }
        let places = try Int.fetchOne(database, sql: "SELECT count(*) FROM key_place") ?? 0
        if places != count {
            note("\(path): has \(places) places of keys instead of \(count)")
        }
    }
}
