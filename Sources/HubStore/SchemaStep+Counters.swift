import GRDB
import HubModel
import HubVocabulary

extension SchemaStep {
    /// From a row for each notification and platform to a row for each block of notifications.
    static let countersInBlocks = SchemaStep(from: 3) { file, database in
        guard file == StateFile.name else { return }
        try database.execute(sql: "ALTER TABLE counter RENAME TO \(oldCounters.name)")
        try database.execute(sql: StateFile.counterTable.creation)
        var waiting: [CounterDelta] = []
        func write() throws {
            try StateFile.add(waiting, stored: nil, to: database, path: file)
            waiting = []
        }
        try oldCounters.forEach("ORDER BY seq", in: database, path: file) { row in
            let block = CounterBlock.number(of: row.sequence)
            if let last = waiting.last, CounterBlock.number(of: last.sequence) != block {
                try write()
            }
            waiting += row.deltas
        }
        try write()
        try database.execute(sql: "DROP TABLE \(oldCounters.name)")
    }

    /// The counters of one notification on one platform; platform 255 stands for all of it.
    private struct OldCounters {
        var sequence: UInt64
        var deltas: [CounterDelta]
    }

    /// A row has eight bytes for each of 24 kinds, by the kind's number.
    private static let oldCounters = StoredTable<OldCounters>(
        "counter_of_one",
        of: "counter",
        [.integer("seq"), .integer("platform"), .bytes("counts")],
        // Nothing is written to it.
        encode: { _ in [] },
        decode: { row in
            let bytes = try row.bytes(at: 2)
            guard bytes.count == 24 * 8 else { throw RecordProblem.badField("counts") }
            let sequence = UInt64(bitPattern: row[0])
            let platform = Platform(rawValue: UInt8(truncatingIfNeeded: row[1] as Int64))
            let deltas = TelemetryKind.allCases.prefix { $0.rawValue < 24 }.compactMap {
                kind -> CounterDelta? in
                let count = bytes.integer(at: Int(kind.rawValue) * 8)
                return count == 0
                    ? nil
                    : CounterDelta(
                        sequence: sequence,
                        platform: platform,
                        kind: kind,
                        count: count
                    )
            }
            return OldCounters(sequence: sequence, deltas: deltas)
        }
    )
}
