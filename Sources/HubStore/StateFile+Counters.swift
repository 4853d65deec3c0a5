import Foundation
import GRDB
import HubModel
import HubVocabulary

/// Counters of notifications: one row for each platform that has any.
///
///     counter(seq, platform, counts, checksum)  counts: 24 of 8 bytes, by the kind's number;
///                                               platform 255 is the whole notification
///     meta(batch, floor)
extension StateFile {
    static let countsBytes = TelemetryKind.places * 8
    /// Stands for the whole notification.
    private static let noPlatform: UInt8 = 255

    static let counterTables = """
        CREATE TABLE counter(
            seq INTEGER NOT NULL, platform INTEGER NOT NULL, counts BLOB NOT NULL,
            checksum INTEGER NOT NULL, PRIMARY KEY(seq, platform)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE meta(
            one INTEGER PRIMARY KEY CHECK (one = 1), batch INTEGER NOT NULL,
            floor INTEGER NOT NULL
        ) STRICT;
        """

    /// The last checkpoint, and the place below which there are no counters.
    func meta() throws(StoreError) -> (batch: UInt64, floor: UInt64) {
        try file.accessing { database in
            let row = try Row.fetchOne(database, sql: "SELECT batch, floor FROM meta")
            guard let row else { return (0, 0) }
            return (UInt64(bitPattern: row[0]), UInt64(bitPattern: row[1]))
        }
    }

    static func setMeta(batch: UInt64, floor: UInt64, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO meta(one, batch, floor) VALUES (1, ?, ?)"
        )
        try statement.execute(arguments: [Int64(bitPattern: batch), Int64(bitPattern: floor)])
    }

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
        guard !deltas.isEmpty else { return }
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO counter(seq, platform, counts, checksum)
                VALUES (?, ?, ?, ?)
                """
        )
        var start = 0
        var known = (last, noPlatform)
        while start < deltas.count {
            let sequence = deltas[start].sequence
            let platform = deltas[start].platform?.rawValue ?? noPlatform
            var counts = SIMD32<UInt64>()
            if (sequence, platform) <= known {
                counts = try Self.counts(sequence, platform, in: database, path: path)
            } else {
                known = (sequence, platform)
            }
            while start < deltas.count, deltas[start].sequence == sequence,
                (deltas[start].platform?.rawValue ?? noPlatform) == platform
            {
                counts[Int(deltas[start].kind.rawValue)] &+= deltas[start].count
                start += 1
            }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(countsBytes)
            for place in 0..<TelemetryKind.places { bytes.appendStored(counts[place]) }
            let checksum = Checksum.of(sequence, UInt64(platform), bytes: bytes)
            try insert.execute(
                arguments: [
                    Int64(bitPattern: sequence), Int64(platform), Data(bytes), checksum,
                ]
            )
        }
    }

    /// The counters of one notification.
    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        try file.accessing { database in
            var found: [CounterDelta] = []
            for platform in Platform.allCases.map(\.rawValue) + [Self.noPlatform] {
                let counts = try Self.counts(sequence, platform, in: database, path: file.path)
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
    ) throws -> SIMD32<UInt64> {
        let statement = try database.cachedStatement(
            sql: "SELECT counts, checksum FROM counter WHERE seq = ? AND platform = ?"
        )
        let row = try Row.fetchOne(
            statement,
            arguments: [Int64(bitPattern: sequence), Int64(platform)]
        )
        var counts = SIMD32<UInt64>()
        guard let row else { return counts }
        let bytes = try row.bytes(at: 0)
        let checksum: Int64 = row[1]
        guard bytes.count == countsBytes,
            checksum == Checksum.of(sequence, UInt64(platform), bytes: bytes)
        else { throw StoreError.corrupted("\(path): counter \(sequence)") }
        for place in 0..<TelemetryKind.places { counts[place] = bytes.integer(at: place * 8) }
        return counts
    }
}
