package import HubVocabulary

/// A lane as the store has it: where it stands, and which notifications wait by themselves.
package struct StoredLane: Hashable, Sendable {
    /// The platform whose service the lane relays to.
    package var platform: Platform
    /// Where the lane stands.
    package var mark: LaneMark
    /// Ascending by record, then by registration.
    package var deferred: [DeferredRow]

    /// Makes a lane of its parts.
    package init(platform: Platform, mark: LaneMark, deferred: [DeferredRow] = []) {
        self.platform = platform
        self.mark = mark
        self.deferred = deferred
    }
}
