package import HubTags
package import HubVocabulary

/// An earlier tag set of a registration and the first place at which it no longer held.
package struct FormerTags: Sendable {
    /// The set.
    package var tags: TagSet
    /// Records at this sequence number or above see a later set.
    package var until: LogPlace

    /// Makes an entry of the history.
    package init(tags: TagSet, until: LogPlace) {
        self.tags = tags
        self.until = until
    }
}
