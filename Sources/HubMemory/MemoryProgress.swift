import HubModel
import HubVocabulary

/// The sum of the checkpoints that a memory store has taken.
struct MemoryProgress: Sendable {
    var cursors: [DeviceID: StoredCursor] = [:]
    var journal = MemoryJournal()
    var counters: [CounterDelta] = []
    var lanes: [Platform: StoredLane] = [:]
    var failures: [Platform: [RelayFailure]] = [:]
    /// The number of the last checkpoint.
    var batch: UInt64 = 0
    var countersFloor: UInt64 = 0

    mutating func apply(_ checkpoint: CheckpointBatch) {
        guard checkpoint.number > batch else { return }
        batch = checkpoint.number
        for change in checkpoint.cursorChanges { cursors.make(change) }
        journal.append(checkpoint.cursorChanges, of: batch)
        counters += checkpoint.counters
        for progress in checkpoint.lanes { note(progress) }
        countersFloor = max(countersFloor, checkpoint.countersFloor)
        counters.removeAll { $0.sequence < countersFloor }
    }

    // MARK: Reading

    var cursorsByDevice: [StoredCursor] { cursors.values.sorted { $0.device < $1.device } }

    var lanesByPlatform: [StoredLane] {
        lanes.values.sorted { $0.platform.rawValue < $1.platform.rawValue }
    }

    /// The sums of one notification, by platform and kind.
    func counters(of sequence: UInt64) -> [CounterDelta] {
        let sums = CounterTable(counters.filter { $0.sequence == sequence })
        let platforms = Platform.allCases.map(Optional.init) + [nil]
        return platforms.flatMap { platform in
            TelemetryKind.allCases.compactMap { kind in
                let count = sums[platform, kind]
                return count == 0
                    ? nil
                    : CounterDelta(
                        sequence: sequence,
                        platform: platform,
                        kind: kind,
                        count: count
                    )
            }
        }
    }

    /// The failures of one notification on a platform, ascending by registration.
    func failures(of sequence: UInt64, platform: Platform) -> [RelayFailure] {
        (failures[platform] ?? []).filter { $0.sequence == sequence }
            .sorted { $0.registration < $1.registration }
    }

    // MARK: Writing

    private mutating func note(_ progress: LaneProgress) {
        let platform = progress.platform
        let known = lanes[platform]?.deferred ?? []
        let replaced = Set(progress.deferred.map(\.key)).union(progress.finished)
        let rows = known.filter { !replaced.contains($0.key) } + progress.deferred
        lanes[platform] = StoredLane(
            platform: platform,
            mark: progress.mark,
            deferred: rows.sorted { $0.key < $1.key }
        )
        for failure in progress.failures {
            failures[platform, default: []].removeAll {
                ($0.sequence, $0.registration) == (failure.sequence, failure.registration)
            }
            failures[platform, default: []].append(failure)
        }
    }
}
