import GRDB
import HubModel
import HubVocabulary

// Counters of notifications: one row for each block of them that has any. A row for each
// notification cost 15 µs of a delivery to a single device.
extension StateFile {
    static let counterTable = StoredTable<CounterBlock>(
        "counter",
        of: "counters of block",
        [.integer("block", "PRIMARY KEY"), .bytes("counts")],
        encode: { block in [.integer(block.number), .bytes(block.bytes)] },
        decode: { row in
            let number = UInt64(bitPattern: row[0])
            guard let block = CounterBlock(number: number, try row.bytes(at: 1)) else {
                throw RecordProblem.badField("counts")
            }
            return block
        }
    )

    /// The first block behind another, or of all; nil when there is none.
    func block(after number: UInt64?) throws(StoreError) -> CounterBlock? {
        let least = number.map { Int64(bitPattern: $0) + 1 } ?? 0
        return try file.first(Self.counterTable, "WHERE block >= ? ORDER BY block LIMIT 1", [least])
    }

    /// The last block that has a row; nil when none has.
    func lastCounterBlock() throws(StoreError) -> UInt64? {
        try file.accessing { database in
            let last = try Int64.fetchOne(database, sql: "SELECT max(block) FROM counter")
            return last.map { UInt64(bitPattern: $0) }
        }
    }

    /// Adds deltas, best ascending by notification; behind the block `last` there are no rows yet,
    /// and none is looked for.
    static func add(
        _ deltas: [CounterDelta],
        stored last: UInt64?,
        to database: Database,
        path: String
    ) throws {
        var known = last
        var start = 0
        while start < deltas.count {
            let number = CounterBlock.number(of: deltas[start].sequence)
            let end =
                deltas[start...].firstIndex { CounterBlock.number(of: $0.sequence) != number }
                ?? deltas.count
            var block = CounterBlock(number: number)
            if let known, number <= known {
                block = try Self.block(number, in: database, path: path) ?? block
            }
            block.add(deltas[start..<end])
            try counterTable.insert(block, in: database, replacing: true)
            known = max(known ?? number, number)
            start = end
        }
    }

    /// The counters of one notification.
    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        // The rest of a block goes when all of it may.
        guard sequence >= floor else { return [] }
        return try file.accessing { database in
            let number = CounterBlock.number(of: sequence)
            return try Self.block(number, in: database, path: file.path)?.counters(of: sequence)
                ?? []
        }
    }

    static func forgetCounters(below floor: UInt64, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM counter WHERE block < ?",
            arguments: [Int64(clamping: CounterBlock.number(of: floor))]
        )
    }

    private static func block(
        _ number: UInt64,
        in database: Database,
        path: String
    ) throws -> CounterBlock? {
        try counterTable.first(
            "WHERE block = ?",
            [Int64(bitPattern: number)],
            in: database,
            path: path
        )
    }
}
