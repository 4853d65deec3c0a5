package import HubVocabulary

/// The counters of one notification, by platform and kind.
package struct CounterTable: Equatable, Sendable {
    private var rows: [UInt8: [UInt64]] = [:]

    /// All zero.
    package init() {}

    /// Sums up.
    package init(_ deltas: [CounterDelta]) { for delta in deltas { add(delta) } }

    /// Adds one delta, whatever its notification.
    package mutating func add(_ delta: CounterDelta) {
        let row = delta.platform?.rawValue ?? .max
        let empty = [UInt64](repeating: 0, count: TelemetryKind.places)
        rows[row, default: empty][Int(delta.kind.rawValue)] += delta.count
    }

    /// One counter.
    package subscript(platform: Platform?, kind: TelemetryKind) -> UInt64 {
        rows[platform?.rawValue ?? .max]?[Int(kind.rawValue)] ?? 0
    }
}
