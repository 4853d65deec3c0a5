import HubModel
import HubVocabulary
import HubWire

/// Writing what a turn, or the log, has for one session.
extension HubShard {
    /// Appends the frames of everything that may be sent to a session now.
    ///
    /// A live session that cannot take all of its entries leaves the index, and reads the log from
    /// where it stopped. Entries that are not written this turn are not held.
    func assemble(_ place: Int, into bytes: inout [UInt8], room: Int, now: Now) {
        guard sessions[place].isLive else {
            writeHeld(place, into: &bytes, room: room, now: now)
            if canGoOn(place) { again.append(place) }
            return
        }
        guard sessions[place].turnFirst >= 0 else { return }
        let replaced = turnRepeatsKey ? dropReplaced(place) : []
        var pass = LivePass(
            framer: DeliveryFramer(complete: sessions[place].sentThrough),
            room: room,
            now: now
        )
        let end = pass.write(
            &sessions[place],
            entries: turnEntries,
            parcels: turnParcels,
            sent: &turnSent,
            into: &bytes
        )
        counters.add(pass.counters)
        for unsent in pass.unsent { count(unsent, place) }
        var stop = UInt64.max
        if case .stopped(let turn) = end { stop = turn.sequence }
        // Entries behind it are read again from the log, and counted then.
        for turn in replaced where turn.sequence < stop {
            counters.unwritten.collapsed += 1
            countUnsent(.collapsed, turn.sequence, turn.platform, place)
        }
        if case .stopped(let turn) = end {
            fallBehind(place, before: turn.sequence, check: turn.previousCheck)
            if canGoOn(place) { again.append(place) }
        }
    }

    /// Takes out of a live session's list of this turn what a later match with the same key and slot
    /// replaces, and the matches that are not sent.
    ///
    /// Source: rules B.10.
    private func dropReplaced(_ place: Int) -> [TurnParcel] {
        var seen: Set<UInt64> = []
        var dropped: [TurnParcel] = []
        // From the last to the first.
        filterTurn(place) { entry in
            let turn = turnParcels[Int(entry.parcel)]
            let scope = UInt64(turn.collapse) << 16 | UInt64(entry.slot)
            let isNewest = turn.collapse == 0 || seen.insert(scope).inserted
            let isSent = turn.parcel !== Self.nothing
            if isSent, !isNewest { dropped.append(turn) }
            return isSent && isNewest
        }
        return dropped
    }

    /// Keeps of a session's list of this turn what is asked for; asks from the last to the first.
    func filterTurn(_ place: Int, _ isKept: (TurnEntry) -> Bool) {
        var list: [Int32] = []
        var next = sessions[place].turnFirst
        while next >= 0 {
            list.append(next)
            next = turnEntries[Int(next)].next
        }
        sessions[place].turnLast = -1
        for number in list.reversed() where isKept(turnEntries[Int(number)]) {
            turnEntries[Int(number)].next = next
            if next < 0 { sessions[place].turnLast = number }
            next = number
        }
        sessions[place].turnFirst = next
    }

    /// Counts the transient entries of a live session's list that it will not get.
    ///
    /// Source: rules B.8.
    func missTransients(_ place: Int) {
        guard sessions[place].isLive else { return }
        var next = sessions[place].turnFirst
        while next >= 0 {
            let entry = turnEntries[Int(next)]
            let turn = turnParcels[Int(entry.parcel)]
            if turn.parcel.isTransient {
                counters.unwritten.transientMissed += 1
                tally.add(.missed, sequence: turn.sequence, platform: turn.platform)
            }
            next = entry.next
        }
    }

    /// Drops a session's entries of this turn: its socket is full, or it is gone.
    func discardTurn(_ place: Int) {
        guard sessions[place].turnFirst >= 0 else { return }
        let first = turnEntries[Int(sessions[place].turnFirst)]
        let turn = turnParcels[Int(first.parcel)]
        if sessions[place].isLive {
            missTransients(place)
            fallBehind(place, before: turn.sequence, check: turn.previousCheck)
        }
    }

    /// Empties the lists of the turn.
    func endTurn() {
        for place in due {
            sessions[place].turnFirst = -1
            sessions[place].turnLast = -1
        }
        due.removeAll(keepingCapacity: true)
        swap(&due, &again)
        for (number, turn) in turnParcels.enumerated() where turnSent[number] > 0 {
            tally.add(.sent, turnSent[number], sequence: turn.sequence, platform: turn.platform)
        }
        turnEntries.removeAll(keepingCapacity: true)
        turnParcels.removeAll(keepingCapacity: true)
        turnSent.removeAll(keepingCapacity: true)
        turnKeys.removeAll(keepingCapacity: turnKeys.count < 1_024)
        turnRepeatsKey = false
    }

    private func fallBehind(_ place: Int, before sequence: UInt64, check: UInt32) {
        counters.fellBehind += 1
        leaveIndex(place)
        noteCounted(place)
        // The record before `sequence` was applied by every live session.
        let scanned = limits.planted.has(.watermarkLosesGap) ? applied : sequence - 1
        startReading(place, CatchUp(scanned: scanned, scannedCheck: check))
        skipCutHistory(place)
    }

    /// Notes that a live session's unsent matches are counted; it will read some of them again.
    func noteCounted(_ place: Int) {
        sessions[place].counted = CountedMatches(
            through: max(sessions[place].counted.through, applied),
            at: max(sessions[place].counted.at, appliedAt)
        )
    }

    private func count(_ unsent: LivePass.Unsent, _ place: Int) {
        if unsent.kind == .missed {
            // Never evaluated again, so it needs no cursor.
            tally.add(.missed, sequence: unsent.sequence, platform: unsent.platform)
        } else {
            countUnsent(unsent.kind, unsent.sequence, unsent.platform, place)
        }
    }
}
