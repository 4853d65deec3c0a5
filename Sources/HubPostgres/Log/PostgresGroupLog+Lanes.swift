package import HubModel
package import HubVocabulary

// Lanes to push services: where they stand, what waits by itself, what was not taken.
extension PostgresGroupLog {
    /// The lanes that were ever noted, ascending by platform.
    package func lanes() throws(StoreError) -> [StoredLane] { try progress.lanes() }

    /// The failures of a lane for one notification, ascending by registration.
    package func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try progress.failures(of: sequence, platform: platform)
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
