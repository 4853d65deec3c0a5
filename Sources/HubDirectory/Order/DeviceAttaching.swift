import HubModel
import HubTables
import HubVocabulary
import HubWire

/// Opens the sessions of devices, which come, go and take each other over.
///
/// Source: rules A.5, B.1–B.6.
struct DeviceAttaching {
    let hub: HubState
    let now: Now

    /// Opens the session and fences the one before; the answer waits for the end of the group.
    func plan(_ request: AttachRequest) {
        if isRevoked(request) { return }
        guard
            !hub.devices.isQuarrel(request.device, instance: request.instance, now: now.instant)
        else {
            hub.outbox.tell(.duplicateDevice)
            let wait = UInt32.random(in: 60_000...600_000, using: &hub.identifiers.random)
            return refuse(request, with: .duplicateDevice, retryAfterMilliseconds: wait)
        }
        if let grant = request.grant {
            do throws(Refusal) { try hub.admit(new: 1, by: grant) } catch {
                let seconds = NewRegistrations.secondsLeft(now: hub.group.time)
                let wait = UInt32(seconds * 1_000)
                return refuse(request, with: .rateLimited, retryAfterMilliseconds: wait)
            }
        }
        let opened = hub.devices.open(request, now: now.instant)
        if let old = opened.old {
            let sameInstance = old.instance == request.instance
            hub.outbox.tell(.takenOver(sameInstance: sameInstance))
            hub.outbox.append(
                .message(
                    shard: old.address.shard,
                    .takenOver(
                        old.address,
                        sessionGeneration: old.generation,
                        sameInstance: sameInstance
                    )
                )
            )
        }
        hub.group.answers.append(.attach(request, sessionGeneration: opened.new))
    }

    /// Answers with everything a session needs, as of the present feed position.
    func attach(_ request: AttachRequest, _ generation: UInt64) {
        guard hub.devices.isCurrent(generation, of: request.device) else {
            // A newer connection came within the same group.
            return refuse(request, with: .takenOver)
        }
        // Within the same group, after it was planned.
        if isRevoked(request) {
            _ = hub.devices.close(generation, of: request.device)
            return
        }
        let cursor = hub.devices.cursor(of: request.device)
        let all: [Registration]
        let registrations: [Registration]
        let decision: ResumeDecision
        do throws(StoreError) {
            all = try hub.table.registrations(of: request.device)
            registrations = all.filter { !$0.isExpired(now.time) }
            decision = try ResumeDecision.decide(
                position: request.position,
                bounds: hub.log.bounds,
                cursor: cursor.map(ResumeDecision.Cursor.init(stored:)),
                lowestSince: registrations.map(\.since.sequence).min(),
                historyCut: registrations.compactMap(\.historyCut?.sequence).max()
            ) { sequence throws(StoreError) in try hub.log.check(at: sequence) }
        } catch {
            _ = hub.devices.close(generation, of: request.device)
            hub.outbox.tell(.readRefused(error))
            return refuse(request, with: .unavailable)
        }
        if decision.isMismatch { hub.outbox.tell(.historyForkSuspected) }
        let recount = recountPlace(decision, cursor, registrations)
        if recount == nil {
            note(
                decision,
                of: request.device,
                isKnown: cursor != nil || !registrations.isEmpty
            )
        } else {
            hub.devices.seen(request.device, now: now.time)
        }
        let reply = AttachReply(
            address: request.address,
            device: request.device,
            sessionGeneration: generation,
            outcome: decision.outcome,
            start: decision.start,
            lost: decision.lost,
            scannedThrough: decision.scannedThrough,
            registrations: registrations,
            etag: DeviceETag.ofOwn(all),
            devices: hub.devices.count,
            head: hub.log.bounds.head,
            recountsFrom: recount,
            evaluatedThrough: cursor?.evaluatedThrough ?? 0,
            lastSeen: cursor?.lastSeen ?? Timestamp(milliseconds: 0)
        )
        hub.outbox.append(.message(shard: request.address.shard, .attached(reply)))
    }

