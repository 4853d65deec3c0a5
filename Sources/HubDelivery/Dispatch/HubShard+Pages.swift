import HubModel
import HubParcel
import HubVocabulary
import HubWire

/// Pages of the log for a session: which entries wait for its device, and how the others are
/// counted.
extension HubShard {
    /// Evaluates a page for a session; false when the answer is an old one.
    func accept(_ page: LogPage, for place: Int, now: Now) -> Bool {
        guard case .catchingUp(let state) = sessions[place].mode, state.isReading,
            state.ticket == page.ticket
        else { return false }
        state.isReading = false
        counters.pagesRead += 1
        guard page.matches == nil || page.purgedThrough == purgedThrough,
            state.checkAt == sessions[place].unknownEnd
        else {
            // Purged, or history was cut, since it was asked for.
            return true
        }
        let before = state.scanned
        let stopped = !evaluate(page, for: place, into: state, now: now)
        if !stopped { state.scanned = max(state.scanned, page.through) }
        if !stopped, let damage = page.damage { note(damage, state, place) }
        // A cut lies in front of all that waits. A page without an entry taken is read again, and
        // announces it again.
        if let cut = page.cut, state.scanned > before {
            sessions[place].note(cut, through: state.scanned)
            state.cutThrough = max(state.cutThrough, cut.through)
            counters.add(page.forgotten)
        }
        for match in page.matches ?? []
        where match.sequence > before && match.sequence <= state.scanned {
            countUnsent(match, place)
            // An expired one is among no records, and replaces all the same.
            if case .expired = match.fate, !match.key.isEmpty {
                dropReplaced(by: match.sequence, match.key, [match.slot], state, place)
            }
        }
        // A record that is gone has no check value to differ from.
        if let loss = sessions[place].loss, loss.check == nil, state.scanned >= loss.through {
            sessions[place].loss?.check = page.check ?? 0
        }
        return true
    }

    /// Evaluates a page's records one after another; false when enough waits already, in front of
    /// some of them.
    private func evaluate(
        _ page: LogPage,
        for place: Int,
        into state: CatchUp,
        now: Now
    ) -> Bool {
        // Where one piece of the log may not be evaluated, whatever its last record matches.
        let unknown = sessions[place].loss.flatMap { loss in
            loss.reason == .tagHistoryCut ? loss.through : nil
        }
        for record in page.records where record.sequence > state.scanned {
            if sessions[place].isFull(state, limits) { return false }
            if record.sequence != unknown {
                let due = page.slots(of: record.sequence)
                evaluate(record, due: due, for: place, into: state, now: now)
            } else if sessions[place].loss?.through == unknown {
                sessions[place].loss?.check = record.id.check
            }
            state.scanned = record.sequence
            state.scannedCheck = record.id.check
        }
        return true
    }

    /// Counts a match that the page says is not sent, once.
    private func countUnsent(_ match: MissedSet.Match, _ place: Int) {
        let counted = sessions[place].counted
        let evaluatedBefore = sessions[place].evaluatedBefore
        let kind: TelemetryKind
        var isCounted = match.sequence <= evaluatedBefore
        switch match.fate {
        case .due: return
        case .expired(let time):
            kind = .expired
            counters.unwritten.expired += 1
            isCounted = counted.holds(match.sequence, expires: time)
        case .collapsed(let newer):
            kind = .collapsed
            counters.unwritten.collapsed += 1
            // One that was sent, and not stored, may be replaced later.
            isCounted = newer <= evaluatedBefore
        case .capped:
            kind = .capped
            counters.unwritten.capped += 1
        case .purged:
            kind = .purged
            counters.unwritten.purged += 1
        }
        if !isCounted { countUnsent(kind, match.sequence, match.platform, place) }
    }

    /// Adds the entries of one record that this device gets, ascending by slot.
    ///
    /// Tags are those at the record's place; transient ones are never caught up. `due` names the
    /// slots that were found to get it; nil when they were not looked for. Source: rules A.3, B.7,
    /// B.8.
    private func evaluate(
        _ record: NotificationRecord,
        due: [UInt16]?,
        for place: Int,
        into state: CatchUp,
        now: Now
    ) {
        guard !record.isTransient || limits.planted.has(.transientInCatchUp) else { return }
        let before = state.held.count
        var slots: [UInt16] = []
        for item in sessions[place].registrations {
            guard let slot = item.slotOfDevice, matches(record, item, slot, due: due, place)
            else { continue }
            let variant = ParcelVariant(
                template: item.template?.key ?? 0,
                registration: item.variables,
                platform: item.platform,
                codec: sessions[place].codec
            )
            let isMatch = hold(
                record,
                variant,
                item,
                slot: slot,
                for: place,
                from: before,
                state,
                now: now
            )
            if isMatch { slots.append(slot) }
        }
        if due?.contains(SlotNumber.direct) != false,
            holdDirect(record, for: place, state, now: now)
        {
            slots.append(SlotNumber.direct)
        }
        state.held[before...].sort { $0.slot < $1.slot }
        let isNew = record.sequence > sessions[place].recountThrough
        if isNew, !record.draft.collapseKey.isEmpty {
            let key = record.draft.collapseKey
            dropReplaced(by: record.sequence, key, slots, state, place)
        }
        if record.sequence <= sessions[place].recountThrough {
            recount(state.held[before...], of: place, now: now)
            state.held.removeSubrange(before...)
        }
    }

