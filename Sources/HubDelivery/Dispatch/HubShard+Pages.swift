import HubModel
import HubVocabulary

/// Pages of the log for a session, and registrations that are gone.
extension HubShard {
    /// Evaluates a page for a session; false when the answer is an old one.
    func accept(_ page: LogPage, for index: SessionIndex, now: Now) -> Bool {
        guard case .catchingUp(let state) = sessions[index].mode, state.isReading,
            state.ticket == page.ticket
        else { return false }
        state.isReading = false
        counters.reads.pages += 1
        // Otherwise it was purged, or history was cut, since it was asked for.
        if page.matches == nil || page.purgedThrough == purgedThrough,
            state.checkAt == sessions[index].unknownEnd
        {
            let pass = PagePass(shard: self, index: index, now: now)
            pass.accept(page, state, &sessions[index])
        }
        return true
    }

    /// Drops entries for registrations that are gone, whatever registration has their slot now, but
    /// not the rest of a group that was begun.
    ///
    /// Source: rules B.7, B.12.
    func dropWaiting(for gone: [UInt16], _ index: SessionIndex) {
        guard !gone.isEmpty else { return }
        guard case .catchingUp(let state) = sessions[index].mode else {
            sessions[index].turn = turn.filter(sessions[index].turn) { !gone.contains($0.slot) }
            return
        }
        let begun = sessions[index].progress.openGroup
        for entry in state.held.indices where state.held[entry].sequence != begun {
            if !state.held[entry].leave(gone) { state.held[entry].isReplaced = true }
        }
        state.sortHeld()
        markDue(index)
    }
}