    /// Whether a request proves a key that was revoked; it is refused then.
    private func isRevoked(_ request: AttachRequest) -> Bool {
        let isPresent = request.keyGeneration == hub.devices.keys[request.device]
        if !isPresent {
            hub.outbox.tell(.revokedKey)
            refuse(request, with: .deviceRevoked)
        }
        return !isPresent
    }

    /// Where the session reads from when the device has stored more than the hub knows: a crash, or
    /// a takeover, came before the acknowledgement was durable.
    ///
    /// The cursor moves with what the session counts on the way. nil when there is nothing to count,
    /// or too much. Source: rules B.4.
    private func recountPlace(
        _ decision: ResumeDecision,
        _ cursor: StoredCursor?,
        _ registrations: [Registration]
    ) -> UInt64? {
        guard decision.outcome == .resumed, let cursor else { return nil }
        let known = max(cursor.acknowledged, cursor.scannedThrough, hub.log.bounds.first - 1)
        let start = decision.start.sequence
        guard known < start, start - known <= hub.terms.limits.devices.recountRecordsMax else {
            return nil
        }
        let cut = registrations.compactMap(\.historyCut?.sequence).max() ?? 0
        return known + 1 < cut ? nil : known
    }

    /// Tells a shard the present state of one of its sessions; the shard keeps its own position.
    func reload(_ session: DeviceReload) {
        let device = session.device
        guard hub.devices.isCurrent(session.sessionGeneration, of: device) else { return }
        let cursor = hub.devices.cursor(of: device)
        let registrations: [Registration]
        do throws(StoreError) {
            registrations = try hub.table.registrations(of: device)
        } catch {
            _ = hub.devices.close(session.sessionGeneration, of: device)
            hub.outbox.tell(.readRefused(error))
            return refuse(session.address, with: .unavailable)
        }
        let reply = AttachReply(
            address: session.address,
            device: device,
            sessionGeneration: session.sessionGeneration,
            outcome: .resumed,
            start: Position(
                epoch: hub.log.bounds.epoch,
                sequence: cursor?.acknowledged ?? hub.log.bounds.head,
                check: 0
            ),
            lost: 0,
            scannedThrough: cursor?.scannedThrough ?? hub.log.bounds.head,
            registrations: registrations.filter { !$0.isExpired(now.time) },
            etag: DeviceETag.ofOwn(registrations),
            devices: hub.devices.count,
            head: hub.log.bounds.head
        )
        hub.outbox.append(.message(shard: session.address.shard, .attached(reply)))
    }

    /// Answers that the session cannot be opened.
    func refuse(
        _ request: AttachRequest,
        with error: ErrorNumber,
        retryAfterMilliseconds: UInt32 = UInt32(StoreError.retrySeconds) * 1_000
    ) {
        refuse(request.address, with: error, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// Answers that a session cannot be opened, or cannot go on.
    private func refuse(
        _ address: ConnectionAddress,
        with error: ErrorNumber,
        retryAfterMilliseconds: UInt32 = UInt32(StoreError.retrySeconds) * 1_000
    ) {
        let isFinal = error == .deviceRevoked || error == .takenOver
        hub.outbox.append(
            .message(
                shard: address.shard,
                .attachRefused(
                    address,
                    error,
                    retryAfterMilliseconds: isFinal ? 0 : retryAfterMilliseconds
                )
            )
        )
    }

    /// A position that fits is how far the device has come; a device without registration and
    /// acknowledgement leaves no trace.
    ///
    /// Source: rules B.4, C.2.
    private func note(
        _ decision: ResumeDecision,
        of device: DeviceID,
        isKnown: Bool
    ) {
        guard isKnown else { return }
        if decision.outcome == .resumed {
            hub.devices.advance(
                device,
                acknowledged: decision.start.sequence,
                scannedThrough: decision.start.sequence,
                now: now.time
            )
        } else {
            hub.devices.seen(device, now: now.time)
        }
    }
}

extension ResumeDecision.Cursor {
    fileprivate init(stored: StoredCursor) {
        self.init(acknowledged: stored.acknowledged, scannedThrough: stored.scannedThrough)
    }
}