    /// Counts entries as acknowledged that the device has stored already; they are not sent.
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

    /// Whether it is a match that replaces others, sent or not.
    private func hold(
        _ record: NotificationRecord,
        _ variant: ParcelVariant,
        _ registration: SessionRegistration?,
        slot: UInt16,
        for place: Int,
        from first: Int,
        _ state: CatchUp,
        now: Now
    ) -> Bool {
        let counted = sessions[place].counted
        let sequence = record.sequence
        guard let parcel = parcel(of: record, variant, for: registration) else {
            counters.unwritten.oversized += 1
            if !counted.holds(sequence) {
                countUnsent(.oversized, sequence, variant.platform, place)
            }
            return true
        }
        guard !parcel.isTransient || limits.planted.has(.transientInCatchUp) else { return false }
        let isRecounted = sequence <= sessions[place].recountThrough
        guard !isOver(parcel.expires, now.time) || parcel.isTransient || isRecounted else {
            counters.unwritten.expired += 1
            if !counted.holds(sequence, expires: parcel.expires) {
                countUnsent(.expired, sequence, variant.platform, place)
            }
            return true
        }
        if let twin = state.held[first...].firstIndex(where: { $0.parcel.bytes == parcel.bytes }) {
            state.held[twin].twins.append(slot)
            counters.unwritten.skipped += 1
            if !counted.holds(sequence) {
                countUnsent(.skipped, sequence, variant.platform, place)
            }
            return true
        }
        state.held.append(
            HeldEntry(
                sequence: record.sequence,
                previousCheck: state.scannedCheck,
                slot: slot,
                platform: variant.platform,
                check: record.id.check,
                collapseKey: record.draft.collapseKey,
                parcel: parcel
            )
        )
        return true
    }

    /// Drops entries for the same registrations with the same key, unless their group was begun.
    ///
    /// An entry stands for each slot that matches with its bytes: it goes when all of them are
    /// replaced, and otherwise comes for one that is not. Source: rules B.7, B.10.
    private func dropReplaced(
        by sequence: UInt64,
        _ key: [UInt8],
        _ slots: [UInt16],
        _ state: CatchUp,
        _ place: Int
    ) {
        let begun = sessions[place].openGroup
        var hasMoved = false
        for index in state.held.indices {
            let entry = state.held[index]
            guard entry.collapseKey == key, entry.sequence < sequence, entry.sequence != begun
            else { continue }
            let isLeft = state.held[index].leave(slots)
            hasMoved = hasMoved || !isLeft || state.held[index].slot != entry.slot
            guard !isLeft else { continue }
            state.held[index].isReplaced = true
            counters.unwritten.collapsed += 1
            if sequence > sessions[place].evaluatedBefore {
                countUnsent(.collapsed, entry.sequence, entry.platform, place)
            }
        }
        if hasMoved { state.settle() }
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

    private func holdDirect(
        _ record: NotificationRecord,
        for place: Int,
        _ state: CatchUp,
        now: Now
    ) -> Bool {
        guard case .handles(let handles) = record.draft.target,
            case .native(let platform) = record.draft.format
        else { return false }
        let device = sessions[place].device
        let isNamed = handles.contains { handle in
            // The proof costs a thousand times more than a look at the name.
            PushHandle.claimedDevice(in: handle, platform: platform) == device
                && isHandle(handle, of: device, platform: platform)
        }
        guard isNamed else { return false }
        let variant = ParcelVariant(
            template: 0,
            registration: 0,
            platform: platform,
            codec: sessions[place].codec
        )
        return hold(
            record,
            variant,
            nil,
            slot: SlotNumber.direct,
            for: place,
            from: state.held.count,
            state,
            now: now
        )
    }

    /// Whether a registration matched a record at its place in the log and can be served.
    private func matches(
        _ record: NotificationRecord,
        _ registration: SessionRegistration,
        _ slot: UInt16,
        due: [UInt16]?,
        _ place: Int
    ) -> Bool {
        guard registration.isDeliverable else { return false }
        guard let due else {
            return record.matches(registration.registration(of: sessions[place].device))
        }
        // The slot may have another owner since the page was asked for.
        return due.contains(slot)
            && registration.isMeant(by: record.draft.format, at: record.sequence)
    }
}
