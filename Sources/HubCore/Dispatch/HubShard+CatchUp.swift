import HubParcel
import HubTags
import HubWire

/// Sessions that read the log: after a reconnect, after falling behind, until they are at its head.
extension HubShard {
    /// A read that a session needs before it can go on; nil when it has none to wait for.
    func nextRead(_ place: Int) -> (after: UInt64, through: UInt64, ticket: UInt32)? {
        guard case .catchingUp(var state) = sessions[place].mode, !state.isReading,
            state.scanned < applied, !isFull(state, sessions[place])
        else { return nil }
        state.isReading = true
        state.ticket &+= 1
        let read = (after: state.scanned, through: applied, ticket: state.ticket)
        sessions[place].mode = .catchingUp(state)
        return read
    }

    /// Whoever catches up and could hold more has something new to read, in a fixed order; the
    /// others wait for their device or a page.
    func markReadersDue() {
        for place in sessions.indices {
            guard case .catchingUp(let state) = sessions[place].mode, !state.isReading,
                !isFull(state, sessions[place])
            else { continue }
            markDue(place)
        }
    }

    /// Takes a live session out of the index, to read the log from where it is.
    func stepBack(_ place: Int) {
        leaveIndex(place)
        switch sessions[place].mode {
        case .live:
            noteCounted(place)
            // What was evaluated is written, or stands in this turn's list and is dropped with it.
            // A device may have come with a position that the feed has not reached here.
            let scanned = max(applied, sessions[place].sentThrough)
            var state = CatchUp(scanned: scanned, scannedCheck: appliedCheck)
            if sessions[place].turnFirst >= 0 {
                let first = turnParcels[Int(turnEntries[Int(sessions[place].turnFirst)].parcel)]
                state = CatchUp(scanned: first.sequence - 1, scannedCheck: first.previousCheck)
            }
            // Not before `resume`: the registrations may be out of date.
            state.isReading = true
            sessions[place].mode = .catchingUp(state)
        case .catchingUp(var state):
            state.isReading = true
            state.ticket &+= 1
            sessions[place].mode = .catchingUp(state)
        }
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

    /// Whether a window's worth of matches, and one notification more, waits already.
    private func isFull(_ state: CatchUp, _ session: DeviceSession) -> Bool {
        // With a single notification it is not known yet whether another follows.
        guard let first = state.held.first, first.sequence != state.held.last?.sequence else {
            return false
        }
        return state.held.count > Int(max(1, session.window.messagesMax))
            || state.held.reduce(0) { $0 + $1.parcel.bytes.count } > Int(limits.windowBytesMax)
    }

    /// Evaluates a page for a session; false when the answer is an old one.
    func accept(_ page: LogPage, for place: Int, now: Now) -> Bool {
        guard case .catchingUp(var state) = sessions[place].mode, state.isReading,
            state.ticket == page.ticket
        else { return false }
        // Held only by `state` while it grows.
        sessions[place].mode = .live
        state.isReading = false
        counters.pagesRead += 1
        var stopped = false
        for record in page.records where record.sequence > state.scanned {
            if isFull(state, sessions[place]) {
                stopped = true
                break
            }
            if record.sequence == sessions[place].loss?.through {
                sessions[place].loss?.check = record.id.check
            } else {
                evaluate(record, for: place, into: &state, now: now)
            }
            state.scanned = record.sequence
            state.scannedCheck = record.id.check
        }
        if !stopped { state.scanned = max(state.scanned, page.through) }
        // A record that is gone has no check value to differ from.
        if let loss = sessions[place].loss, loss.check == nil, state.scanned >= loss.through {
            sessions[place].loss?.check = 0
        }
        sessions[place].mode = .catchingUp(state)
        return true
    }

    /// Adds the entries of one record that this device gets, ascending by slot.
    ///
    /// Tags are those at the record's place; transient ones are never caught up.
    /// Source: rules A.3, B.7, B.8.
    private func evaluate(
        _ record: NotificationRecord,
        for place: Int,
        into state: inout CatchUp,
        now: Now
    ) {
        guard !record.isTransient else { return }
        let before = state.held.count
        for item in sessions[place].registrations {
            let registration = item.registration
            guard let slot = registration.target?.slot, matches(record, registration) else {
                continue
            }
            let variant = ParcelVariant(
                template: registration.template?.key ?? 0,
                registration: item.variables,
                platform: registration.content.platform,
                codec: sessions[place].codec
            )
            hold(
                record,
                variant,
                registration,
                slot: slot,
                for: place,
                from: before,
                &state,
                now: now
            )
        }
        holdDirect(record, for: place, &state, now: now)
        state.held[before...].sort { $0.slot < $1.slot }
        if record.sequence <= sessions[place].recountThrough {
            recount(state.held[before...], of: place, now: now)
            state.held.removeSubrange(before...)
        }
    }

    /// What the device says it has stored already is acknowledged, not sent.
    ///
    /// Source: rules B.4.
    private func recount(_ held: ArraySlice<HeldEntry>, of place: Int, now: Now) {
        for entry in held {
            sessions[place].window.found(
                sequence: entry.sequence,
                platform: entry.platform,
                now: now.instant
            )
        }
        counters.acknowledged += UInt64(held.count)
        noteMoved(place)
    }

    private func hold(
        _ record: NotificationRecord,
        _ variant: ParcelVariant,
        _ registration: Registration?,
        slot: UInt16,
        for place: Int,
        from first: Int,
        _ state: inout CatchUp,
        now: Now
    ) {
        let counted = sessions[place].counted
        let sequence = record.sequence
        guard let parcel = parcel(of: record, variant, for: registration) else {
            counters.oversized += 1
            if !counted.holds(sequence) {
                countUnsent(.oversized, sequence, variant.platform, place)
            }
            return
        }
        guard !parcel.isTransient else { return }
        guard parcel.expires > now.time || sequence <= sessions[place].recountThrough else {
            counters.expired += 1
            if !counted.holds(sequence, expires: parcel.expires) {
                countUnsent(.expired, sequence, variant.platform, place)
            }
            return
        }
        if state.held[first...].contains(where: { $0.parcel.bytes == parcel.bytes }) {
            counters.skipped += 1
            if !counted.holds(sequence) {
                countUnsent(.skipped, sequence, variant.platform, place)
            }
            return
        }
        state.held.append(
            HeldEntry(
                sequence: record.sequence,
                previousCheck: state.scannedCheck,
                slot: slot,
                platform: variant.platform,
                parcel: parcel
            )
        )
    }

    private func holdDirect(
        _ record: NotificationRecord,
        for place: Int,
        _ state: inout CatchUp,
        now: Now
    ) {
        guard case .handles(let handles) = record.draft.target,
            case .native(let platform) = record.draft.format
        else { return }
        let device = sessions[place].device
        let isNamed = handles.contains { handle in
            // The proof costs a thousand times more than a look at the name.
            PushHandle.claimedDevice(in: handle, platform: platform) == device
                && isHandle(handle, of: device, platform: platform)
        }
        guard isNamed else { return }
        let variant = ParcelVariant(
            template: 0,
            registration: 0,
            platform: platform,
            codec: sessions[place].codec
        )
        hold(
            record,
            variant,
            nil,
            slot: SlotNumber.direct,
            for: place,
            from: state.held.count,
            &state,
            now: now
        )
    }

    /// Whether a registration matched a record at its place in the log and can be served.
    private func matches(_ record: NotificationRecord, _ registration: Registration) -> Bool {
        let isServed = registration.content.template == nil || registration.template != nil
        return isServed && record.matches(registration)
    }

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
        if waiting == 0, !isHeldBack {
            _ = tellLoss(place, before: nil, &framer, into: &bytes, room)
        }
        sessions[place].sentThrough = framer.complete
        state.held.removeSubrange(..<written)
        if isAtHead, state.held.isEmpty, sessions[place].loss?.isTold != false {
            enterIndex(place)
        } else {
            sessions[place].mode = .catchingUp(state)
        }
    }

    /// What expired while it waited is not sent, but for the rest of a group that was begun.
    private func dropExpired(_ place: Int, _ state: inout CatchUp, now: Now) {
        let begun = sessions[place].openGroup
        state.held.removeAll { entry in
            guard entry.parcel.expires <= now.time, entry.sequence != begun else { return false }
            counters.expired += 1
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
        return state.scanned < applied && !isFull(state, sessions[place])
    }

    /// A dozing device gets nothing until a high-priority match waits, or a window's worth.
    ///
    /// Source: rules B.11.
    private func holdsBack(_ place: Int, _ state: CatchUp) -> Bool {
        guard sessions[place].isDozing, sessions[place].openGroup == nil,
            !isFull(state, sessions[place])
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
        for index in first..<fitting {
            let entry = held[index]
            framer.append(
                sequence: sequence,
                slot: entry.slot,
                continues: index + 1 < end,
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
