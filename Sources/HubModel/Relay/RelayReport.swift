package import HubVocabulary

/// The state of one lane as the directory knows it.
package struct RelayReport: Hashable, Sendable {
    /// The platform whose service is relayed to.
    package var platform: Platform
    /// The first record that is relayed with the credential.
    package var since: UInt64
    /// All records up to here are finished, but those that are open.
    package var place: UInt64
    /// Records behind that place.
    package var behind: UInt64
    /// Records that are begun and not finished.
    package var open: Int
    /// Notifications that wait by themselves.
    package var deferred: Int
    /// Why the lane rests; nil while it sends.
    package var cause: String?
    /// The condition that the lane told last.
    package var condition: RelayCondition

    /// Makes a report of its parts.
    package init(
        platform: Platform,
        since: UInt64,
        place: UInt64,
        behind: UInt64,
        open: Int,
        deferred: Int,
        cause: String?,
        condition: RelayCondition = RelayCondition()
    ) {
        self.platform = platform
        self.since = since
        self.place = place
        self.behind = behind
        self.open = open
        self.deferred = deferred
        self.cause = cause
        self.condition = condition
    }
}
