import HubModel
import HubVocabulary

/// Pages of the log for a session, and registrations that are gone.
extension HubShard {
    /// Evaluates a page for a session; false when the answer is an old one.
    func accept(_ page: LogPage, for place: Int, now: Now) -> Bool {
        guard case .catchingUp(let state) = sessions[place].mode, state.isReading,
            state.ticket == page.ticket
        else { return false }
        state.isReading = false
        counters.pagesRead += 1
        // Otherwise it was purged, or history was cut, since it was asked for.
        if page.matches == nil || page.purgedThrough == purgedThrough,
            state.checkAt == sessions[place].unknownEnd
        {
            let pass = PagePass(shard: self, place: place, now: now)
            pass.accept(page, state, &sessions[place])
        }
        return true
    }

    /// Drops entries for registrations that are gone, whatever registration has their slot now, but
    /// not the rest of a group that was begun.
    ///
    /// Source: rules B.7, B.12.
    func dropWaiting(for gone: [UInt16], _ place: Int) {
        guard !gone.isEmpty else { return }
        guard case .catchingUp(let state) = sessions[place].mode else {
            sessions[place].turn = turn.filter(sessions[place].turn) { !gone.contains($0.slot) }
            return
        }
        let begun = sessions[place].openGroup
        for index in state.held.indices where state.held[index].sequence != begun {
            if !state.held[index].leave(gone) { state.held[index].isReplaced = true }
        }
        state.settle()
        markDue(place)
    }
}
