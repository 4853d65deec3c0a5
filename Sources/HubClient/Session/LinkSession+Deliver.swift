import HubParcel
import HubTransport
import HubWire

extension LinkSession {
    /// Takes DELIVER: checks that it goes on where the last one ended, then entry by entry.
    mutating func receive(
        _ frame: borrowing DeliverFrame,
        inflater: inout ParcelInflater,
        now: TurnTime,
        actions: inout [SessionAction]
    ) throws(WireError) {
        guard frame.prevSeq <= connection.chain else {
            throw WireError(.seqGap, about: .deliver)
        }
        guard frame.prevSeq == connection.chain else {
            throw WireError(.badField, about: .deliver)
        }
        sequenceGaps = 0
        var entries = frame.makeIterator()
        while let entry = entries.next() {
            let parcel = frame.parcel(entry)
            guard let sequence = entry.seq else {
                showTransient(entry, parcel, inflater: &inflater, now: now, actions: &actions)
                continue
            }
            connection.pending.entries += 1
            connection.pending.bytes += WireLimits.deliverEntryPrefixBytes + parcel.count
            let isKnown = advance(to: sequence, entry: entry, parcel: parcel)
            guard !isKnown else { continue }
            store(
                entry,
                at: sequence,
                parcel,
                inflater: &inflater,
                now: now,
                actions: &actions
            )
        }
        connection.chain = frame.completeSeq
        needsCommit = true
        if frame.backlog == 0 { actions.append(.upToDate) }
    }

    /// Moves position and open group over an entry; returns whether it was stored before.
    private mutating func advance(
        to sequence: UInt64,
        entry: DeliverEntry,
        parcel: Span<UInt8>
    ) -> Bool {
        guard sequence > state.position.sequence else { return true }
        var slots: [UInt16] = []
        if let group = state.openGroup, group.sequence == sequence { slots = group.slots }
        let isKnown = slots.contains(entry.slot)
        if entry.continues {
            if !isKnown { slots.append(entry.slot) }
            state.openGroup = OpenGroup(sequence: sequence, slots: slots)
        } else {
            state.openGroup = nil
            state.position.sequence = sequence
            // Every parcel has at least 32 bytes and its id at a place that never moves.
            state.position.check = ParcelID(ofParcel: parcel)?.check ?? 0
        }
        return isKnown
    }

    private mutating func store(
        _ entry: DeliverEntry,
        at sequence: UInt64,
        _ parcel: Span<UInt8>,
        inflater: inout ParcelInflater,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        let id = ParcelID(ofParcel: parcel)?.wire ?? .zero
        if configuration.remembersEntries {
            let seen = RecentEntries.Entry(id: id, slot: entry.slot)
            if state.recent.repeats(seen) {
                actions.append(
                    .entryDropped(id: id, slot: entry.slot, sequence: sequence, .repeated)
                )
                return
            }
            state.recent.record(seen)
        }
        do throws(ParcelError) {
            let view = try ParcelView(decoding: parcel)
            var notification = try decode(view, entry, inflater: &inflater, now: now)
            notification.wireBytes = WireLimits.deliverEntryPrefixBytes + parcel.count
            if view.urgency == .high { connection.acknowledgesNow = true }
            guard !hasExpired(view, now: now) else {
                if view.wantsStoredReceipt { queue(.expired, id: id, slot: entry.slot, now: now) }
                actions.append(
                    .entryDropped(id: id, slot: entry.slot, sequence: sequence, .expired)
                )
                return
            }
            if view.wantsStoredReceipt { queue(.stored, id: id, slot: entry.slot, now: now) }
            notification.number = state.nextNumber
            state.nextNumber += 1
            messages.append(notification)
        } catch {
            queue(.undecodable, id: id, slot: entry.slot, now: now)
            actions.append(
                .entryFailed(id: id, slot: entry.slot, sequence: sequence, error)
            )
        }
    }

