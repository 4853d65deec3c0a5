import HubParcel
import HubVocabulary
import HubWire

extension ReadyLink {
    /// Takes DELIVER: checks that it goes on where the last one ended, then entry by entry.
    mutating func receive(
        _ frame: borrowing DeliverFrame,
        _ core: inout SessionCore,
        _ inflater: inout ParcelInflater
    ) throws(WireError) {
        guard frame.prevSeq <= acknowledgements.chain else {
            throw WireError(.seqGap, about: .deliver)
        }
        guard frame.prevSeq == acknowledgements.chain else {
            throw WireError(.badField, about: .deliver)
        }
        core.sequenceGaps = 0
        var entries = frame.makeIterator()
        while let entry = entries.next() {
            let parcel = frame.parcel(entry)
            guard let sequence = entry.seq else {
                showTransient(entry, parcel, &core, &inflater)
                continue
            }
            acknowledgements.count(parcel.count)
            let isKnown = core.state.advance(to: sequence, entry: entry, parcel: parcel)
            if isKnown {
                reportDuplicate(entry, parcel, &core)
            } else {
                store(entry, at: sequence, parcel, &core, &inflater)
            }
        }
        acknowledgements.chain = frame.completeSeq
        core.needsCommit = true
        if frame.backlog == 0 { core.actions.append(.upToDate) }
    }

    private mutating func store(
        _ entry: DeliverEntry,
        at sequence: UInt64,
        _ parcel: Span<UInt8>,
        _ core: inout SessionCore,
        _ inflater: inout ParcelInflater
    ) {
        let id = ParcelID(ofParcel: parcel)?.wire ?? .zero
        if core.configuration.remembersEntries {
            let seen = RecentEntries.Entry(id: id, slot: entry.slot)
            if core.state.recent.repeats(seen) {
                reportDuplicate(entry, parcel, &core)
                core.actions.append(
                    .entryDropped(id: id, slot: entry.slot, sequence: sequence, .repeated)
                )
                return
            }
            core.state.recent.record(seen)
        }
        do throws(ParcelError) {
            let view = try ParcelView(decoding: parcel)
            var notification = try decode(view, entry, parcel.count, core, &inflater)
            if view.urgency == .high { acknowledgements.isUrgent = true }
            guard !hasExpired(view, at: core.now) else {
                if view.wantsStoredReceipt { core.queue(.expired, of: id, slot: entry.slot) }
                core.actions.append(
                    .entryDropped(id: id, slot: entry.slot, sequence: sequence, .expired)
                )
                return
            }
            if view.wantsStoredReceipt { core.queue(.stored, of: id, slot: entry.slot) }
            notification.number = core.state.nextNumber
            core.state.nextNumber += 1
            core.messages.append(notification)
        } catch {
            core.queue(.undecodable, of: id, slot: entry.slot)
            core.actions.append(
                .entryFailed(id: id, slot: entry.slot, sequence: sequence, error)
            )
        }
    }

    /// Reports an entry that was stored before, where the sender asks for receipts of storing.
    private func reportDuplicate(
        _ entry: DeliverEntry,
        _ parcel: Span<UInt8>,
        _ core: inout SessionCore
    ) {
        do throws(ParcelError) {
            let view = try ParcelView(decoding: parcel)
            guard view.wantsStoredReceipt else { return }
            core.queue(.duplicate, of: view.id.wire, slot: entry.slot)
        } catch {
            // It was reported as undecodable when it came first.
        }
    }

    private func showTransient(
        _ entry: DeliverEntry,
        _ parcel: Span<UInt8>,
        _ core: inout SessionCore,
        _ inflater: inout ParcelInflater
    ) {
        do throws(ParcelError) {
            let view = try ParcelView(decoding: parcel)
            let notification = try decode(view, entry, parcel.count, core, &inflater)
            core.actions.append(.transient(notification))
        } catch {
            let id = ParcelID(ofParcel: parcel)?.wire ?? .zero
            core.queue(.undecodable, of: id, slot: entry.slot)
            core.actions.append(.entryFailed(id: id, slot: entry.slot, sequence: nil, error))
        }
    }

    private func decode(
        _ view: borrowing ParcelView,
        _ entry: DeliverEntry,
        _ parcelBytes: Int,
        _ core: borrowing SessionCore,
        _ inflater: inout ParcelInflater
    ) throws(ParcelError) -> ReceivedNotification {
        var notification = ReceivedNotification(
            id: view.id.wire,
            sequence: entry.seq,
            slot: entry.slot,
            payloadBytes: Int(view.rawLength),
            wireBytes: WireLimits.deliverEntryPrefixBytes + parcelBytes,
            receivedAtMilliseconds: core.now.time.milliseconds
        )
        notification.platform = view.platform.flatMap(Platform.init(rawValue:))
        notification.urgency = view.urgency
        notification.isRedelivered = entry.isRedelivered
        notification.frame = core.frame
        guard core.configuration.inflates else { return notification }
        notification.payload = try inflater.payload(
            of: view,
            maxPayload: WireLimits.payloadBytesMax
        )
        notification.isTemplate = view.isTemplate
        notification.isSilent = view.isSilent
        notification.wantsUserReceipt = view.wantsUserReceipt
        notification.contentType = view.contentType
        notification.collapseKey = String(decoding: view.collapseKey.copied(), as: UTF8.self)
        notification.headers = view.headers().map {
            NotificationHeader(
                name: String(decoding: $0.name, as: UTF8.self),
                value: String(decoding: $0.value, as: UTF8.self)
            )
        }
        notification.tags = core.state.choice(slot: entry.slot)?.tags ?? []
        return notification
    }

    /// Whether the hub's clock has passed the notification's time to live.
    private func hasExpired(_ view: borrowing ParcelView, at now: Now) -> Bool {
        hubClock.milliseconds(at: now.instant) >= view.expiresAtMilliseconds
    }

    /// Takes GAP: the position moves, and the app learns what was lost.
    mutating func receive(
        _ gap: GapFrame,
        _ core: inout SessionCore
    ) throws(WireError) {
        guard gap.from <= acknowledgements.chain else { throw WireError(.seqGap, about: .gap) }
        guard gap.from == acknowledgements.chain else { throw WireError(.badField, about: .gap) }
        acknowledgements.chain = gap.to
        acknowledgements.isUrgent = true
        if gap.to > core.state.position.sequence {
            core.state.position.sequence = gap.to
            core.state.position.check = gap.check
            core.state.openGroup = nil
        }
        core.needsCommit = true
        core.actions.append(
            .gap(LinkGap(from: gap.from, to: gap.to, lost: gap.lost, reason: gap.reason))
        )
    }
}

extension ParcelID {
    /// The same id as the rest of the link writes it.
    var wire: ID16 { ID16(high: hi, low: lo) }

    /// The last four bytes, by which a position recognises the record.
    ///
    /// Source: rules B.1.
    var check: UInt32 { UInt32(truncatingIfNeeded: lo) }
}
