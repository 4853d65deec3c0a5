/// Groups behind a place of a copy, and the state of the log, read as of one moment.
package struct GroupsRead: Hashable, Sendable {
    /// The state of the log.
    package var place: GroupPlace
    /// Ascending by number.
    ///
    /// Each has what the copy lacks of it: records above its head, changes of groups above its feed.
    /// From `place.changesFirst` on no group is missing that has any.
    package var groups: [EncodedGroup]

    /// Joins both.
    package init(place: GroupPlace, groups: [EncodedGroup]) {
        self.place = place
        self.groups = groups
    }
}