    private mutating func showTransient(
        _ entry: DeliverEntry,
        _ parcel: Span<UInt8>,
        inflater: inout ParcelInflater,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        do throws(ParcelError) {
            let view = try ParcelView(decoding: parcel)
            var notification = try decode(view, entry, inflater: &inflater, now: now)
            notification.wireBytes = WireLimits.deliverEntryPrefixBytes + parcel.count
            actions.append(.transient(notification))
        } catch {
            let id = ParcelID(ofParcel: parcel)?.wire ?? .zero
            queue(.undecodable, id: id, slot: entry.slot, now: now)
            needsCommit = true
            actions.append(.entryFailed(id: id, slot: entry.slot, sequence: nil, error))
        }
    }

    private mutating func decode(
        _ view: borrowing ParcelView,
        _ entry: DeliverEntry,
        inflater: inout ParcelInflater,
        now: TurnTime
    ) throws(ParcelError) -> ReceivedNotification {
        var notification = ReceivedNotification(view, entry, frame: connection.frame, now: now)
        guard configuration.inflates else { return notification }
        notification.payload = try inflater.payload(
            of: view,
            maxPayload: WireLimits.payloadBytesMax
        )
        notification.fill(from: view, tags: state.choice(slot: entry.slot)?.tags ?? [])
        return notification
    }

    /// Whether the hub's clock has passed the notification's time to live.
    private func hasExpired(_ view: borrowing ParcelView, now: TurnTime) -> Bool {
        guard let clock = connection.hubClock else { return false }
        return clock.milliseconds(at: now.instant) >= view.expiresAtMilliseconds
    }

    private mutating func queue(
        _ event: ReceiptEvent,
        id: ID16,
        slot: UInt16,
        now: TurnTime
    ) {
        state.queue(
            Receipt(
                notification: id,
                event: event.rawValue,
                slot: slot,
                time: now.wallMilliseconds
            )
        )
    }

    /// Takes GAP: the position moves, and the app learns what was lost.
    mutating func receive(
        _ gap: GapFrame,
        actions: inout [SessionAction]
    ) throws(WireError) {
        guard gap.from <= connection.chain else { throw WireError(.seqGap, about: .gap) }
        guard gap.from == connection.chain else { throw WireError(.badField, about: .gap) }
        connection.chain = gap.to
        connection.acknowledgesNow = true
        if gap.to > state.position.sequence {
            state.position.sequence = gap.to
            state.position.check = gap.check
            state.openGroup = nil
        }
        needsCommit = true
        actions.append(
            .gap(LinkGap(from: gap.from, to: gap.to, lost: gap.lost, reason: gap.reason))
        )
    }
}

extension ParcelID {
    /// The same id as the rest of the link writes it.
    var wire: ID16 { ID16(high: hi, low: lo) }

    /// What a position says about the record: the last four bytes.
    ///
    /// Source: rules B.1.
    var check: UInt32 { UInt32(truncatingIfNeeded: lo) }
}

extension ReceivedNotification {
    /// The parts that cost nothing to read.
    fileprivate init(
        _ view: borrowing ParcelView,
        _ entry: DeliverEntry,
        frame: [UInt8],
        now: TurnTime
    ) {
        self.init(
            id: view.id.wire,
            sequence: entry.seq,
            slot: entry.slot,
            payloadBytes: Int(view.rawLength),
            wireBytes: 0,
            receivedAtMilliseconds: now.wallMilliseconds
        )
        platform = view.platform.flatMap(DevicePlatform.init(rawValue:))
        urgency = view.urgency
        isRedelivered = entry.isRedelivered
        self.frame = frame
    }

    /// Everything else but the payload.
    fileprivate mutating func fill(from view: borrowing ParcelView, tags: [String]) {
        isTemplate = view.isTemplate
        isSilent = view.isSilent
        wantsUserReceipt = view.wantsUserReceipt
        contentType = view.contentType
        collapseKey = String(decoding: view.collapseKey.copied(), as: UTF8.self)
        headers = view.headers().map {
            ReceivedNotification.Header(
                name: String(decoding: $0.name, as: UTF8.self),
                value: String(decoding: $0.value, as: UTF8.self)
            )
        }
        self.tags = tags
    }
}
