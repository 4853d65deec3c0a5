import HubModel
import HubVocabulary
import HubWire

/// The entries that wait for the device of a session that reads the log, and how they are written.
extension HubShard {
    /// Writes what a catching-up session holds and may get, and moves it to live at the head.
    func writeHeld(_ place: Int, into bytes: inout [UInt8], room: Int, now: Now) {
        guard case .catchingUp(var state) = sessions[place].mode else { return }
        sessions[place].mode = .live
        dropExpired(place, &state, now: now)
        // One whose registrations are being loaded again must not be live with the old ones.
        let isAtHead = state.scanned >= applied && !state.isReading
        let sendable = isAtHead ? state.held.count : knownNotLast(state.held)
        var framer = DeliveryFramer(complete: sessions[place].sentThrough)
        var written = 0
        let isHeldBack = holdsBack(place, state)
        if !isHeldBack {
            while written < sendable {
                guard tellLoss(place, before: state.held[written], &framer, into: &bytes, room)
                else { break }
                let taken = writeGroup(
                    state.held,
                    from: written,
                    place,
                    &framer,
                    into: &bytes,
                    room: room,
                    now: now
                )
                guard taken > 0 else { break }
                written += taken
            }
        }
        let waiting = state.held.count - written
        framer.finish(backlog: UInt32(waiting), into: &bytes)
        if !isHeldBack {
            // Also in front of an entry that has to wait: nothing is read until the GAP is told.
            let next = waiting > 0 ? state.held[written] : nil
            _ = tellLoss(place, before: next, &framer, into: &bytes, room)
        }
        sessions[place].sentThrough = framer.complete
        state.held.removeSubrange(..<written)
        if isAtHead, state.held.isEmpty, sessions[place].loss?.isTold != false {
            enterIndex(place)
        } else {
            sessions[place].mode = .catchingUp(state)
        }
    }

    /// Drops entries that expired while they waited, but not the rest of a group that was begun.
    private func dropExpired(_ place: Int, _ state: inout CatchUp, now: Now) {
        let begun = sessions[place].openGroup
        state.held.removeAll { entry in
            guard isOver(entry.parcel.expires, now.time), !entry.parcel.isTransient,
                entry.sequence != begun
            else { return false }
            counters.unwritten.expired += 1
            countUnsent(.expired, entry.sequence, entry.platform, place)
            return true
        }
    }

    /// Whether a session could be given more at once, without waiting for anybody.
    func canGoOn(_ place: Int) -> Bool {
        guard case .catchingUp(let state) = sessions[place].mode, !state.isReading else {
            return false
        }
        if let first = state.held.first, !holdsBack(place, state) {
            if sessions[place].openGroup == first.sequence { return true }
            let size = first.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes
            return sessions[place].window.admits(bytes: size)
        }
        if state.held.isEmpty, canTellLoss(place), !holdsBack(place, state) { return true }
        return state.scanned < applied && !mustWrite(state, sessions[place])
    }

    /// A dozing device gets nothing until a high-priority match waits, a window's worth, or something
    /// behind a GAP.
    ///
    /// Source: rules B.11.
    private func holdsBack(_ place: Int, _ state: CatchUp) -> Bool {
        guard sessions[place].isDozing, sessions[place].openGroup == nil,
            !mustWrite(state, sessions[place])
        else { return false }
        return !state.held.contains { entry in
            entry.parcel.urgency == NotificationPriority.high.rawValue
        }
    }

    /// How many entries are certain not to be the last: all but those of the last sequence, so
    /// that a backlog above 0 is always true.
    private func knownNotLast(_ held: [HeldEntry]) -> Int {
        guard let last = held.last?.sequence else { return 0 }
        return held.firstIndex { $0.sequence == last } ?? 0
    }

    /// Writes the entries of one sequence as far as there is room, or none when the window is
    /// closed; the rest of a begun group is exempt from the window.
    ///
    /// Source: rules B.7.
    private func writeGroup(
        _ held: [HeldEntry],
        from first: Int,
        _ place: Int,
        _ framer: inout DeliveryFramer,
        into bytes: inout [UInt8],
        room: Int,
        now: Now
    ) -> Int {
        let sequence = held[first].sequence
        let size = held[first].parcel.bytes.count + WireLimits.deliverEntryPrefixBytes
        guard sessions[place].openGroup == sequence || sessions[place].window.admits(bytes: size)
        else { return 0 }
        var end = first + 1
        while end < held.count, held[end].sequence == sequence { end += 1 }
        // 64 bytes are more than an entry's prefix, a frame's start and a GAP take.
        var fitting = first
        var filled = bytes.count
        while fitting < end, filled + held[fitting].parcel.bytes.count + 64 <= room {
            filled += held[fitting].parcel.bytes.count + 64
            fitting += 1
        }
        guard fitting > first else { return 0 }
        if !framer.reaches(sequence) {
            framer.appendGap(
                to: sequence - 1,
                check: held[first].previousCheck,
                lost: 0,
                reason: .moved,
                into: &bytes
            )
        }
        let isRepeat = sequence <= sessions[place].redeliveredThrough
        let isMistaken = limits.planted.has(.groupWithoutContinues)
        for index in first..<fitting {
            // Without the flag the device takes nothing more of the record.
            if isMistaken, index > first { break }
            let entry = held[index]
            framer.append(
                sequence: sequence,
                slot: entry.slot,
                continues: index + 1 < end && !isMistaken,
                redelivered: isRepeat,
                parcel: entry.parcel.bytes,
                into: &bytes
            )
            sessions[place].window.sent(
                sequence: sequence,
                platform: entry.platform,
                bytes: entry.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes,
                now: now.instant
            )
            tally.add(.sent, sequence: sequence, platform: entry.platform)
            counters.deliveries += 1
        }
        sessions[place].openGroup = fitting < end ? sequence : nil
        return fitting - first
    }
}
