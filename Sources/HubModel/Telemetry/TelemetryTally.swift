package import HubVocabulary

/// The counts of one shard since its last report to the directory.
///
/// Rows are found by a table of recent ones, so that counting costs a few instructions; a
/// dictionary is asked once for each row and again only when two rows share a place. Fan-out counts
/// once for each notification and turn, never for a delivery.
package struct TelemetryTally {
    /// Rows after which the shard should report at once.
    package static let rowsMax = 16_384

    private static let recentPlaces = 1_024

    private var rows: [CounterRow] = []
    /// `TelemetryKind.places` for each row.
    private var counts: [UInt32] = []
    private var index: [CounterRow: Int32] = [:]
    /// Row numbers by the low bits of a row's name: guesses that are compared with the row.
    private var recent = [Int32](repeating: 0, count: TelemetryTally.recentPlaces)

    /// Has counted nothing.
    package init() {}

    /// Whether nothing was counted.
    package var isEmpty: Bool { rows.isEmpty }

    /// Whether the shard should report at once.
    package var isFull: Bool { rows.count >= Self.rowsMax }

    /// Counts.
    package mutating func add(
        _ kind: TelemetryKind,
        _ count: UInt32 = 1,
        sequence: UInt64,
        platform: Platform
    ) {
        let row = row(CounterRow(sequence: sequence, platform: platform.rawValue))
        counts[row * TelemetryKind.places + Int(kind.rawValue)] &+= count
    }

    /// Everything counted, in the order in which rows began; counting begins anew.
    package mutating func take() -> [CounterDelta] {
        guard !rows.isEmpty else { return [] }
        var deltas: [CounterDelta] = []
        deltas.reserveCapacity(rows.count * 3)
        for (number, row) in rows.enumerated() {
            let platform = Platform(rawValue: row.platform)
            for kind in TelemetryKind.allCases {
                let count = counts[number * TelemetryKind.places + Int(kind.rawValue)]
                guard count > 0 else { continue }
                deltas.append(
                    CounterDelta(
                        sequence: row.sequence,
                        platform: platform,
                        kind: kind,
                        count: UInt64(count)
                    )
                )
            }
        }
        rows.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        index.removeAll(keepingCapacity: true)
        return deltas
    }

    private static func place(of row: CounterRow) -> Int {
        Int(truncatingIfNeeded: row.sequence &* 16 &+ UInt64(row.platform)) & (recentPlaces - 1)
    }

    private mutating func row(_ name: CounterRow) -> Int {
        let place = Self.place(of: name)
        let known = Int(recent[place])
        if known < rows.count, rows[known] == name { return known }
        let number: Int
        if let found = index[name] {
            number = Int(found)
        } else {
            number = rows.count
            rows.append(name)
            counts.append(contentsOf: repeatElement(0, count: TelemetryKind.places))
            index[name] = Int32(number)
        }
        recent[place] = Int32(number)
        return number
    }
}
