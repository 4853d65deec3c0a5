/// What the directory counts between two checkpoints, and how far the shards have fanned out.
///
/// The totals are in the store; here is only what it does not have yet.
struct TelemetryBook {
    /// Counters of a row, by the raw value of their kind.
    private typealias Counts = SIMD32<UInt64>

    private let rowsMax: Int
    private var rows: [CounterRow: Counts] = [:]
    private var refused: CheckpointBatch?
    private var lastBatch: UInt64
    /// What each shard has fanned out, and when.
    private var applied: [(through: UInt64, at: Timestamp)]
    /// Notifications with counters that not every shard has fanned out.
    private var unfinished: Set<UInt64> = []
    /// Receipts that were counted.
    var receipts: ReceiptWindow
    /// Counters that found no room since they were last asked for.
    private var dropped = 0

    /// Everything through this place was fanned out by every shard, or by an earlier process.
    private(set) var fannedOut: UInt64

    /// Counts from a head on; what is below was fanned out before.
    init(limits: CoreLimits, shards: Int, head: UInt64, lastBatch: UInt64) {
        rowsMax = limits.telemetryRowsMax
        receipts = ReceiptWindow(sizeMax: limits.receiptsRemembered)
        applied = Array(repeating: (head, Timestamp(milliseconds: 0)), count: max(1, shards))
        fannedOut = head
        self.lastBatch = lastBatch
    }

    // MARK: Counting

    /// Whether nothing waits for a checkpoint.
    var isEmpty: Bool { rows.isEmpty && refused == nil }

    /// Whether the next checkpoint should not wait.
    var isUrgent: Bool { rows.count >= rowsMax / 2 && refused == nil }

    /// Adds to a counter.
    mutating func add(_ delta: CounterDelta) {
        if delta.kind == .matched, delta.sequence > fannedOut { unfinished.insert(delta.sequence) }
        guard rows[delta.row] != nil || rows.count < rowsMax else {
            dropped += 1
            return
        }
        rows[delta.row, default: Counts()][Int(delta.kind.rawValue)] &+= delta.count
    }

    /// Counters dropped since the last call.
    mutating func takeDropped() -> Int {
        defer { dropped = 0 }
        return dropped
    }

    // MARK: Fan-out

    /// A shard has fanned out everything through a place; `accepted` says when a notification was.
    mutating func noteApplied(
        _ shard: Int,
        through sequence: UInt64,
        at time: Timestamp,
        accepted: (UInt64) -> Timestamp?
    ) {
        guard applied.indices.contains(shard), sequence > applied[shard].through else { return }
        applied[shard] = (sequence, time)
        let through = applied.map(\.through).min() ?? sequence
        guard through > fannedOut else { return }
        fannedOut = through
        let end = applied.map(\.at).max() ?? time
        for sequence in unfinished.filter({ $0 <= through }).sorted() {
            unfinished.remove(sequence)
            guard let start = accepted(sequence), end > start else { continue }
            add(
                CounterDelta(
                    sequence: sequence,
                    platform: nil,
                    kind: .fanOutMilliseconds,
                    count: end.milliseconds - start.milliseconds
                )
            )
        }
    }

    // MARK: Checkpoints

    /// A batch that the store refused; it is in hand again.
    mutating func takeRefused() -> CheckpointBatch? {
        defer { refused = nil }
        return refused
    }

    /// Everything that waits, with the cursors of the same time.
    mutating func takeBatch(_ cursors: [StoredCursor], floor: UInt64) -> CheckpointBatch {
        lastBatch += 1
        let batch = CheckpointBatch(
            number: lastBatch,
            cursors: cursors,
            counters: rows.sorted { $0.key < $1.key }.flatMap { Self.deltas($0.key, $0.value) },
            countersFloor: floor
        )
        rows.removeAll(keepingCapacity: rows.count < 1_024)
        return batch
    }

    /// The store refused a batch.
    mutating func putBack(_ batch: CheckpointBatch) { refused = batch }

    /// What is counted of a notification and not in the store.
    func waiting(of sequence: UInt64) -> [CounterDelta] {
        let names = Platform.allCases.map(\.rawValue) + [.max]
        let counted = names.flatMap { platform -> [CounterDelta] in
            let row = CounterRow(sequence: sequence, platform: platform)
            return rows[row].map { Self.deltas(row, $0) } ?? []
        }
        return counted + (refused?.counters.filter { $0.sequence == sequence } ?? [])
    }

    private static func deltas(_ row: CounterRow, _ counts: Counts) -> [CounterDelta] {
        TelemetryKind.allCases.compactMap { kind in
            let count = counts[Int(kind.rawValue)]
            guard count > 0 else { return nil }
            return CounterDelta(
                sequence: row.sequence,
                platform: Platform(rawValue: row.platform),
                kind: kind,
                count: count
            )
        }
    }
}
