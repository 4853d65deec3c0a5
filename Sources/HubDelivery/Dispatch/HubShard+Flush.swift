import HubModel
import HubVocabulary
import HubWire

/// Writing what a turn, or the log, has for one session.
extension HubShard {
    /// Appends the frames of everything that may be sent to a session now.
    ///
    /// A live session that cannot take all of its entries leaves the index, and reads the log from
    /// where it stopped. Entries that are not written this turn are not held.
    func assemble(_ index: SessionIndex, into bytes: inout [UInt8], room: Int, now: Now) {
        let before = sessions[index].progress.sentThrough
        write(index, into: &bytes, room: room, now: now)
        if followed.newest > before {
            followed.sent(to: sessions[index], after: before, at: now.instant)
        }
    }

    private func write(
        _ index: SessionIndex,
        into bytes: inout [UInt8],
        room: Int,
        now: Now
    ) {
        guard sessions[index].isLive else {
            writeHeld(index, into: &bytes, room: room, now: now)
            if canGoOn(index) { turn.again.append(index) }
            return
        }
        guard !sessions[index].turn.isEmpty else { return }
        let replaced = turn.dropReplaced(&sessions[index].turn)
        var pass = LivePass(
            framer: DeliveryFramer(complete: sessions[index].progress.sentThrough),
            room: room,
            now: now
        )
        let end = pass.write(
            &sessions[index],
            entries: turn.entries,
            parcels: turn.parcels,
            sent: &turn.sent,
            into: &bytes
        )
        counters.add(pass.counters)
        for unsent in pass.unsent { count(unsent, index) }
        var stop = UInt64.max
        if case .stopped(let parcel) = end { stop = parcel.sequence }
        // Entries behind it are read again from the log, and counted then.
        for parcel in replaced where parcel.sequence < stop {
            counters.unwritten.collapsed += 1
            countUnsent(.collapsed, parcel.sequence, parcel.platform, index)
        }
        if case .stopped(let parcel) = end {
            fallBehind(index, before: parcel.sequence, check: parcel.previousCheck)
            if canGoOn(index) { turn.again.append(index) }
        }
    }

    /// Counts the transient entries of a live session's list that it will not get.
    ///
    /// Source: rules B.8.
    func missTransients(_ index: SessionIndex) {
        guard sessions[index].isLive else { return }
        turn.forEach(of: sessions[index].turn) { parcel in
            guard parcel.parcel.isTransient else { return }
            counters.unwritten.transientMissed += 1
            report.tally.add(.missed, sequence: parcel.sequence, platform: parcel.platform)
        }
    }

    /// Drops a session's entries of this turn: its socket is full, or it is gone.
    func discardTurn(_ index: SessionIndex) {
        guard let first = turn.first(of: sessions[index].turn), sessions[index].isLive else {
            return
        }
        missTransients(index)
        fallBehind(index, before: first.sequence, check: first.previousCheck)
    }

    /// Empties the lists of the turn, and returns the steps of followed notifications.
    ///
    /// `end` says when the last session's bytes were written.
    func endTurn(at end: Instant) -> [DeliveryStep] {
        for index in turn.due { sessions[index].turn = EntryList() }
        report.countSent(turn)
        for (number, parcel) in turn.parcels.enumerated() where turn.sent[number] > 0 {
            let times = UInt64(turn.sent[number])
            counters.latencies.written.add(from: parcel.durable, to: end, times: times)
        }
        turn.end()
        return followed.take()
    }

    private func fallBehind(_ index: SessionIndex, before sequence: UInt64, check: UInt32) {
        counters.fellBehind += 1
        leaveIndex(index)
        noteCounted(index)
        // The record before `sequence` was applied by every live session.
        sessions.startReading(index, CatchUp(scanned: sequence - 1, scannedCheck: check))
        skipCutHistory(index)
    }

    /// Notes that a live session's unsent matches are counted; it will read some of them again.
    func noteCounted(_ index: SessionIndex) {
        sessions[index].counts.counted = CountedMatches(
            through: max(sessions[index].counts.counted.through, feed.applied),
            at: max(sessions[index].counts.counted.at, feed.at)
        )
    }

    private func count(_ unsent: LivePass.Unsent, _ index: SessionIndex) {
        if unsent.kind == .missed {
            // Never evaluated again, so it needs no cursor.
            report.tally.add(.missed, sequence: unsent.sequence, platform: unsent.platform)
        } else {
            countUnsent(unsent.kind, unsent.sequence, unsent.platform, index)
        }
    }
}
