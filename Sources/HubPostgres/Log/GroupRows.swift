import HubCluster

/// Rows of `log` and `feed` behind a place, which are joined by the numbers of groups.
struct GroupRows {
    private var records: [UInt64: EncodedRecords] = [:]
    private var changes: [UInt64: EncodedChanges] = [:]
    /// The last group that was read whole.
    private var end = UInt64.max

    init(
        records rows: PostgresRows,
        lastRecords: PostgresRows,
        changes others: PostgresRows,
        lastChanges: PostgresRows
    ) throws(PostgresError) {
        for row in 0..<rows.count {
            let (first, number) = (try rows.number(row, 0), try rows.number(row, 1))
            let bytes = try rows.bytes(row, 2)
            let checksum = UInt32(truncatingIfNeeded: try rows.integer(row, 3))
            // The group's number says what is damaged.
            records[number] = try? EncodedRecords(
                stored: bytes,
                from: first,
                of: number,
                checksum: checksum
            )
            guard records[number] != nil else { throw .shape("damaged records of group \(number)") }
            if row == rows.count - 1, try number < lastRecords.number(0, 0) { end = number }
        }
        for row in 0..<others.count {
            let (number, headBefore) = (try others.number(row, 0), try others.number(row, 1))
            let bytes = try others.bytes(row, 2)
            let checksum = UInt32(truncatingIfNeeded: try others.integer(row, 3))
            // As above.
            changes[number] = try? EncodedChanges(
                stored: bytes,
                of: number,
                headBefore: headBefore,
                checksum: checksum
            )
            guard changes[number] != nil else { throw .shape("damaged changes of group \(number)") }
            if row == others.count - 1, try number < lastChanges.number(0, 0) {
                end = min(end, number)
            }
        }
    }

    /// The groups, ascending, up to the last that was read whole.
    var joined: [EncodedGroup] {
        Set(records.keys).union(changes.keys).filter { $0 <= end }.sorted().map { number in
            EncodedGroup(number: number, changes: changes[number], records: records[number])
        }
    }
}
