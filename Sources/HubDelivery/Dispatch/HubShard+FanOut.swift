import HubModel
import HubParcel
import HubTags
import HubVocabulary

/// The feed on one shard: changes to the sessions, then each record to its audience.
extension HubShard {
    /// Applies one group commit.
    func apply(_ item: FeedItem, now: Now) {
        for change in item.changes { apply(change) }
        for record in item.records {
            fanOut(record, durable: item.durable, now: now)
            followed.begin(record, registrations: report.matchCount, at: now.instant)
            report.finishMatches(of: record.sequence)
        }
        feed.applied = max(feed.applied, item.head)
        feed.at = now.time
    }

    private func apply(_ change: RegistrationChange) {
        switch change {
        case .put(let registration, let previous):
            if let former = previous?.target, former != registration.target {
                forget(number: previous?.number, device: former.device)
            }
            if let target = registration.target { adopt(registration, device: target.device) }
        case .removed(let registration):
            if let target = registration.target {
                forget(number: registration.number, device: target.device)
            }
        }
    }

    private func adopt(_ registration: Registration, device: DeviceID) {
        guard let index = sessions.index(of: device) else { return }
        let known = sessions[index].registrations.firstIndex { $0.number == registration.number }
        let position: Int
        if let known {
            withdraw(index, known)
            sessions[index].registrations[known] = SessionRegistration(registration)
            position = known
        } else {
            position = sessions[index].registrations.count
            sessions[index].registrations.append(SessionRegistration(registration))
        }
        if sessions[index].isLive { post(index, position) } else { skipCutHistory(index) }
    }

    private func forget(number: RegistrationNumber?, device: DeviceID) {
        guard let index = sessions.index(of: device),
            let position = sessions[index].registrations.firstIndex(where: { $0.number == number })
        else { return }
        withdraw(index, position)
        let gone = sessions[index].registrations.remove(at: position)
        if let slot = gone.slotOfDevice { dropWaiting(for: [slot], index) }
    }

    /// Selects the audience of one record and gives every live recipient its parcel.
    ///
    /// One selection, one rendering per variant; per recipient an entry of 12 bytes in this turn's
    /// list. Nothing is written before the end of the turn.
    func fanOut(_ record: NotificationRecord, durable: Instant, now: Now) {
        defer {
            feed.applied = record.sequence
            feed.check = record.id.check
        }
        turn.begin(record, durable: durable)
        if case .handles(let handles) = record.draft.target {
            deliverDirectly(record, handles: handles, now: now)
            return
        }
        switch record.draft.target {
        case .broadcast, .handles: live.select(nil, of: record.draft.format)
        case .tags(let expression): live.select(expression, of: record.draft.format)
        case .slots(let targets): live.select(targets.compactMap(indexedSlot))
        }
        counters.selections += 1
        var position = 0
        while position < live.audience.count {
            let indexed = live[live.audience[position]]
            let made = made(record, indexed, now: now)
            let end = live.endOfRun(from: position)
            report.countMatches(end - position, indexed.platform)
            switch made {
            case .parcel(let parcel): enlist(position..<end, parcel: parcel)
            case .oversized, .expired:
                for position in position..<end {
                    let slot = live[live.audience[position]]
                    leaveOut(made, record, slot.session, slot: slot.slot, slot.platform)
                }
            }
            position = end
        }
    }

    /// The place in the index of a registration that is live here.
    private func indexedSlot(_ target: RegistrationTarget) -> SlotIndex? {
        guard let index = sessions.index(of: target.device) else { return nil }
        return sessions[index].registrations.first { $0.slotOfDevice == target.slot }?.slot
    }

    /// The outcome for an indexed registration.
    private func made(
        _ record: NotificationRecord,
        _ slot: IndexedSlot,
        now: Now
    ) -> TurnLists.Made {
        let variant = slot.variant
        if let known = turn[variant] { return known }
        let registration = sessions[slot.session].registrations.first {
            $0.slotOfDevice == slot.slot
        }
        return make(record, variant, registration, now: now)
    }

    private func make(
        _ record: NotificationRecord,
        _ variant: ParcelVariant,
        _ registration: SessionRegistration?,
        now: Now
    ) -> TurnLists.Made {
        var made = TurnLists.Made.oversized
        if let parcel = parcel(of: record, variant, for: registration) {
            if !parcel.isTransient, isOver(parcel.expires, now.time) {
                made = .expired
            } else {
                let number = turn.add(
                    parcel,
                    of: record,
                    previousCheck: feed.check,
                    platform: variant.platform
                )
                made = .parcel(number)
            }
        }
        turn[variant] = made
        return made
    }

