/// The database's word on a request whose answer was lost.
///
/// It is read from the row `head` under its lock, so after an old connection that still commits.
package enum DoubtVerdict: Hashable, Sendable {
    /// It was stored.
    case stored
    /// It was not: it has to be sent again, unchanged.
    case missing
    /// Another leader has the hub.
    case fenced
    /// The database's history is not the one that this leader wrote: it was set back.
    case otherHistory
}

extension GroupPlace {
    /// Judges by a row a group that was sent at this place.
    ///
    /// A group that is refused by the fence is in doubt too: a first attempt may have been late.
    package func verdict(
        of found: GroupPlace,
        on group: EncodedGroup,
        _ effect: GroupEffect
    ) -> DoubtVerdict {
        guard found.fence == fence else { return .fenced }
        let after = behind(group, effect)
        if found.feed == after.feed, found.head == after.head, found.headCheck == after.headCheck {
            return .stored
        }
        return found.feed == feed && found.headCheck == headCheck ? .missing : .otherHistory
    }

    /// Judges by a row a checkpoint that was sent at this place.
    package func verdict(of found: GroupPlace, onCheckpoint number: UInt64) -> DoubtVerdict {
        guard found.fence == fence else { return .fenced }
        if found.checkpoint == number { return .stored }
        return found.checkpoint == checkpoint ? .missing : .otherHistory
    }
}
