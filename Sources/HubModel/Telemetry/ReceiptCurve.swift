/// How old a notification was when devices said that they stored, displayed or opened it.
package struct ReceiptCurve: Sendable, Equatable {
    /// The kinds that have a curve.
    package static let kinds: [TelemetryKind] = [.acknowledged, .displayed, .opened]
    /// The ages up to which each step counts, in milliseconds, ascending; older counts are in the
    /// last step.
    package static let ages: [UInt64] = [
        500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 900_000, 1_800_000,
        3_600_000, 10_800_000, 43_200_000, 86_400_000, 604_800_000,
    ]

    /// A row of steps for each kind.
    private var counts = [UInt32](
        repeating: 0,
        count: ReceiptCurve.kinds.count * ReceiptCurve.ages.count
    )

    /// Nothing came so far.
    package init() {}

    /// Counts some more of a kind; others have no curve.
    package mutating func add(_ kind: TelemetryKind, _ count: UInt64, age milliseconds: UInt64) {
        guard let row = Self.kinds.firstIndex(of: kind) else { return }
        let step = Self.ages.firstIndex { milliseconds <= $0 } ?? Self.ages.count - 1
        let place = row * Self.ages.count + step
        let (sum, isOver) = UInt64(counts[place]).addingReportingOverflow(count)
        counts[place] = isOver ? .max : UInt32(clamping: sum)
    }

    /// How many of a kind came in each step.
    package subscript(kind: TelemetryKind) -> [UInt64] {
        guard let row = Self.kinds.firstIndex(of: kind) else { return [] }
        let start = row * Self.ages.count
        return counts[start..<start + Self.ages.count].map(UInt64.init)
    }

    /// How many of a kind came up to the end of each step.
    package func sums(_ kind: TelemetryKind) -> [UInt64] {
        var sum: UInt64 = 0
        return self[kind].map { count in
            sum += count
            return sum
        }
    }

    /// The steps up to the last one in which anything came; 0 when nothing did.
    package var steps: Int {
        let last = Self.kinds.compactMap { self[$0].lastIndex { $0 > 0 } }.max()
        return last.map { $0 + 1 } ?? 0
    }
}
