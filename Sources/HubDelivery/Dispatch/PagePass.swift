import HubModel
import HubParcel
import HubVocabulary
import HubWire

/// Evaluates a page of the log for one session: which entries wait for its device, and how the others
/// are counted.
struct PagePass {
    unowned let shard: HubShard
    let index: SessionIndex
    let now: Now

    /// Takes everything of a page that the session has room for.
    func accept(_ page: LogPage, _ state: CatchUp, _ session: inout DeviceSession) {
        let before = state.scanned
        let stopped = !evaluate(page, &session, into: state)
        if !stopped { state.scanned = max(state.scanned, page.through) }
        if !stopped, let damage = page.damage { note(damage, state, &session) }
        // What is cut lies in front of all that waits. A page that gave nothing is read again, and
        // says it again.
        if let cut = page.cut, state.scanned > before {
            session.note(cut, through: state.scanned)
            state.cutThrough = max(state.cutThrough, cut.through)
            shard.counters.add(page.forgotten)
        }
        for match in page.matches ?? []
        where match.sequence > before && match.sequence <= state.scanned {
            countUnsent(match, &session)
            // An expired one is among no records, and replaces all the same.
            if case .expired = match.fate, !match.key.isEmpty {
                dropReplaced(by: match.sequence, match.key, [match.slot], state, &session)
            }
        }
        // A record that is gone has no check value to differ from.
        if let loss = session.loss, loss.check == nil, state.scanned >= loss.through {
            session.loss?.check = page.check ?? 0
        }
    }

    /// Evaluates a page's records one after another; false when enough waits already, in front of
    /// some of them.
    private func evaluate(
        _ page: LogPage,
        _ session: inout DeviceSession,
        into state: CatchUp
    ) -> Bool {
        // Where one piece of the log may not be evaluated, whatever its last record matches.
        let unknown = session.loss.flatMap { loss in
            loss.reason == .tagHistoryCut ? loss.through : nil
        }
        for record in page.records where record.sequence > state.scanned {
            if session.isFull(state, shard.limits) { return false }
            if record.sequence != unknown {
                let due = page.slots(of: record.sequence)
                evaluate(record, due: due, &session, into: state)
            } else if session.loss?.through == unknown {
                session.loss?.check = record.id.check
            }
            state.scanned = record.sequence
            state.scannedCheck = record.id.check
        }
        return true
    }

    /// Counts a match that the page says is not sent, once.
    private func countUnsent(_ match: MissedSet.Match, _ session: inout DeviceSession) {
        let counted = session.counts.counted
        let evaluatedBefore = session.counts.evaluatedBefore
        let kind: TelemetryKind
        var isCounted = match.sequence <= evaluatedBefore
        switch match.fate {
        case .due: return
        case .expired(let time):
            kind = .expired
            shard.counters.unwritten.expired += 1
            isCounted = counted.holds(match.sequence, expires: time)
        case .collapsed(let newer):
            kind = .collapsed
            shard.counters.unwritten.collapsed += 1
            // One that was sent, and not stored, may be replaced later.
            isCounted = newer <= evaluatedBefore
        case .capped:
            kind = .capped
            shard.counters.unwritten.capped += 1
        case .purged:
            kind = .purged
            shard.counters.unwritten.purged += 1
        }
        if !isCounted { countUnsent(kind, match.sequence, match.platform, &session) }
    }

    /// Adds the entries of one record that this device gets, ascending by slot.
    ///
    /// Tags are those at the record's place; transient ones are never caught up. `due` names the
    /// slots that were found to get it; nil when they were not looked for. Source: rules A.3, B.7,
    /// B.8.
    private func evaluate(
        _ record: NotificationRecord,
        due: [UInt16]?,
        _ session: inout DeviceSession,
        into state: CatchUp
    ) {
        guard !record.isTransient else { return }
        let before = state.held.count
        var slots: [UInt16] = []
        for item in session.registrations {
            guard let slot = item.slotOfDevice, matches(record, item, slot, due: due, &session)
            else { continue }
            let variant = ParcelVariant(
                template: item.template?.key ?? 0,
                registration: item.variables,
                platform: item.platform,
                codec: session.codec
            )
            let isMatch = hold(
                record,
                variant,
                item,
                slot: slot,
                &session,
                from: before,
                state
            )
            if isMatch { slots.append(slot) }
        }
        if due?.contains(SlotNumber.direct) != false,
            holdDirect(record, &session, state)
        {
            slots.append(SlotNumber.direct)
        }
        state.held[before...].sort { $0.slot < $1.slot }
        let isNew = record.sequence > session.recountThrough
        if isNew, !record.draft.collapseKey.isEmpty {
            let key = record.draft.collapseKey
            dropReplaced(by: record.sequence, key, slots, state, &session)
        }
        if record.sequence <= session.recountThrough {
            recount(state.held[before...], &session)
            state.held.removeSubrange(before...)
        }
    }

