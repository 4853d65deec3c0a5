package import HubVocabulary

/// Groups behind a place of a copy, and the state of the log, read as of one moment.
package struct GroupsRead: Hashable, Sendable {
    /// The state of the log.
    package var place: GroupPlace
    /// Ascending by number.
    ///
    /// Each has what the copy lacks of it: records above its head, changes of groups above its feed.
    /// From `place.changesFirst` on no group is missing that has any.
    package var groups: [EncodedGroup]
    /// The changes of the group `lastChange` of the copy's place; nil where there are none.
    package var known: ChangeMark?
    /// The newest changes that are kept; nil where there are none.
    package var newest: ChangeMark?
    /// When the oldest idempotency key of a schedule was accepted that is kept; nil where none is.
    package var oldestKey: Timestamp?

    /// Joins all.
    package init(
        place: GroupPlace,
        groups: [EncodedGroup],
        known: ChangeMark?,
        newest: ChangeMark?,
        oldestKey: Timestamp?
    ) {
        self.place = place
        self.groups = groups
        self.known = known
        self.newest = newest
        self.oldestKey = oldestKey
    }
}
