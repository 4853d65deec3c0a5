import GRDB
import HubModel
import HubVocabulary

// Counters of notifications: one row for each platform that has any.
extension StateFile {
    static let counterTable = StoredTable<StoredCounts>(
        "counter",
        of: "counter",
        [.integer("seq"), .integer("platform"), .bytes("counts")],
        keys: 2,
        constraint: "PRIMARY KEY(seq, platform)",
        isWithoutRowID: true,
        encode: { row in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(StoredCounts.bytes)
            for place in 0..<TelemetryKind.places { bytes.appendStored(row.counts[place]) }
            return [.integer(row.sequence), .integer(UInt64(row.platform)), .bytes(bytes)]
        },
        decode: { row in
            let bytes = try row.bytes(at: 2)
            guard bytes.count == StoredCounts.bytes, let platform = UInt8(exactly: row[1] as Int64)
            else { throw RecordProblem.badField("counts") }
            var read = StoredCounts(sequence: UInt64(bitPattern: row[0]), platform: platform)
            for place in 0..<TelemetryKind.places {
                read.counts[place] = bytes.integer(at: place * 8)
            }
            return read
        }
    )

    /// The last notification that has a row; 0 when none has.
    func lastCounterRow() throws(StoreError) -> UInt64 {
        try file.accessing { database in
            let last = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM counter")
            return UInt64(bitPattern: last ?? 0)
        }
    }

    /// Adds deltas, best ascending by notification and platform; behind the notification `last` there
    /// are no rows yet, and none is looked for.
    static func add(
        _ deltas: [CounterDelta],
        stored last: UInt64,
        to database: Database,
        path: String
    ) throws {
        var start = 0
        var known = (last, StoredCounts.noPlatform)
        while start < deltas.count {
            let sequence = deltas[start].sequence
            let platform = deltas[start].platform?.rawValue ?? StoredCounts.noPlatform
            var row = StoredCounts(sequence: sequence, platform: platform)
            if (sequence, platform) <= known {
                row = try counts(sequence, platform, in: database, path: path) ?? row
            } else {
                known = (sequence, platform)
            }
            while start < deltas.count, deltas[start].sequence == sequence,
                (deltas[start].platform?.rawValue ?? StoredCounts.noPlatform) == platform
            {
                row.counts[Int(deltas[start].kind.rawValue)] &+= deltas[start].count
                start += 1
            }
            try counterTable.insert(row, in: database, replacing: true)
        }
    }

    /// The counters of one notification.
    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        try file.accessing { database in
            var found: [CounterDelta] = []
            for platform in Platform.allCases.map(\.rawValue) + [StoredCounts.noPlatform] {
                guard
                    let counts = try Self.counts(
                        sequence,
                        platform,
                        in: database,
                        path: file.path
                    )?.counts
                else { continue }
                for kind in TelemetryKind.allCases where counts[Int(kind.rawValue)] > 0 {
                    found.append(
                        CounterDelta(
                            sequence: sequence,
                            platform: Platform(rawValue: platform),
                            kind: kind,
                            count: counts[Int(kind.rawValue)]
                        )
                    )
                }
            }
            return found
        }
    }

    static func forgetCounters(below floor: UInt64, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM counter WHERE seq < ?",
            arguments: [Int64(clamping: floor)]
        )
    }

    private static func counts(
        _ sequence: UInt64,
        _ platform: UInt8,
        in database: Database,
        path: String
    ) throws -> StoredCounts? {
        try counterTable.first(
            "WHERE seq = ? AND platform = ?",
            [Int64(bitPattern: sequence), Int64(platform)],
            in: database,
            path: path
        )
    }
}
