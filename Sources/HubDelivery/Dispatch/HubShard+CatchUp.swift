import HubModel
import HubTags
import HubVocabulary

/// Sessions that read the log: after a reconnect, after falling behind, until they are at its head.
extension HubShard {
    /// A read that a session needs before it can go on; nil when it has none to wait for.
    func nextRead(_ index: SessionIndex, of shard: Int) -> LogQuery? {
        guard case .catchingUp(let state) = sessions[index].mode, !state.isReading,
            state.scanned < feed.applied, !sessions[index].mustWrite(state, limits)
        else { return nil }
        state.isReading = true
        state.ticket &+= 1
        state.checkAt = sessions[index].unknownEnd
        let session = sessions[index]
        let handle = PushHandle(
            device: session.device,
            hub: name,
            secret: secret,
            generation: keyGenerations[session.device] ?? 0
        )
        return LogQuery(
            address: ConnectionAddress(shard: shard, connection: session.connection),
            ticket: state.ticket,
            after: state.scanned,
            through: feed.applied,
            limit: limits.catchUp.pageRecords,
            device: session.device,
            handle: handle.text,
            registrations: session.registrations.map { $0.registration(of: session.device) },
            recountThrough: session.recountThrough,
            deviceCap: deviceCap,
            purgedThrough: purgedThrough,
            checkAt: state.checkAt,
            cutThrough: state.cutThrough,
            sessionGeneration: session.generation
        )
    }

    /// Lets sessions go on that catch up and could hold more, since there is something new to read;
    /// the others wait for their device or a page.
    func markReadersDue() {
        counters.reads.readersLookedAt += UInt64(sessions.readers.count)
        for index in sessions.readers {
            guard case .catchingUp(let state) = sessions[index].mode, !state.isReading,
                !sessions[index].mustWrite(state, limits)
            else { continue }
            markDue(index)
        }
    }

    /// Takes a live session out of the index, to read the log from where it is.
    func stepBack(_ index: SessionIndex) {
        missTransients(index)
        leaveIndex(index)
        switch sessions[index].mode {
        case .live:
            noteCounted(index)
            // Evaluated entries are written, or stand in this turn's list and are dropped with it.
            // A device may have come with a position that the feed has not reached here.
            let scanned = max(feed.applied, sessions[index].progress.sentThrough)
            let state = CatchUp(scanned: scanned, scannedCheck: feed.check)
            if let first = turn.first(of: sessions[index].turn) {
                state.scanned = first.sequence - 1
                state.scannedCheck = first.previousCheck
            }
            // Not before `resume`: the registrations may be out of date.
            state.isReading = true
            sessions.startReading(index, state)
        case .catchingUp(let state):
            state.isReading = true
            state.ticket &+= 1
        }
    }

    /// Gives a session the registrations that its device has now; what waits for others is not sent
    /// any more.
    func replaceRegistrations(_ index: SessionIndex, by present: [Registration]) {
        for position in sessions[index].registrations.indices { withdraw(index, position) }
        let gone = sessions[index].registrations.compactMap { known in
            present.contains(where: known.isSame) ? nil : known.slotOfDevice
        }
        sessions[index].registrations = SessionRegistrations(present)
        dropWaiting(for: gone, index)
    }

    /// Lets a session that stepped back read on.
    func resume(_ index: SessionIndex) {
        guard case .catchingUp(let state) = sessions[index].mode else { return }
        state.isReading = false
        state.ticket &+= 1
        skipCutHistory(index)
        markDue(index)
    }
}
