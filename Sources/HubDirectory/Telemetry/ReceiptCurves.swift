import HubModel
import HubVocabulary

/// The curves of the newest notifications; gone with the process, while counters stay.
struct ReceiptCurves {
    private struct Entry {
        var sequence: UInt64
        var curve = ReceiptCurve()
    }

    /// At the remainder of its place; none before the first count of its notification.
    private var entries: [Entry?] = []
    private let notificationsMax: Int

    /// No notification has a curve.
    init(_ limits: TelemetryLimits) { notificationsMax = max(1, limits.curvesMax) }

    /// Counts the word of a device on a notification of some age; an old one has no curve.
    mutating func add(_ delta: CounterDelta, age milliseconds: UInt64) {
        if entries.isEmpty { entries = Array(repeating: nil, count: notificationsMax) }
        let place = Int(delta.sequence % UInt64(notificationsMax))
        let known = entries[place]?.sequence ?? 0
        guard known <= delta.sequence else { return }
        if known < delta.sequence { entries[place] = Entry(sequence: delta.sequence) }
        entries[place]?.curve.add(delta.kind, delta.count, age: milliseconds)
    }

    /// The curve of a notification; nil when it has none.
    subscript(sequence: UInt64) -> ReceiptCurve? {
        guard !entries.isEmpty,
            let found = entries[Int(sequence % UInt64(notificationsMax))],
            found.sequence == sequence
        else { return nil }
        return found.curve
    }
}
