package import HubVocabulary

/// Something to add to one counter of one notification.
package struct CounterDelta: Hashable, Sendable {
    /// The notification's place in the log.
    package var sequence: UInt64
    /// Which platform's counters; nil for those of the whole notification.
    package var platform: Platform?
    /// Which counter.
    package var kind: TelemetryKind
    /// How much.
    package var count: UInt64

    /// Makes a delta.
    package init(sequence: UInt64, platform: Platform?, kind: TelemetryKind, count: UInt64) {
        self.sequence = sequence
        self.platform = platform
        self.kind = kind
        self.count = count
    }

    /// Names the row that it belongs to; ascending by sequence number, then platform.
    package var row: CounterRow {
        CounterRow(sequence: sequence, platform: platform?.rawValue ?? .max)
    }
}
