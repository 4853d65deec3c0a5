/// The time that a list is asked for; an end that is nil is open.
package struct TimeSpan: Equatable, Sendable {
    /// Then or later.
    package var since: Timestamp?
    /// Before then.
    package var until: Timestamp?

    /// All of time.
    package init() {}

    /// Reads the `since` and `until` of a query; empty values are open ends.
    ///
    /// - Throws: `.invalid` naming the field that cannot be read.
    package init(_ value: (String) -> [UInt8]?) throws(Refusal) {
        since = try Self.time(value("since"), "since")
        until = try Self.time(value("until"), "until")
        if let since, let until, until <= since {
            throw .invalid(field: "until", reason: "must be later than 'since'.")
        }
    }

    /// Whether it has no end.
    package var isOpen: Bool { since == nil && until == nil }

    /// Whether a time lies before it.
    package func begins(after time: Timestamp) -> Bool { since.map { time < $0 } ?? false }

    /// Whether a time is in it.
    package func contains(_ time: Timestamp) -> Bool {
        (since.map { time >= $0 } ?? true) && (until.map { time < $0 } ?? true)
    }

    private static func time(_ text: [UInt8]?, _ field: String) throws(Refusal) -> Timestamp? {
        guard let text, !text.isEmpty else { return nil }
        guard case .time(let time) = TimeText.parse(text.span) else {
            throw .invalid(field: field, reason: "is no time, such as 2026-05-04T09:12:00Z.")
        }
        return time
    }
}
