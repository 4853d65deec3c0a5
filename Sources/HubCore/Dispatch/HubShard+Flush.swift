import HubWire

/// Writing what a turn, or the log, has for one session.
extension HubShard {
    /// Where a live session had to stop.
    private enum LiveEnd {
        case done
        /// The window or a doze stopped it in front of this notification.
        case stopped(at: TurnParcel)
    }

    /// Appends the frames of everything that may be sent to a session now.
    ///
    /// A live session that cannot take all of its entries leaves the index and reads the log from
    /// where it stopped: what is not written this turn is held by nobody.
    func assemble(_ place: Int, into bytes: inout [UInt8], now: Now) {
        if sessions[place].isLive {
            guard sessions[place].turnFirst >= 0 else { return }
            let end = Self.writeLive(
                &sessions[place],
                entries: turnEntries,
                parcels: turnParcels,
                counters: &counters,
                into: &bytes,
                now: now
            )
            if case .stopped(let turn) = end {
                fallBehind(place, before: turn.sequence, check: turn.previousCheck)
            }
        } else {
            writeHeld(place, into: &bytes, now: now)
        }
    }

    /// Drops a session's entries of this turn: its socket is full, or it is gone.
    func discardTurn(_ place: Int) {
        guard sessions[place].turnFirst >= 0 else { return }
        let first = turnEntries[Int(sessions[place].turnFirst)]
        let turn = turnParcels[Int(first.parcel)]
        if sessions[place].isLive {
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
        turnEntries.removeAll(keepingCapacity: true)
        turnParcels.removeAll(keepingCapacity: true)
    }

    private func fallBehind(_ place: Int, before sequence: UInt64, check: UInt32) {
        counters.fellBehind += 1
        leaveIndex(place)
        // The record before `sequence` was applied by every live session.
        sessions[place].mode = .catchingUp(CatchUp(scanned: sequence - 1, scannedCheck: check))
    }

    private static func writeLive(
        _ session: inout DeviceSession,
        entries: [TurnEntry],
        parcels: [TurnParcel],
        counters: inout ShardCounters,
        into bytes: inout [UInt8],
        now: Now
    ) -> LiveEnd {
        var framer = DeliveryFramer(complete: session.sentThrough)
        var position = session.turnFirst
        var end = LiveEnd.done
        while position >= 0 {
            let entry = entries[Int(position)]
            let turn = parcels[Int(entry.parcel)]
            if entry.next >= 0,
                parcels[Int(entries[Int(entry.next)].parcel)].sequence == turn.sequence
            {
                let group = group(at: position, entries: entries, parcels: parcels)
                guard write(group, &session, &framer, &counters, into: &bytes, now: now) else {
                    end = .stopped(at: turn)
                    break
                }
                position = group.next
                continue
            }
            guard
                write(turn, slot: entry.slot, &session, &framer, &counters, into: &bytes, now: now)
            else {
                end = .stopped(at: turn)
                break
            }
            position = entry.next
        }
        var backlog: UInt32 = 0
        if case .stopped = end { backlog = 1 }
        framer.finish(backlog: backlog, into: &bytes)
        session.sentThrough = framer.complete
        return end
    }

    /// The common case: one entry for this sequence.
    private static func write(
        _ turn: TurnParcel,
        slot: UInt16,
        _ session: inout DeviceSession,
        _ framer: inout DeliveryFramer,
        _ counters: inout ShardCounters,
        into bytes: inout [UInt8],
        now: Now
    ) -> Bool {
        let size = turn.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes
        if turn.parcel.isTransient {
            if session.isDozing || !session.takesTransient || !session.window.admits(bytes: size) {
                counters.transientMissed += 1
            } else {
                framer.appendTransient(slot: slot, parcel: turn.parcel.bytes, into: &bytes)
                counters.transientDeliveries += 1
                counters.deliveries += 1
            }
            return true
        }
        guard !session.isDozing, framer.reaches(turn.sequence), session.window.admits(bytes: size)
        else { return false }
        framer.append(
            sequence: turn.sequence,
            slot: slot,
            continues: false,
            redelivered: false,
            parcel: turn.parcel.bytes,
            into: &bytes
        )
        session.window.sent(sequence: turn.sequence, bytes: size, now: now.instant)
        counters.deliveries += 1
        return true
    }

    private struct TurnGroup {
        var sequence: UInt64
        var parts: [(slot: UInt16, parcel: Parcel)]
        var next: Int32
    }

    /// The entries of one sequence, ascending by slot.
    private static func group(
        at first: Int32,
        entries: [TurnEntry],
        parcels: [TurnParcel]
    ) -> TurnGroup {
        let sequence = parcels[Int(entries[Int(first)].parcel)].sequence
        var group = TurnGroup(sequence: sequence, parts: [], next: first)
        while group.next >= 0 {
            let entry = entries[Int(group.next)]
            let turn = parcels[Int(entry.parcel)]
            guard turn.sequence == sequence else { break }
            group.parts.append((entry.slot, turn.parcel))
            group.next = entry.next
        }
        group.parts.sort { $0.slot < $1.slot }
        return group
    }

    private static func write(
        _ group: TurnGroup,
        _ session: inout DeviceSession,
        _ framer: inout DeliveryFramer,
        _ counters: inout ShardCounters,
        into bytes: inout [UInt8],
        now: Now
    ) -> Bool {
        var distinct: [(slot: UInt16, parcel: Parcel)] = []
        for part in group.parts {
            let isRepeat = distinct.contains {
                $0.parcel === part.parcel || $0.parcel.bytes == part.parcel.bytes
            }
            if isRepeat { counters.skipped += 1 } else { distinct.append(part) }
        }
        let lasting = distinct.filter { !$0.parcel.isTransient }
        if let first = lasting.first {
            let size = first.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes
            guard !session.isDozing, framer.reaches(group.sequence),
                session.window.admits(bytes: size)
            else { return false }
        }
        for part in distinct where part.parcel.isTransient {
            let turn = TurnParcel(parcel: part.parcel, sequence: group.sequence, previousCheck: 0)
            _ = write(
                turn,
                slot: part.slot,
                &session,
                &framer,
                &counters,
                into: &bytes,
                now: now
            )
        }
        for (number, part) in lasting.enumerated() {
            framer.append(
                sequence: group.sequence,
                slot: part.slot,
                continues: number + 1 < lasting.count,
                redelivered: false,
                parcel: part.parcel.bytes,
                into: &bytes
            )
            session.window.sent(
                sequence: group.sequence,
                bytes: part.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes,
                now: now.instant
            )
            counters.deliveries += 1
        }
        return true
    }
}
