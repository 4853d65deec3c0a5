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
            fanOut(record, now: now)
            countMatches(of: record)
        }
        applied = max(applied, item.head)
        appliedAt = now.time
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
        guard let place = sessionPlace(of: device) else { return }
        let known = sessions[place].registrations.firstIndex { $0.number == registration.number }
        let position: Int
        if let known {
            withdraw(place, known)
            sessions[place].registrations[known] = SessionRegistration(registration)
            position = known
        } else {
            position = sessions[place].registrations.count
            sessions[place].registrations.append(SessionRegistration(registration))
        }
        if sessions[place].isLive { post(place, position) } else { skipCutHistory(place) }
    }

    private func forget(number: RegistrationNumber?, device: DeviceID) {
        guard let place = sessionPlace(of: device),
            let position = sessions[place].registrations.firstIndex(where: { $0.number == number })
        else { return }
        if limits.planted.has(.deletedRegistrationDelivered) { return }
        withdraw(place, position)
        let gone = sessions[place].registrations.remove(at: position)
        if let slot = gone.slotOfDevice { dropWaiting(for: [slot], place) }
    }

    /// Selects the audience of one record and gives every live recipient its parcel.
    ///
    /// One selection, one rendering per variant; per recipient an entry of 12 bytes in this turn's
    /// list. Nothing is written before the end of the turn.
    func fanOut(_ record: NotificationRecord, now: Now) {
        defer {
            applied = record.sequence
            appliedCheck = record.id.check
        }
        recordKey = turnKey(of: record)
        if case .handles(let handles) = record.draft.target {
            deliverDirectly(record, handles: handles, now: now)
            return
        }
        if limits.planted.has(.collapseAcrossDevices) { collapseEverywhere(record) }
        audience.removeAll(keepingCapacity: true)
        let base = classTag(of: record.draft.format)
        switch record.draft.target {
        case .broadcast, .handles: index.select(nil, within: base, into: &audience)
        case .tags(let expression): index.select(expression, within: base, into: &audience)
        case .slots(let targets):
            audience = targets.compactMap(indexedSlot).sorted { $0.raw < $1.raw }
        }
        counters.selections += 1
        guard !audience.isEmpty else { return }
        variantsOfRecord.removeAll(keepingCapacity: true)
        emptyParcel = -1
        var position = 0
        while position < audience.count {
            let indexed = slots[Int(audience[position].raw)]
            let parcel = turnParcel(record, indexed, now: now)
            let end = endOfRun(from: position, as: IndexedSlotVariant(indexed))
            matches[Int(indexed.platform.rawValue)] += UInt32(end - position)
            if parcel >= 0 {
                enlist(position..<end, parcel: parcel)
            } else {
                for place in position..<end {
                    let slot = slots[Int(audience[place].raw)]
                    count(unmade: parcel, of: record, slot.platform, Int(slot.session))
                    replaceUnsent(Int(slot.session), slot: slot.slot, by: record)
                }
            }
            position = end
        }
    }

    /// The first place in the audience, behind one, whose registration has another variant.
    private func endOfRun(from start: Int, as variant: IndexedSlotVariant) -> Int {
        let (audience, slots) = (audience, slots)
        var end = start + 1
        while end < audience.count,
            IndexedSlotVariant(slots[Int(audience[end].raw)]) == variant
        { end += 1 }
        return end
    }

    /// This turn's number of a record's collapse key; 0 when it takes no part in collapsing.
    private func turnKey(of record: NotificationRecord) -> Int32 {
        let key = record.draft.collapseKey
        guard !key.isEmpty, !record.isTransient else { return 0 }
        if let known = turnKeys[key] {
            turnRepeatsKey = true
            return known
        }
        let number = Int32(turnKeys.count + 1)
        turnKeys[key] = number
        return number
    }

    /// The place in the index of a registration that is live here.
    private func indexedSlot(_ target: RegistrationTarget) -> SlotIndex? {
        guard let place = sessionPlace(of: target.device) else { return nil }
        return sessions[place].registrations.first { $0.slotOfDevice == target.slot }?.slot
    }

    /// The fields that decide a variant; equal neighbours in an audience skip the lookup.
    private struct IndexedSlotVariant: Equatable {
        var template: UInt32
        var variables: UInt32
        var platform: Platform
        var codec: ParcelCodec

        init(_ slot: IndexedSlot) {
            template = slot.template
            variables = slot.variables
            platform = slot.platform
            codec = slot.codec
        }
    }

    /// This turn's number of the parcel for an indexed registration; -1 too large, -2 expired.
    private func turnParcel(_ record: NotificationRecord, _ slot: IndexedSlot, now: Now) -> Int32 {
        let variant = ParcelVariant(
            template: slot.template,
            registration: slot.variables,
            platform: slot.platform,
            codec: slot.codec
        )
        if let known = variantsOfRecord[variant] { return known }
        let registration = sessions[Int(slot.session)].registrations.first {
            $0.slotOfDevice == slot.slot
        }
        let number = place(record, variant, registration, now: now)
        variantsOfRecord[variant] = number
        return number
    }

    private func place(
        _ record: NotificationRecord,
        _ variant: ParcelVariant,
        _ registration: SessionRegistration?,
        now: Now
    ) -> Int32 {
        guard let parcel = parcel(of: record, variant, for: registration) else { return -1 }
        if !parcel.isTransient, isOver(parcel.expires, now.time) { return -2 }
        turnParcels.append(
            TurnParcel(
                parcel: parcel,
                sequence: record.sequence,
                previousCheck: appliedCheck,
                platform: variant.platform,
                collapse: parcel.isTransient ? 0 : recordKey
            )
        )
        turnSent.append(0)
        return Int32(turnParcels.count - 1)
    }

    /// Only for a planted mistake: sessions that wait for the same key wait in vain.
    private func collapseEverywhere(_ record: NotificationRecord) {
        guard !record.draft.collapseKey.isEmpty else { return }
        for place in sessions.indices {
            guard case .catchingUp(var state) = sessions[place].mode else { continue }
            state.held.removeAll { $0.collapseKey == record.draft.collapseKey }
            sessions[place].mode = .catchingUp(state)
        }
    }

    /// Whether a notification has expired.
    func isOver(_ expires: Timestamp, _ now: Timestamp) -> Bool {
        if limits.planted.has(.expiredDelivered) { return false }
        if limits.planted.has(.clockStepExpiresAll) {
            latestTime = max(latestTime, now)
            if now < latestTime { return true }
        }
        return expires <= now
    }

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

    private func count(
        unmade parcel: Int32,
        of record: NotificationRecord,
        _ platform: Platform,
        _ place: Int
    ) {
        if parcel == -1 {
            counters.unwritten.oversized += 1
        } else {
            counters.unwritten.expired += 1
        }
        let kind = parcel == -1 ? TelemetryKind.oversized : .expired
        countUnsent(kind, record.sequence, platform, place)
    }

    /// Live matches of a record, added up once it is fanned out.
    private func countMatches(of record: NotificationRecord) {
        for platform in Platform.allCases {
            let count = matches[Int(platform.rawValue)]
            guard count > 0 else { continue }
            matches[Int(platform.rawValue)] = 0
            tally.add(.matched, count, sequence: record.sequence, platform: platform)
        }
    }

    private func deliverDirectly(_ record: NotificationRecord, handles: [[UInt8]], now: Now) {
        guard case .native(let platform) = record.draft.format else { return }
        variantsOfRecord.removeAll(keepingCapacity: true)
        emptyParcel = -1
        for handle in handles {
            // Most are of devices that are elsewhere; the proof costs more than all the rest.
            guard let device = PushHandle.claimedDevice(in: handle, platform: platform),
                let place = sessionPlace(of: device), sessions[place].isLive,
                isHandle(handle, of: device, platform: platform)
            else { continue }
            let variant = ParcelVariant(
                template: 0,
                registration: 0,
                platform: platform,
                codec: sessions[place].codec
            )
            let number =
                variantsOfRecord[variant] ?? self.place(record, variant, nil, now: now)
            variantsOfRecord[variant] = number
            matches[Int(platform.rawValue)] += 1
            if number >= 0 {
                enlist(place, slot: SlotNumber.direct, parcel: number)
            } else {
                count(unmade: number, of: record, platform, place)
                replaceUnsent(place, slot: SlotNumber.direct, by: record)
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
    private func replaceUnsent(_ place: Int, slot: UInt16, by record: NotificationRecord) {
        guard turnRepeatsKey, recordKey != 0 else { return }
        if emptyParcel < 0 {
            emptyParcel = Int32(turnParcels.count)
            turnParcels.append(
                TurnParcel(
                    parcel: Self.nothing,
                    sequence: record.sequence,
                    previousCheck: appliedCheck,
                    platform: .apple,
                    collapse: recordKey
                )
            )
            turnSent.append(0)
        }
        enlist(place, slot: slot, parcel: emptyParcel)
    }

    /// Adds an entry to the list of this turn of each session in a part of the audience.
    ///
    /// Works on arrays that are taken out meanwhile: each access to a property of a class is watched
    /// at run time, which costs more than the entry.
    private func enlist(_ part: Range<Int>, parcel: Int32) {
        let (audience, slots) = (audience, slots)
        var entries: [TurnEntry] = []
        var listed: [DeviceSession] = []
        swap(&entries, &turnEntries)
        swap(&listed, &sessions)
        for position in part {
            let indexed = slots[Int(audience[position].raw)]
            let place = Int(indexed.session)
            let isFirst = listed[place].enlist(parcel, slot: indexed.slot, in: &entries)
            if isFirst { due.append(place) }
        }
        swap(&listed, &sessions)
        swap(&entries, &turnEntries)
    }

    /// Adds an entry to a session's list of this turn.
    private func enlist(_ place: Int, slot: UInt16, parcel: Int32) {
        if sessions[place].enlist(parcel, slot: slot, in: &turnEntries) { due.append(place) }
    }
}

extension DeviceSession {
    /// Adds an entry to the session's list within a turn's entries; whether it is the first.
    fileprivate mutating func enlist(
        _ parcel: Int32,
        slot: UInt16,
        in entries: inout [HubShard.TurnEntry]
    ) -> Bool {
        let entry = Int32(entries.count)
        entries.append(HubShard.TurnEntry(parcel: parcel, next: -1, slot: slot))
        let isFirst = turnLast < 0
        if isFirst { turnFirst = entry } else { entries[Int(turnLast)].next = entry }
        turnLast = entry
        return isFirst
    }
}
