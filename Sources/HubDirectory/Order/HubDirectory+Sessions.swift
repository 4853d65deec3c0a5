import HubModel
import HubVocabulary
import HubWire

// Devices come, go and take each other over. Source: rules A.5, B.1–B.6.

extension HubDirectory {
    /// Opens the session and fences the one before; the answer waits for the end of the group.
    func plan(_ request: AttachRequest, now: Now) {
        if isRevoked(request) { return }
        guard
            !devices.isQuarrel(request.device, instance: request.instance, now: now.instant)
        else {
            actions.append(.event(.duplicateDevice))
            let wait = UInt32.random(in: 60_000...600_000, using: &random)
            return refuse(request, with: .duplicateDevice, retryAfterMilliseconds: wait)
        }
        let opened = devices.open(request, now: now.instant)
        var request = request
        if limits.planted.has(.duplicateOnTakeover), opened.old != nil {
            request.position.sequence = devices.cursor(of: request.device)?.acknowledged ?? 0
            request.position.check = checks.check(at: request.position.sequence) ?? 0
        }
        if let old = opened.old {
            let sameInstance = old.instance == request.instance
            actions.append(.event(.takenOver(sameInstance: sameInstance)))
            actions.append(
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
        answers.append(.attach(request, sessionGeneration: opened.new))
    }

    /// Answers with everything a session needs, as of the present feed position.
    func attach(_ request: AttachRequest, _ generation: UInt64, now: Now) {
        guard devices.isCurrent(generation, of: request.device) else {
            // A newer connection came within the same group.
            return refuse(request, with: .takenOver)
        }
        // Within the same group, after it was planned.
        if isRevoked(request) {
            _ = devices.close(generation, of: request.device)
            return
        }
        let cursor = devices.cursor(of: request.device)
        let all: [Registration]
        let registrations: [Registration]
        let decision: ResumeDecision
        do throws(StoreError) {
            all = try table.registrations(of: request.device)
            registrations = all.filter { !$0.isExpired(now.time) }
            decision = try ResumeDecision.decide(
                position: try misplaced(request.position, of: request.device),
                bounds: bounds,
                cursor: cursor.map(ResumeDecision.Cursor.init(stored:)),
                lowestSince: registrations.map(\.since.sequence).min(),
                historyCut: registrations.compactMap(\.historyCut?.sequence).max()
            ) { sequence throws(StoreError) in try check(at: sequence) }
        } catch {
            _ = devices.close(generation, of: request.device)
            actions.append(.event(.readRefused(error)))
            return refuse(request, with: .unavailable)
        }
        if decision.isMismatch { actions.append(.event(.historyForkSuspected)) }
        let recount = recountPlace(decision, cursor, registrations)
        if recount == nil {
            note(
                decision,
                of: request.device,
                isKnown: cursor != nil || !registrations.isEmpty,
                now
            )
        } else {
            devices.seen(request.device, now: now.time)
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
            etag: etag(of: all),
            head: bounds.head,
            recountsFrom: recount,
            evaluatedThrough: cursor?.evaluatedThrough ?? 0,
            lastSeen: cursor?.lastSeen ?? Timestamp(milliseconds: 0)
        )
        actions.append(.message(shard: request.address.shard, .attached(reply)))
    }

    /// Whether a request proves a key that was revoked; it is refused then.
    private func isRevoked(_ request: AttachRequest) -> Bool {
        let isPresent = request.keyGeneration == keyGenerations[request.device]
        if !isPresent {
            actions.append(.event(.revokedKey))
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
        let known = max(cursor.acknowledged, cursor.scannedThrough, bounds.first - 1)
        let start = decision.start.sequence
        guard known < start, start - known <= limits.recountRecordsMax else { return nil }
        let cut = registrations.compactMap(\.historyCut?.sequence).max() ?? 0
        return known + 1 < cut ? nil : known
    }

    /// Tells a shard the present state of one of its sessions; the shard keeps its own position.
    func reload(_ session: DeviceReload, now: Now) {
        let device = session.device
        guard devices.isCurrent(session.sessionGeneration, of: device) else { return }
        let cursor = devices.cursor(of: device)
        let registrations: [Registration]
        do throws(StoreError) {
            registrations = try table.registrations(of: device)
        } catch {
            _ = devices.close(session.sessionGeneration, of: device)
            actions.append(.event(.readRefused(error)))
            return refuse(session.address, with: .unavailable)
        }
        let reply = AttachReply(
            address: session.address,
            device: device,
            sessionGeneration: session.sessionGeneration,
            outcome: .resumed,
            start: Position(
                epoch: bounds.epoch,
                sequence: cursor?.acknowledged ?? bounds.head,
                check: 0
            ),
            lost: 0,
            scannedThrough: cursor?.scannedThrough ?? bounds.head,
            registrations: registrations.filter { !$0.isExpired(now.time) },
            etag: etag(of: registrations),
            head: bounds.head
        )
        actions.append(.message(shard: session.address.shard, .attached(reply)))
    }

    /// From its first registration on a device has a cursor, just below what it can get.
    ///
    /// When its other registrations cannot be read it has none until its next one is written or the
    /// hub starts; what it can get says as much meanwhile.
    func makeCursor(of registration: Registration, now: Timestamp) {
        guard let device = registration.target?.device, devices.cursor(of: device) == nil else {
            return
        }
        do throws(StoreError) {
            let all = try table.registrations(of: device)
            let below = (all.map(\.since.sequence).min() ?? registration.since.sequence) - 1
            devices.advance(device, acknowledged: below, scannedThrough: below, now: now)
        } catch {
            actions.append(.event(.readRefused(error)))
        }
    }

    /// Answers that the session cannot be opened.
    func refuse(
        _ request: AttachRequest,
        with error: ErrorNumber,
        retryAfterMilliseconds: UInt32 = UInt32(HubDirectory.retrySeconds) * 1_000
    ) {
        refuse(request.address, with: error, retryAfterMilliseconds: retryAfterMilliseconds)
    }

    /// Answers that a session cannot be opened, or cannot go on.
    private func refuse(
        _ address: ConnectionAddress,
        with error: ErrorNumber,
        retryAfterMilliseconds: UInt32 = UInt32(HubDirectory.retrySeconds) * 1_000
    ) {
        let isFinal = error == .deviceRevoked || error == .takenOver
        actions.append(
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
        isKnown: Bool,
        _ now: Now
    ) {
        guard isKnown else { return }
        if decision.outcome == .resumed {
            devices.advance(
                device,
                acknowledged: decision.start.sequence,
                scannedThrough: decision.start.sequence,
                now: now.time
            )
        } else {
            devices.seen(device, now: now.time)
        }
    }

    /// The position that a device shows; another one only when a mistake is planted.
    private func misplaced(
        _ shown: Position,
        of device: DeviceID
    ) throws(StoreError) -> Position {
        var position = shown
        guard shown.epoch != 0, shown.sequence > 0, shown.sequence <= bounds.head else {
            return shown
        }
        if limits.planted.has(.resumeTooLate) { position.sequence += 1 }
        if limits.planted.has(.resumeTooEarly) { position.sequence -= 1 }
        let isTrusted =
            limits.planted.has(.epochIgnored)
            ? shown.epoch != bounds.epoch
            : limits.planted.has(.checkIgnored) || position != shown
        guard isTrusted else { return shown }
        if limits.planted.has(.epochIgnored) { position.epoch = bounds.epoch }
        position.check = try check(at: position.sequence) ?? 0
        return position
    }

    private func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        if sequence == 0 { return 0 }
        if let known = checks.check(at: sequence) { return known }
        let read = try reader.check(at: sequence)
        if let read { checks.remember(read, at: sequence) }
        return read
    }
}

extension ResumeDecision.Cursor {
    fileprivate init(stored: StoredCursor) {
        self.init(acknowledged: stored.acknowledged, scannedThrough: stored.scannedThrough)
    }
}
