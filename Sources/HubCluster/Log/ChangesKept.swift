package import HubVocabulary

/// Until when the database keeps changes of groups: for as long as copies are expected to be away.
package struct ChangesKept {
    /// Seconds for which changes are kept at least.
    package static let seconds: UInt64 = 3_600
    private static let secondsBetween: UInt64 = 60

    /// Numbers of the next group, as they were every minute or so.
    private var marks: [(instant: Instant, next: UInt64)] = []
    /// Changes of groups with lower numbers may go.
    package private(set) var first: UInt64 = 1

    /// Nothing is known yet.
    package init() {}

    /// Notes the number of the next group.
    package mutating func note(_ next: UInt64, now: Instant) {
        if marks.last.map({ now.milliseconds(since: $0.instant) >= Self.secondsBetween * 1_000 })
            ?? true
        {
            marks.append((now, next))
        }
        while let mark = marks.first,
            now.milliseconds(since: mark.instant) >= Self.seconds * 1_000
        {
            first = mark.next
            marks.removeFirst()
        }
    }
}
