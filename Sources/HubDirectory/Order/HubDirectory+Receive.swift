package import HubModel
package import HubVocabulary
import HubWire

// Inputs: what arrives waits for its turn, but for progress reports, which need none.

extension HubDirectory {
    /// Whether `nextGroup` has something to do.
    package var hasWork: Bool { !queue.isEmpty }

    /// A command of a caller; answered by `.reply` with its token, exactly once.
    package func receive(_ command: HubCommand, token: RequestToken, now: Now) {
        if isStopping {
            actions.append(.reply(token, .failure(.stopping)))
        } else if queue.count >= Self.queueMax {
            actions.append(.event(.queueFull))
            actions.append(
                .reply(token, .failure(.throttled(retryAfterSeconds: Self.retrySeconds)))
            )
        } else if queue.isEmpty, pending == nil, isQuery(command) {
            answer(command, token, now: now)
        } else {
            queue.append(.command(command, token))
        }
    }

    /// A request of a shard.
    package func receive(_ request: DirectoryRequest, now: Now) {
        switch request {
        case .progress(let report): receive(report, now: now)
        case .detach(let device, let generation):
            // Behind the device's requests: they were sent before it left.
            if queue.isEmpty {
                detach(device, generation, now: now)
            } else {
                queue.append(.detach(device, generation))
            }
        case .attach(let attach):
            guard hasRoom() else { return refuse(attach, with: .unavailable) }
            queue.append(.attach(attach))
        case .device(let device, let generation, let address, let reference, let request):
            let isAllowed = devices.mayChange(device, limits.deviceChanges, now: now.instant)
            guard isAllowed, hasRoom() else {
                let outcome = DeviceOutcome(
                    error: .rateLimited,
                    slot: request.slot,
                    retryAfterMilliseconds: isAllowed ? UInt32(Self.retrySeconds) * 1_000 : 1_000
                )
                actions.append(message(outcome, to: address, reference: reference))
                return
            }
            queue.append(.device(device, generation, address, reference: reference, request))
        case .reload(let sessions): queue.append(.reload(sessions))
        }
    }

    /// Ends a session if it is still its device's present one.
    func detach(_ device: DeviceID, _ generation: UInt64, now: Now) {
        if devices.close(generation, of: device) { devices.seen(device, now: now.time) }
    }

    /// Lets time pass: scheduled notifications whose time has come fire; registrations and
    /// installations whose time is over, and devices that were not seen for too long, are removed,
    /// some per call.
    package func tick(now: Now) {
        tickSchedules(now: now)
        tickJobs(now: now)
        lookForIdleDevices(now: now)
        lookForExpired(now: now)
    }

    private func lookForExpired(now: Now) {
        if expiry.isStale(live: table.count) { expiry.prune { table.facts(of: $0)?.expires } }
        if installationExpiry.isStale(live: installations.count) {
            installationExpiry.prune { installations[$0]?.expires }
        }
        for _ in 0..<limits.groupMax {
            guard let due = expiry.popDue(now: now.time) else { break }
            guard table.facts(of: due.subject)?.isExpired(now.time) == true else { continue }
            queue.append(.expire(due.subject))
        }
        for _ in 0..<limits.groupMax {
            guard let due = installationExpiry.popDue(now: now.time) else { return }
            guard let installation = installations[due.subject],
                installation.isExpired(now.time)
            else { continue }
            queue.append(.expireInstallation(due.subject))
        }
    }

    /// Refuses every command from now on; what waits is still carried out.
    package func stop() { isStopping = true }

    /// Cursors and counters that are due to become durable: nothing, or all that changed.
    package func checkpointDue(now: Now) -> CheckpointBatch? {
        let waited = now.instant.milliseconds(since: lastCheckpoint)
        guard waited >= Self.checkpointMilliseconds || telemetry.isUrgent else { return nil }
        return checkpoint(now: now)
    }

    /// All cursors and counters that changed since they were last taken; nil when none did.
    ///
    /// A batch that the store refused comes again, before everything else and unchanged.
    package func checkpoint(now: Now) -> CheckpointBatch? {
        if let refused = telemetry.takeRefused() {
            lastCheckpoint = now.instant
            return refused
        }
        guard devices.dirtyCount > 0 || !telemetry.isEmpty else { return nil }
        lastCheckpoint = now.instant
        let cursors = devices.takeDirty()
        let kept = limits.planted.has(.countersDoubledAfterCrash) ? [] : cursors
        return telemetry.takeBatch(kept, floor: countersFloor(now: now))
    }

    /// The store refused a batch: it will be due again.
    package func checkpointFailed(_ batch: CheckpointBatch, _ error: StoreError) {
        telemetry.putBack(batch)
        actions.append(.event(.checkpointRefused(error)))
    }

    /// The store has made a revocation durable: the device must prove the new generation's key.
    ///
    /// Its handle changes with the key; registrations keep leading to it until they are written
    /// again.
    package func revoked(_ device: DeviceID, generation: UInt32) {
        keyGenerations.set(generation, of: device)
        actions.append(.broadcast(.revoked(device, generation: generation)))
    }

    private func hasRoom() -> Bool {
        guard queue.count >= Self.queueMax else { return true }
        actions.append(.event(.queueFull))
        return false
    }
}

extension DeviceRequest {
    /// The slot it is about; 0xFFFF for all.
    var slot: UInt16 {
        switch self {
        case .register(let slot, _, _, _): slot
        case .tags(let slot, _, _, _, _): slot
        case .unregister(let slot): slot
        }
    }
}

extension Registration {
    /// Whether its time is over.
    func isExpired(_ now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }
}