    /// Counts entries as acknowledged that the device has stored already; they are not sent.
    ///
    /// Source: rules B.4.
    private func recount(_ held: ArraySlice<HeldEntry>, _ session: inout DeviceSession) {
        for entry in held {
            session.window.found(
                sequence: entry.sequence,
                platform: entry.platform,
                now: now.instant
            )
        }
        shard.counters.acknowledged += UInt64(held.count)
        noteMoved(&session)
    }

    /// Whether it is a match that replaces others, sent or not.
    private func hold(
        _ record: NotificationRecord,
        _ variant: ParcelVariant,
        _ registration: SessionRegistration?,
        slot: UInt16,
        _ session: inout DeviceSession,
        from first: Int,
        _ state: CatchUp
    ) -> Bool {
        let counted = session.counts.counted
        let sequence = record.sequence
        guard let parcel = shard.parcel(of: record, variant, for: registration) else {
            shard.counters.unwritten.oversized += 1
            if !counted.holds(sequence) {
                countUnsent(.oversized, sequence, variant.platform, &session)
            }
            return true
        }
        guard !parcel.isTransient else { return false }
        let isRecounted = sequence <= session.recountThrough
        guard !shard.isOver(parcel.expires, now.time) || parcel.isTransient || isRecounted else {
            shard.counters.unwritten.expired += 1
            if !counted.holds(sequence, expires: parcel.expires) {
                countUnsent(.expired, sequence, variant.platform, &session)
            }
            return true
        }
        if let twin = state.held[first...].firstIndex(where: { $0.parcel.bytes == parcel.bytes }) {
            state.held[twin].twins.append(slot)
            shard.counters.unwritten.skipped += 1
            if !counted.holds(sequence) {
                countUnsent(.skipped, sequence, variant.platform, &session)
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
        _ session: inout DeviceSession
    ) {
        let begun = session.progress.openGroup
        var hasMoved = false
        for index in state.held.indices {
            let entry = state.held[index]
            guard entry.collapseKey == key, entry.sequence < sequence, entry.sequence != begun
            else { continue }
            let isLeft = state.held[index].leave(slots)
            hasMoved = hasMoved || !isLeft || state.held[index].slot != entry.slot
            guard !isLeft else { continue }
            state.held[index].isReplaced = true
            shard.counters.unwritten.collapsed += 1
            if sequence > session.counts.evaluatedBefore {
                countUnsent(.collapsed, entry.sequence, entry.platform, &session)
            }
        }
        if hasMoved { state.sortHeld() }
    }

    private func holdDirect(
        _ record: NotificationRecord,
        _ session: inout DeviceSession,
        _ state: CatchUp
    ) -> Bool {
        guard case .handles(let handles) = record.draft.target,
            case .native(let platform) = record.draft.format
        else { return false }
        let device = session.device
        let isNamed = handles.contains { handle in
            // The proof costs a thousand times more than a look at the name.
            PushHandle.claimedDevice(in: handle, platform: platform) == device
                && shard.isHandle(handle, of: device, platform: platform)
        }
        guard isNamed else { return false }
        let variant = ParcelVariant(
            template: 0,
            registration: 0,
            platform: platform,
            codec: session.codec
        )
        return hold(
            record,
            variant,
            nil,
            slot: SlotNumber.direct,
            &session,
            from: state.held.count,
            state
        )
    }

    /// Whether a registration matched a record at its place in the log and can be served.
    private func matches(
        _ record: NotificationRecord,
        _ registration: SessionRegistration,
        _ slot: UInt16,
        due: [UInt16]?,
        _ session: inout DeviceSession
    ) -> Bool {
        guard registration.isDeliverable else { return false }
        guard let due else {
            return record.matches(registration.registration(of: session.device))
        }
        // The slot may have another owner since the page was asked for.
        return due.contains(slot)
            && registration.isMeant(by: record.draft.format, at: record.sequence)
    }

    /// Takes note of records that cannot be read, behind everything else of a page.
    ///
    /// They are read again when a GAP has to be told first, in front of an entry that waits.
    private func note(
        _ damage: LogPage.Damage,
        _ state: CatchUp,
        _ session: inout DeviceSession
    ) {
        if let loss = session.loss, !loss.isTold, loss.check != nil,
            let last = state.held.last, last.sequence > loss.through
        {
            state.scanned = min(state.scanned, damage.first - 1)
            return
        }
        shard.counters.unwritten.damaged += UInt64(damage.count)
        session.note(damage)
    }

    // MARK: Counting

    /// Counts a match that is not sent, once for each device, registration and notification.
    private func countUnsent(
        _ kind: TelemetryKind,
        _ sequence: UInt64,
        _ platform: Platform,
        _ session: inout DeviceSession
    ) {
        session.countUnsent(kind, sequence, platform)
        shard.report.unsent += 1
        noteMoved(&session)
    }

    /// The session's cursor goes into the next report.
    private func noteMoved(_ session: inout DeviceSession) {
        if session.noteMoved() { shard.report.noteMoved(index) }
    }
}
