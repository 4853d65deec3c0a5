import HubModel
import HubTables
import HubVocabulary

/// The directory's counts between two checkpoints, and how far the shards have fanned out.
///
/// The totals are in the store; here is only what it does not have yet.
struct TelemetryBook {
    private static let recentPlaces = 1_024

    private let rowsMax: Int
    /// The rows in the order in which they began, and where each of them is.
    private var rows: [CounterRow] = []
    private var places: [CounterRow: Int32] = [:]
    /// `TelemetryKind.places` for each row.
    private var counts: [UInt64] = []
    /// Places by the low bits of a row's name, as in `TelemetryTally`.
    private var recent = [Int32](repeating: 0, count: TelemetryBook.recentPlaces)
    private var refused: CheckpointBatch?
    private var lastBatch: UInt64
    /// How far each shard has fanned out, and when.
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
        rowsMax = limits.telemetry.telemetryRowsMax
        receipts = ReceiptWindow(sizeMax: limits.telemetry.receiptsRemembered)
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
        guard let row = place(of: delta.row) else {
            dropped += 1
            return
        }
        counts[row * TelemetryKind.places + Int(delta.kind.rawValue)] &+= delta.count
    }

    /// Where a row's counts are, which may be new; nil when there is no room.
    ///
    /// Every delivery comes here once, mostly for one of few notifications.
    private mutating func place(of row: CounterRow) -> Int? {
        let mark = Int(truncatingIfNeeded: row.sequence &* 16 &+ UInt64(row.platform & 15))
        let guess = Int(recent[mark & (Self.recentPlaces - 1)])
        if guess < rows.count, rows[guess] == row { return guess }
        var place = places[row].map { Int($0) }
        if place == nil, rows.count < rowsMax {
            place = rows.count
            places[row] = Int32(rows.count)
            rows.append(row)
            counts.append(contentsOf: repeatElement(0, count: TelemetryKind.places))
        }
        if let place { recent[mark & (Self.recentPlaces - 1)] = Int32(place) }
        return place
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
        var finished: [UInt64] = []
        for sequence in unfinished where sequence <= through { finished.append(sequence) }
        finished.sort()
        if finished.count == unfinished.count {
            unfinished.removeAll(keepingCapacity: finished.count < 1_024)
        } else {
            for sequence in finished { unfinished.remove(sequence) }
        }
        for sequence in finished {
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
    mutating func takeBatch(
        _ dirty: (forgotten: [DeviceID], cursors: [StoredCursor]),
        floor: UInt64
    ) -> CheckpointBatch {
        lastBatch += 1
        var deltas: [CounterDelta] = []
        deltas.reserveCapacity(rows.count * 3)
        for place in rows.indices.sorted(by: { rows[$0] < rows[$1] }) {
            appendDeltas(of: place, to: &deltas)
        }
        let keepsCapacity = rows.count < 1_024
        rows.removeAll(keepingCapacity: keepsCapacity)
        places.removeAll(keepingCapacity: keepsCapacity)
        counts.removeAll(keepingCapacity: keepsCapacity)
        return CheckpointBatch(
            number: lastBatch,
            forgotten: dirty.forgotten,
            cursors: dirty.cursors,
            counters: deltas,
            countersFloor: floor
        )
    }

    /// The store refused a batch.
    mutating func putBack(_ batch: CheckpointBatch) { refused = batch }

    /// Returns the counts of a notification that are not in the store yet.
    func waiting(of sequence: UInt64) -> [CounterDelta] {
        let names = Platform.allCases.map(\.rawValue) + [.max]
        var counted: [CounterDelta] = []
        for platform in names {
            let place = places[CounterRow(sequence: sequence, platform: platform)]
            if let place { appendDeltas(of: Int(place), to: &counted) }
        }
        return counted + (refused?.counters.filter { $0.sequence == sequence } ?? [])
    }

    /// Appends the counts of a row, kind by kind.
    private func appendDeltas(of place: Int, to deltas: inout [CounterDelta]) {
        let row = rows[place]
        let platform = Platform(rawValue: row.platform)
        for kind in TelemetryKind.allCases {
            let count = counts[place * TelemetryKind.places + Int(kind.rawValue)]
            guard count > 0 else { continue }
            deltas.append(
                CounterDelta(
                    sequence: row.sequence,
                    platform: platform,
                    kind: kind,
                    count: count
                )
            )
        }
    }
}
