import GRDB
import HubModel
import HubVocabulary

// Lanes to push services: a row for each lane, one for each notification that waits by itself, and
// one for each that a service did not take.
extension StateFile {
    /// Where lanes stand.
    static let laneTable = StoredTable<StoredLane>(
        "lane",
        of: "lane",
        [.integer("platform", "PRIMARY KEY"), .bytes("mark")],
        encode: { lane in
            [.integer(UInt64(lane.platform.rawValue)), .bytes(LaneMarkCodec.encode(lane.mark))]
        },
        decode: { row in
            StoredLane(platform: try platform(row), mark: try row.reading(1, LaneMarkCodec.decode))
        }
    )

    /// Notifications that wait by themselves.
    static let deferredTable = StoredTable<(platform: Platform, row: DeferredRow)>(
        "lane_deferred",
        of: "deferred notification of lane",
        [
            .integer("platform"), .integer("seq"), .integer("registration"), .integer("attempt"),
            .integer("due"), .integer("expires"),
        ],
        keys: 3,
        constraint: "PRIMARY KEY (platform, seq, registration)",
        isWithoutRowID: true,
        encode: { platform, row in
            [
                .integer(UInt64(platform.rawValue)), .integer(row.sequence),
                .integer(UInt64(row.registration)), .integer(UInt64(row.attempt)),
                .integer(row.due.milliseconds), .integer(row.expires.milliseconds),
            ]
        },
        decode: { row in
            (
                try platform(row),
                DeferredRow(
                    sequence: UInt64(bitPattern: row[1]),
                    registration: UInt32(truncatingIfNeeded: row[2] as Int64),
                    attempt: UInt8(truncatingIfNeeded: row[3] as Int64),
                    due: Timestamp(milliseconds: UInt64(bitPattern: row[4])),
                    expires: Timestamp(milliseconds: UInt64(bitPattern: row[5]))
                )
            )
        }
    )

    /// Notifications that a service did not take.
    static let failureTable = StoredTable<(platform: Platform, failure: RelayFailure)>(
        "lane_failure",
        of: "failure of lane",
        [
            .integer("seq"), .integer("platform"), .integer("registration"), .integer("outcome"),
            .integer("time"), .bytes("reason"),
        ],
        keys: 3,
        constraint: "PRIMARY KEY (seq, platform, registration)",
        isWithoutRowID: true,
        encode: { platform, failure in
            [
                .integer(failure.sequence), .integer(UInt64(platform.rawValue)),
                .integer(UInt64(failure.registration)), .integer(UInt64(failure.outcome.rawValue)),
                .integer(failure.time.milliseconds), .bytes(Array(failure.reason.utf8)),
            ]
        },
        decode: { row in
            let outcome = RelayOutcome(rawValue: UInt8(truncatingIfNeeded: row[3] as Int64))
            guard let outcome else { throw RecordProblem.badField("outcome") }
            return (
                try platform(row, at: 1),
                RelayFailure(
                    sequence: UInt64(bitPattern: row[0]),
                    registration: UInt32(truncatingIfNeeded: row[2] as Int64),
                    outcome: outcome,
                    reason: String(decoding: try row.bytes(at: 5), as: UTF8.self),
                    time: Timestamp(milliseconds: UInt64(bitPattern: row[4]))
                )
            )
        }
    )

    /// The tables that lanes need.
    static let laneTables: [any AnyStoredTable] = [laneTable, deferredTable, failureTable]

    private static func platform(_ row: Row, at column: Int = 0) throws -> Platform {
        let number = UInt8(truncatingIfNeeded: row[column] as Int64)
        guard let platform = Platform(rawValue: number) else {
            throw RecordProblem.badField("platform")
        }
        return platform
    }

    // MARK: Writing

    /// Notes how far a lane has come.
    static func note(_ progress: LaneProgress, in database: Database) throws {
        let platform = progress.platform
        let lane = StoredLane(platform: platform, mark: progress.mark)
        try laneTable.insert(lane, in: database, replacing: true)
        for row in progress.deferred {
            try deferredTable.insert((platform, row), in: database, replacing: true)
        }
        for key in progress.finished {
            try database.cachedStatement(
                sql: """
                    DELETE FROM lane_deferred WHERE platform = ? AND seq = ? AND registration = ?
                    """
            ).execute(
                arguments: [
                    Int64(platform.rawValue), Int64(bitPattern: key.sequence),
                    Int64(key.registration),
                ]
            )
        }
        for failure in progress.failures {
            try failureTable.insert((platform, failure), in: database, replacing: true)
        }
    }

    /// Forgets failures of notifications below a floor, and the oldest of more than are kept.
    static func forgetFailures(below floor: UInt64, keeping most: Int, in database: Database) throws
    {
        var end = floor
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM lane_failure") ?? 0
        if count > most {
            let last = try Int64.fetchOne(
                database,
                sql: "SELECT seq FROM lane_failure ORDER BY seq DESC LIMIT 1 OFFSET ?",
                arguments: [most]
            )
            end = max(end, last.map { UInt64(bitPattern: $0) + 1 } ?? 0)
        }
        try database.execute(
            sql: "DELETE FROM lane_failure WHERE seq < ?",
            arguments: [Int64(clamping: end)]
        )
    }

    // MARK: Reading

    /// Every lane that was ever noted, ascending by platform.
    func lanes() throws(StoreError) -> [StoredLane] {
        var lanes = try file.all(Self.laneTable, "ORDER BY platform")
        try file.forEach(Self.deferredTable, "ORDER BY platform, seq, registration") { entry in
            guard let index = lanes.firstIndex(where: { $0.platform == entry.platform }) else {
                return
            }
            lanes[index].deferred.append(entry.row)
        }
        return lanes
    }

    /// The failures of one notification on a platform, ascending by registration.
    func failures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try file.all(
            Self.failureTable,
            "WHERE seq = ? AND platform = ? ORDER BY registration",
            [Int64(bitPattern: sequence), Int64(platform.rawValue)]
        ).map(\.failure)
    }

    /// Every failure that is kept, ascending by platform.
    func failuresByPlatform() throws(StoreError) -> [(Platform, [RelayFailure])] {
        let all = try file.all(Self.failureTable, "ORDER BY seq, registration")
        return Dictionary(grouping: all, by: \.platform)
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key, $0.value.map(\.failure)) }
    }
}
