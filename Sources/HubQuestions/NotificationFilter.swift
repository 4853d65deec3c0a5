import HubModel
import HubRules
import HubTags
package import HubVocabulary

/// Which notifications a list shows; nil parts mean all.
package struct NotificationFilter: Sendable {
    /// The words for what became of a notification so far.
    package enum Outcome: String, CaseIterable, Sendable {
        /// A device has stored it.
        case acknowledged
        /// A device that it was sent to has not said that it stored it.
        case unacknowledged
        /// A match does not get it: it expired, was replaced, cut, purged, missed or too large, or a
        /// push service refused it.
        case dropped
        /// Each shard has looked, and no connected device matched.
        case unmatched
    }

    /// When they were accepted.
    package var span = TimeSpan()
    /// A tag that their expression names, in any spelling.
    package var tag: [UInt8]?
    /// Their format.
    package var format: NotificationFormat?
    /// Their outcome so far.
    package var outcome: Outcome?

    /// Means all notifications.
    package init() {}

    /// Means those that a query asks for by `since`, `until`, `tag`, `format` and `outcome`; empty
    /// values mean all.
    ///
    /// - Throws: `.invalid` naming the field that cannot be read.
    package init(_ value: (String) -> [UInt8]?) throws(Refusal) {
        func given(_ field: String) -> [UInt8]? {
            value(field).flatMap { $0.isEmpty ? nil : $0 }
        }
        span = try TimeSpan(value)
        tag = given("tag")
        if let word = given("format") {
            format = SendRules.format(word: word)
            guard format != nil else {
                throw .invalid(field: "format", reason: "is no format of sends.")
            }
        }
        guard let word = given("outcome") else { return }
        outcome = Outcome(rawValue: String(decoding: word, as: UTF8.self).lowercased())
        guard outcome != nil else {
            let words = Outcome.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(field: "outcome", reason: "must be one of \(words).")
        }
    }

    /// Whether all are meant, whatever they are.
    package var isEmpty: Bool {
        span.isOpen && tag == nil && format == nil && outcome == nil
    }

    /// Whether a notification is meant, as far as it alone tells.
    func admits(_ record: NotificationRecord) -> Bool {
        guard span.contains(record.id.time) else { return false }
        if let format, record.draft.format != format { return false }
        guard let tag else { return true }
        guard case .tags(let expression) = record.draft.target else { return false }
        return (0..<expression.tagCount).contains {
            TagRules.equal(expression.tag(at: $0), tag.span)
        }
    }

    /// Whether what became of it is meant.
    func admits(_ counts: CounterTable, isFannedOut: Bool) -> Bool {
        func sum(_ kinds: [TelemetryKind]) -> UInt64 {
            kinds.reduce(0) { sum, kind in
                Platform.allCases.reduce(sum) { $0 + counts[$1, kind] }
            }
        }
        return switch outcome {
        case nil: true
        case .acknowledged: sum([.acknowledged]) > 0
        case .unacknowledged: sum([.sent]) > sum([.acknowledged])
        case .dropped: sum(TelemetryKind.dropped) > 0
        case .unmatched: isFannedOut && sum([.matched, .relayAccepted]) == 0
        }
    }
}

extension TelemetryKind {
    /// The kinds of matches that never get their notification.
    fileprivate static let dropped: [TelemetryKind] =
        [.expired, .oversized, .missed, .collapsed, .capped, .purged] + relayRefusals
}