    /// Whether a notification has expired.
    func isOver(_ expires: Timestamp, _ now: Timestamp) -> Bool { expires <= now }

    /// The shared parcel of a variant, made here only if no shard has made it yet.
    func parcel(
        of record: NotificationRecord,
        _ variant: ParcelVariant,
        for registration: SessionRegistration?
    ) -> Parcel? {
        record.parcels.parcel(variant) {
            counters.parcelsMade += 1
            return maker.make(
                record,
                variant: variant,
                template: registration?.template,
                variables: registration?.pushVariables ?? []
            )
        }
    }

    /// Counts a match for which there is no parcel.
    private func leaveOut(
        _ made: TurnLists.Made,
        _ record: NotificationRecord,
        _ index: SessionIndex,
        slot: UInt16,
        _ platform: Platform
    ) {
        switch made {
        case .parcel: return
        case .oversized:
            counters.unwritten.oversized += 1
            countUnsent(.oversized, record.sequence, platform, index)
        case .expired:
            counters.unwritten.expired += 1
            countUnsent(.expired, record.sequence, platform, index)
        }
        replaceUnsent(index, slot: slot, by: record)
    }

    private func deliverDirectly(_ record: NotificationRecord, handles: [[UInt8]], now: Now) {
        guard case .native(let platform) = record.draft.format else { return }
        for handle in handles {
            // Most are of devices that are elsewhere; the proof costs more than all the rest.
            guard let device = PushHandle.claimedDevice(in: handle, platform: platform),
                let index = sessions.index(of: device), sessions[index].isLive,
                isHandle(handle, of: device, platform: platform)
            else { continue }
            let variant = ParcelVariant(
                template: 0,
                registration: 0,
                platform: platform,
                codec: sessions[index].codec
            )
            let made = turn[variant] ?? make(record, variant, nil, now: now)
            report.countMatches(1, platform)
            switch made {
            case .parcel(let parcel): enlist(index, slot: SlotNumber.direct, parcel: parcel)
            case .oversized, .expired:
                leaveOut(made, record, index, slot: SlotNumber.direct, platform)
            }
        }
    }

    /// Whether a handle is the present one of the device that it claims to lead to.
    func isHandle(_ handle: [UInt8], of device: DeviceID, platform: Platform) -> Bool {
        counters.handlesProven += 1
        let proven = PushHandle.device(
            of: handle,
            platform: platform,
            hub: name,
            secret: secret
        ) { keyGenerations[$0] ?? 0 }
        return proven == device
    }

    /// A match that is not sent replaces what this turn has for its registration with its key: it
    /// stands in the list, and is taken out with what it replaces.
    ///
    /// Source: rules B.10.
    private func replaceUnsent(_ index: SessionIndex, slot: UInt16, by record: NotificationRecord) {
        if let empty = turn.emptyParcel(of: record, previousCheck: feed.check) {
            enlist(index, slot: slot, parcel: empty)
        }
    }

    /// Adds an entry to the list of this turn of each session in a part of the audience.
    ///
    /// Works on arrays that are taken out meanwhile: each access to a property of a class is watched
    /// at run time, which costs more than the entry.
    private func enlist(_ part: Range<Int>, parcel: Int32) {
        let (audience, slots) = (live.audience, live.slots)
        var entries: [TurnEntry] = []
        var listed: [DeviceSession] = []
        swap(&entries, &turn.entries)
        swap(&listed, &sessions.rows)
        for position in part {
            let indexed = slots[Int(audience[position].raw)]
            let index = indexed.session
            let entry = TurnEntry(parcel: parcel, slot: indexed.slot)
            if listed[index.row].turn.append(entry, to: &entries) { turn.due.append(index) }
        }
        swap(&listed, &sessions.rows)
        swap(&entries, &turn.entries)
    }

    /// Adds an entry to a session's list of this turn.
    private func enlist(_ index: SessionIndex, slot: UInt16, parcel: Int32) {
        let entry = TurnEntry(parcel: parcel, slot: slot)
        if sessions[index].turn.append(entry, to: &turn.entries) { turn.due.append(index) }
    }
}
