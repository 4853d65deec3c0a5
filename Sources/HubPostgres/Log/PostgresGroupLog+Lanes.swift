package import HubModel
package import HubVocabulary

// Lanes to push services: where they stand, what waits by itself, what was not taken.
extension PostgresGroupLog {
    /// The lanes that were ever noted, ascending by platform.
    package func lanes() throws(StoreError) -> [StoredLane] {
        let read = try session.read([
            PostgresCommand(LaneStatements.read) { [hub] in $0.append(hub) },
            PostgresCommand(LaneStatements.readDeferred) { [hub] in $0.append(hub) },
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
    package func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        let read = try session.read([
            PostgresCommand(LaneStatements.readFailures) { [hub] values in
                values.append(hub)
                values.append(sequence)
                values.append(UInt64(platform.rawValue))
            }
        ])
        return try decoded { () throws(PostgresError) in
            var failures: [RelayFailure] = []
            for row in 0..<read[0].count {
                let outcome = UInt8(truncatingIfNeeded: try read[0].integer(row, 1))
                guard let outcome = RelayOutcome(rawValue: outcome) else {
                    throw .shape("outcome \(outcome)")
                }
                failures.append(
                    RelayFailure(
                        sequence: sequence,
                        registration: UInt32(truncatingIfNeeded: try read[0].integer(row, 0)),
                        outcome: outcome,
                        reason: try read[0].text(row, 3),
                        time: Timestamp(milliseconds: try read[0].number(row, 2))
                    )
                )
            }
            return failures
        }
    }

    // MARK: Statements of a checkpoint

    /// The statements of one lane's progress.
    func lanes(of progress: LaneProgress) -> [PostgresCommand] {
        let platform = UInt64(progress.platform.rawValue)
        let mark = LaneMarkCodec.encode(progress.mark)
        var commands = [
            PostgresCommand(LaneStatements.put) { [hub] values in
                values.append(hub)
                values.append(platform)
                values.append(mark)
                values.append(Checksum.stored(mark, [platform]))
            }
        ]
        // One statement changes no row twice: the last of a key counts.
        let deferred = Dictionary(progress.deferred.map { ($0.key, $0) }) { $1 }
        if !deferred.isEmpty {
            commands.append(putting(Array(deferred.values), platform))
        }
        if !progress.finished.isEmpty {
            commands.append(
                PostgresCommand(LaneStatements.removeDeferred) { [hub] values in
                    values.append(hub)
                    values.append(platform)
                    values.append(progress.finished.map { $0.sequence as UInt64? })
                    values.append(progress.finished.map { UInt64($0.registration) as UInt64? })
                }
            )
        }
        let failures = Dictionary(
            progress.failures.map { (DeferredRow.Key($0), $0) },
            uniquingKeysWith: { $1 }
        )
        if !failures.isEmpty { commands.append(putting(Array(failures.values), platform)) }
        return commands
    }

    /// Forgets failures below a floor, and the oldest of more than are kept.
    func forgetFailures(below floor: UInt64) -> PostgresCommand {
        PostgresCommand(LaneStatements.forgetFailures) { [hub, limits] values in
            values.append(hub)
            values.append(floor)
            values.append(UInt64(limits.laneFailuresMax))
        }
    }

    private func putting(_ rows: [DeferredRow], _ platform: UInt64) -> PostgresCommand {
        PostgresCommand(LaneStatements.putDeferred) { [hub] values in
            values.append(hub)
            values.append(platform)
            values.append(rows.map { $0.sequence as UInt64? })
            values.append(rows.map { UInt64($0.registration) as UInt64? })
            values.append(rows.map { UInt64($0.attempt) as UInt64? })
            values.append(bits: rows.map(\.due.milliseconds))
            values.append(bits: rows.map(\.expires.milliseconds))
        }
    }

    private func putting(_ failures: [RelayFailure], _ platform: UInt64) -> PostgresCommand {
        PostgresCommand(LaneStatements.putFailures) { [hub] values in
            values.append(hub)
            values.append(platform)
            values.append(failures.map { $0.sequence as UInt64? })
            values.append(failures.map { UInt64($0.registration) as UInt64? })
            values.append(failures.map { UInt64($0.outcome.rawValue) as UInt64? })
            values.append(failures.map { $0.time.milliseconds as UInt64? })
            values.append(failures.map { Array($0.reason.utf8) })
        }
    }
}

extension DeferredRow.Key {
    /// The row of a notification that was not taken.
    fileprivate init(_ failure: RelayFailure) {
        self.init(sequence: failure.sequence, registration: failure.registration)
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
}
