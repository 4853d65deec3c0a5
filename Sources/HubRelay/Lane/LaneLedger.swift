import HubModel
import HubVocabulary

/// The counts, failures and rows that wait for the next checkpoint.
struct LaneLedger {
    private struct CountKey: Hashable {
        let sequence: UInt64
        let end: LaneEnd
    }

    /// Equal ends of one record, which mostly come one behind another.
    private struct Run {
        let key: CountKey
        var amount: Int
    }

    private let failuresMax: Int
    private var counts: [CountKey: Int] = [:]
    /// The last ends, which `counts` does not have yet.
    private var run: Run?
    private var failures: [RelayFailure] = []
    private var deferred: [DeferredRow.Key: DeferredRow] = [:]
    private var finished: Set<DeferredRow.Key> = []
    /// The checkpoint that the store has not spoken about.
    private var pending: LaneCheckpoint?
    private var storedMark: LaneMark?

    init(stored: LaneMark?, failuresMax: Int) {
        storedMark = stored
        self.failuresMax = failuresMax
    }

    var isCheckpointStored: Bool { pending == nil }

    /// All records up to here are given up, as the store has it.
    var storedGivenUp: UInt64 { storedMark?.givenUp ?? 0 }

    mutating func count(_ sequence: UInt64, _ end: LaneEnd, _ amount: Int = 1) {
        guard amount > 0 else { return }
        let key = CountKey(sequence: sequence, end: end)
        if run?.key == key {
            run?.amount += amount
        } else {
            endRun()
            run = Run(key: key, amount: amount)
        }
    }

    private mutating func endRun() {
        if let run { counts[run.key, default: 0] += run.amount }
        run = nil
    }

    mutating func fail(_ failure: RelayFailure) {
        if failures.count < failuresMax { failures.append(failure) }
    }

    mutating func deferRow(_ row: DeferredRow) {
        deferred[row.key] = row
        finished.remove(row.key)
    }

    mutating func finishRow(_ key: DeferredRow.Key) {
        deferred[key] = nil
        finished.insert(key)
    }

    /// The changes since the last checkpoint; nil while one is with the store, and without changes.
    mutating func checkpoint(_ mark: LaneMark) -> LaneCheckpoint? {
        guard pending == nil else { return nil }
        endRun()
        let isIdle = counts.isEmpty && failures.isEmpty && deferred.isEmpty && finished.isEmpty
        guard !isIdle || mark != storedMark else { return nil }
        let checkpoint = LaneCheckpoint(
            mark: mark,
            counts: counts.map {
                LaneCheckpoint.Count(sequence: $0.sequence, end: $0.end, amount: $1)
            }.sorted { ($0.sequence, $0.end.order) < ($1.sequence, $1.end.order) },
            failures: failures,
            deferred: deferred.values.sorted { $0.key < $1.key },
            finished: finished.sorted()
        )
        (counts, failures, deferred, finished) = ([:], [], [:], [])
        pending = checkpoint
        return checkpoint
    }

    /// The store has the checkpoint.
    mutating func stored() {
        if let pending { storedMark = pending.mark }
        pending = nil
    }
}
