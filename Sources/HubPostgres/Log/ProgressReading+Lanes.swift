import HubModel
import HubVocabulary

// Lanes to push services: where they stand, what waits by itself, what was not taken.
extension ProgressReading {
    /// The lanes that were ever noted, ascending by platform.
    func lanes() throws(StoreError) -> [StoredLane] {
        let read = try ask([
            PostgresCommand(LaneStatements.read) { $0.append(hub) },
            PostgresCommand(LaneStatements.readDeferred) { $0.append(hub) },
        ])
        return try decoded { () throws(PostgresError) in
            var lanes: [StoredLane] = []
            for row in 0..<read[0].count {
                let platform = try read[0].platform(row, 0)
                let bytes = try read[0].checked(row, 1, of: "lane", [UInt64(platform.rawValue)])
                // That it is damaged is all that can be told of bytes whose checksum fits.
                guard let mark = try? LaneMarkCodec.decode(bytes.span) else {
                    throw .shape("mark of lane \(platform)")
                }
                lanes.append(StoredLane(platform: platform, mark: mark))
            }
            for row in 0..<read[1].count {
                let platform = try read[1].platform(row, 0)
                guard let index = lanes.firstIndex(where: { $0.platform == platform }) else {
                    continue
                }
                lanes[index].deferred.append(try read[1].deferred(row))
            }
            return lanes
        }
    }

    /// The failures of a lane for one notification, ascending by registration.
    func failures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        let read = try ask([
            PostgresCommand(LaneStatements.readFailures) { values in
                values.append(hub)
                values.append(sequence)
                values.append(UInt64(platform.rawValue))
            }
        ])
        return try decoded { () throws(PostgresError) in
            var failures: [RelayFailure] = []
            for row in 0..<read[0].count { failures.append(try read[0].failure(row)) }
            return failures
        }
    }

    /// Every failure that is kept of a lane, ascending.
    func failures(of platform: Platform) throws(StoreError) -> [RelayFailure] {
        let read = try ask([
            PostgresCommand(LaneStatements.readAllFailures) { values in
                values.append(hub)
                values.append(UInt64(platform.rawValue))
            }
        ])
        return try decoded { () throws(PostgresError) in
            var failures: [RelayFailure] = []
            for row in 0..<read[0].count { failures.append(try read[0].failure(row)) }
            return failures
        }
    }
}

extension PostgresRows {
    fileprivate func platform(_ row: Int, _ column: Int) throws(PostgresError) -> Platform {
        let number = UInt8(truncatingIfNeeded: try integer(row, column))
        guard let platform = Platform(rawValue: number) else { throw .shape("platform \(number)") }
        return platform
    }

    fileprivate func deferred(_ row: Int) throws(PostgresError) -> DeferredRow {
        DeferredRow(
            sequence: try number(row, 1),
            registration: UInt32(truncatingIfNeeded: try integer(row, 2)),
            attempt: UInt8(truncatingIfNeeded: try integer(row, 3)),
            due: Timestamp(milliseconds: UInt64(bitPattern: try integer(row, 4))),
            expires: Timestamp(milliseconds: UInt64(bitPattern: try integer(row, 5)))
        )
    }

    fileprivate func failure(_ row: Int) throws(PostgresError) -> RelayFailure {
        let outcome = UInt8(truncatingIfNeeded: try integer(row, 2))
        guard let outcome = RelayOutcome(rawValue: outcome) else {
            throw .shape("outcome \(outcome)")
        }
        return RelayFailure(
            sequence: try number(row, 0),
            registration: UInt32(truncatingIfNeeded: try integer(row, 1)),
            outcome: outcome,
            reason: try text(row, 4),
            time: Timestamp(milliseconds: try number(row, 3))
        )
    }
}
