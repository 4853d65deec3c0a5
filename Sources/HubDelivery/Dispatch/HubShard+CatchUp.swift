import HubModel
import HubTags
import HubVocabulary

/// Sessions that read the log: after a reconnect, after falling behind, until they are at its head.
extension HubShard {
    /// A read that a session needs before it can go on; nil when it has none to wait for.
    func nextRead(_ place: Int, of shard: Int) -> LogQuery? {
        guard case .catchingUp(var state) = sessions[place].mode, !state.isReading,
            state.scanned < applied, !mustWrite(state, sessions[place])
        else { return nil }
        state.isReading = true
        state.ticket &+= 1
        state.checkAt = unknownEnd(place)
        sessions[place].mode = .catchingUp(state)
        let session = sessions[place]
        let handle = PushHandle(
            device: session.device,
            hub: name,
            secret: secret,
            generation: keyGenerations[session.device] ?? 0
        )
        var query = LogQuery(
            address: ConnectionAddress(shard: shard, connection: session.connection),
            ticket: state.ticket,
            after: state.scanned,
            through: applied,
            limit: limits.pageRecords,
            device: session.device,
            handle: handle.text,
            registrations: session.registrations.map { item in
                mistaken(item.registration(of: session.device), place)
            },
            recountThrough: session.recountThrough,
            deviceCap: deviceCap,
            purgedThrough: purgedThrough,
            checkAt: state.checkAt,
            cutThrough: state.cutThrough,
            sessionGeneration: session.generation
        )
        query.planted = limits.planted
        return query
    }

    /// The registration as it is; one without a history only when a mistake is planted.
    private func mistaken(_ registration: Registration, _ place: Int) -> Registration {
        let isOfNow = limits.planted.has(.tagsAsOfNow)
        guard isOfNow || limits.planted.has(.tagsAsOfResume) else { return registration }
        var mistaken = registration
        let resumed = max(sessions[place].redeliveredThrough, registration.since.sequence)
        let tags = isOfNow ? registration.tags : registration.tags(at: resumed)
        mistaken.content.tags = tags ?? registration.tags
        mistaken.granted = TagSet()
        mistaken.tagsSince = registration.since
        return mistaken
    }

    /// Lets sessions go on that catch up and could hold more, since there is something new to read;
    /// the others wait for their device or a page.
    func markReadersDue() {
        counters.readersLookedAt += UInt64(readers.count)
        for place in readers {
            guard case .catchingUp(let state) = sessions[place].mode, !state.isReading,
                !mustWrite(state, sessions[place])
            else { continue }
            markDue(place)
        }
    }

    /// Lets a session read the log from now on.
    func startReading(_ place: Int, _ state: CatchUp) {
        sessions[place].mode = .catchingUp(state)
        guard sessions[place].readerIndex < 0 else { return }
        sessions[place].readerIndex = Int32(readers.count)
        readers.append(place)
    }

    /// A session needs the log no longer.
    func stopReading(_ place: Int) {
        let index = Int(sessions[place].readerIndex)
        guard index >= 0, let last = readers.popLast() else { return }
        if last != place {
            readers[index] = last
            sessions[last].readerIndex = Int32(index)
        }
        sessions[place].readerIndex = -1
    }

    /// Takes a live session out of the index, to read the log from where it is.
    func stepBack(_ place: Int) {
        missTransients(place)
        leaveIndex(place)
        switch sessions[place].mode {
        case .live:
            noteCounted(place)
            // Evaluated entries are written, or stand in this turn's list and are dropped with it.
            // A device may have come with a position that the feed has not reached here.
            let scanned = max(applied, sessions[place].sentThrough)
            var state = CatchUp(scanned: scanned, scannedCheck: appliedCheck)
            if sessions[place].turnFirst >= 0 {
                let first = turnParcels[Int(turnEntries[Int(sessions[place].turnFirst)].parcel)]
                state = CatchUp(scanned: first.sequence - 1, scannedCheck: first.previousCheck)
            }
            // Not before `resume`: the registrations may be out of date.
            state.isReading = true
            startReading(place, state)
        case .catchingUp(var state):
            state.isReading = true
            state.ticket &+= 1
            sessions[place].mode = .catchingUp(state)
        }
    }

    /// Gives a session the registrations that its device has now; what waits for others is not sent
    /// any more.
    func replaceRegistrations(_ place: Int, by present: [Registration]) {
        for position in sessions[place].registrations.indices { withdraw(place, position) }
        let gone = sessions[place].registrations.compactMap { known in
            present.contains(where: known.isSame) ? nil : known.slotOfDevice
        }
        sessions[place].registrations = SessionRegistrations(present)
        dropWaiting(for: gone, place)
    }

    /// Lets a session that stepped back read on.
    func resume(_ place: Int) {
        guard case .catchingUp(var state) = sessions[place].mode else { return }
        state.isReading = false
        state.ticket &+= 1
        sessions[place].mode = .catchingUp(state)
        skipCutHistory(place)
        markDue(place)
    }

    /// Whether the entries that wait must leave before more is read: they are enough, or a GAP
    /// stands in front of some of them.
    ///
    /// A loss behind an entry must not be told with one in front of it. A device that stored the
    /// entry and then lost its connection would never hear of the first.
    func mustWrite(_ state: CatchUp, _ session: DeviceSession) -> Bool {
        if isFull(state, session) { return true }
        guard let loss = session.loss, !loss.isTold, loss.check != nil,
            let last = state.held.last
        else { return false }
        return last.sequence > loss.through
    }

    /// Whether a window's worth of matches, and one notification more, waits already.
    func isFull(_ state: CatchUp, _ session: DeviceSession) -> Bool {
        // With a single notification it is not known yet whether another follows.
        guard let first = state.held.first, first.sequence != state.held.last?.sequence else {
            return false
        }
        return state.held.count > Int(max(1, session.window.messagesMax))
            || state.held.reduce(0) { $0 + $1.parcel.bytes.count } > Int(limits.windowBytesMax)
    }
}
