package import HubModel
package import HubRules
package import HubVocabulary
import HubWire

/// One hub's order of events: decides what is stored, what the log's next numbers are, and who is
/// answered when.
///
/// Owned by the hub's writer thread, not Sendable, without clock, file or lock. The owner's loop:
///
///     receive(call or request)*  →  nextGroup  →  storage.commit  →  committed  →  takeActions
///
/// Requests are taken in the order of arrival. Changes of a group are made in memory at once, so
/// that what comes behind in the same group sees them, and taken back when the store refuses them;
/// nothing that depends on them leaves before the store has said yes. Per group the actions are,
/// in this order: the feed item, then every answer. Source: rules A.2.
package final class Hub {
    /// A group that the store is working on.
    struct Pending {
        var group: CommitGroup
        var answers: [GroupAnswer]
    }

    /// Requests that may wait; more are refused.
    package static let queueMax = 65_536
    /// Milliseconds after which changed cursors are due.
    package static let checkpointMilliseconds = ProgressBook.checkpointMilliseconds
    /// Milliseconds between two looks for something to remove, when the last found nothing.
    package static let tidyingMilliseconds: UInt64 = 1_000
    /// Patient requests of one group at most.
    static let patientRequestsMax = 8
    /// Changes of a group after which no more patient requests join it.
    static let patientChangesMax = 32
    /// Answers of one group at most.
    static let answersMax = 4_096

    /// The parts of the hub.
    let state: HubState
    /// The parts of a group, in the order in which the store is given the changes.
    let parts: [any GroupPart]
    private let started: Instant
    var scheduler: Scheduler
    var queue = GroupQueue()
    var pending: Pending?
    var groupCounter: UInt64 = 0
    /// The number of the last feed item.
    package internal(set) var feedNumber: UInt64 = 0
    private var isStopping = false

    var limits: CoreLimits { state.terms.limits }

    /// How much it takes of registrations and tags from now on.
    package var quota: HubQuota {
        get { state.terms.quota }
        set { state.terms.quota = newValue }
    }

    /// Loads a hub from its store.
    ///
    /// Templates are compiled once per definition; a stored one that no longer compiles keeps its
    /// registration, which then gets nothing and is counted (`.undeliverableTemplate`).
    /// `warm` has the store's registrations and installations, so that they need not be read; a void
    /// one is as none, and it belongs to the hub from here on.
    /// `seed` feeds external ids and notification ids and must be drawn at random; `shards` is how
    /// many report what they fanned out.
    /// - Throws: what the store throws; nothing is running then.
    package init(
        hub: HubName,
        secret: HubSecret,
        storage: any HubStorage,
        limits: CoreLimits,
        protected: ProtectedTags,
        warm: WarmDirectory? = nil,
        shards: Int = 1,
        seed: UInt64,
        now: Now
    ) throws(StoreError) {
        let terms = HubTerms(hub: hub, secret: secret, limits: limits, protected: protected)
        let warm = warm?.group == nil ? nil : warm
        state = try HubState(
            terms,
            storage: storage,
            warm: warm,
            shards: shards,
            seed: seed,
            now: now
        )
        try state.load(storage, warm: warm, seed: seed, now: now)
        parts = state.parts
        scheduler = Scheduler(state.schedules)
        started = now.instant
        tickJobs(now: now)
    }

    // MARK: What it knows

    /// The hub's name.
    package var hub: HubName { state.terms.hub }

    /// The log's extent as far as it is durable.
    package var bounds: LogBounds { state.log.bounds }

    /// The decisions of operators, the present group's decisions included.
    package var settings: HubSettings { state.settings.present }

    /// The lane of a platform; nil when there never was one.
    package func lane(_ platform: Platform) -> StoredLane? { state.progress.lanes[platform] }

    /// The platforms that are relayed to, since when, and why a lane rests.
    package var relays: [Platform: RelayPlace] {
        get { state.progress.relays }
        set { state.progress.relays = newValue }
    }

    /// Seconds for which a registration lives after a write over REST that is not an installation's;
    /// nil for ever.
    ///
    /// Source: REST §4.16.
    package var registrationLifeSeconds: UInt64? {
        get { state.lapses.registrationLifeSeconds }
        set { state.lapses.registrationLifeSeconds = newValue }
    }

    /// How many live registrations have a tag, in any spelling; for anchors.
    package func registrationCount(tag: Span<UInt8>) -> Int { state.table.count(tag: tag) }

    /// The key generation that a device must prove.
    package func keyGeneration(of device: DeviceID) -> UInt32 { state.devices.keys[device] }

    /// Devices whose keys were revoked, ascending, with their present generation.
    package var revocations: [(device: DeviceID, generation: UInt32)] { state.devices.keys.all }

    /// The present values; constant time.
    package var gauges: DirectoryGauges {
        var gauges = state.gauges
        gauges.waiting = queue.count
        return gauges
    }

    /// Everything to be done since the last call, in order.
    package func takeActions() -> [DirectoryAction] { state.outbox.takeAll() }
}

// MARK: Inputs

extension Hub {
    /// Whether `nextGroup` has something to do.
    package var hasWork: Bool { !queue.isEmpty }

    /// Whether something waits that is not to be held up by what may make much at once.
    package var hasPromptWork: Bool { queue.hasPrompt }

    /// Refuses every request from now on; what waits is still carried out.
    package func stop() { isStopping = true }

    /// A request of a caller, who is answered exactly once.
    package func receive(_ call: HubCall, now: Now) {
        if isStopping {
            state.outbox.append(.answer(call.refused(.stopping)))
        } else if queue.count >= Self.queueMax {
            let refusal = Refusal.throttled(retryAfterSeconds: StoreError.retrySeconds)
            state.outbox.tell(.queueFull)
            state.outbox.append(.answer(call.refused(refusal)))
        } else if case .question(let question) = call.work, queue.isEmpty, pending == nil {
            answer(question, now: now)
        } else {
            queue.append(.call(call.work))
        }
    }

    /// A request of a shard.
    package func receive(_ request: DirectoryRequest, now: Now) {
        switch request {
        case .progress(let report): state.progress.receive(report, now: now)
        case .detach(let device, let generation):
            // Behind the device's requests: they were sent before it left.
            if queue.isEmpty {
                state.detach(device, generation, now: now.time)
            } else {
                queue.append(.detach(device, generation))
            }
        case .attach(let attach):
            guard hasRoom() else {
                return DeviceAttaching(hub: state, now: now).refuse(attach, with: .unavailable)
            }
            queue.append(.attach(attach))
        case .device(let device, let generation, let address, let reference, let request):
            let isAllowed = state.devices.mayChange(
                device,
                limits.devices.deviceChanges,
                now: now.instant
            )
            guard isAllowed, hasRoom() else {
                let outcome = DeviceOutcome(
                    error: .rateLimited,
                    slot: request.slot,
                    retryAfterMilliseconds: isAllowed
                        ? UInt32(StoreError.retrySeconds) * 1_000 : 1_000
                )
                return tell(outcome, to: address, reference: reference)
            }
            queue.append(.device(device, generation, address, reference: reference, request))
        case .reload(let sessions): queue.append(.reload(sessions))
        }
    }

    private func hasRoom() -> Bool {
        guard queue.count >= Self.queueMax else { return true }
        state.outbox.tell(.queueFull)
        return false
    }

    /// The store has made a revocation durable: the device must prove the new generation's key.
    ///
    /// Its handle changes with the key; registrations keep leading to it until they are written
    /// again.
    package func revoked(_ device: DeviceID, generation: UInt32) {
        state.devices.keys.set(generation, of: device)
        state.outbox.append(.broadcast(.revoked(device, generation: generation)))
    }
}

// MARK: Time

extension Hub {
    /// Seconds after which all devices are looked at again, where looking at them is not longer:
    /// what the store refused is tried again then.
    private static let idleRoundSeconds: UInt64 = 60

    /// Lets time pass: scheduled notifications whose time has come fire; registrations and
    /// installations whose time is over, and devices that were not seen for too long, are removed,
    /// some per call.
    package func tick(now: Now) {
        if !isStopping { enqueue(scheduler.tick(now: now)) }
        tickJobs(now: now)
        lookForIdleDevices(now: now)
        for number in state.takeExpired(now: now.time) { queue.append(.expire(number)) }
        for number in state.takeExpiredInstallations(now: now.time) {
            queue.append(.expireInstallation(number))
        }
    }

    /// Milliseconds until a scheduled notification has to fire, for the owner's sleep; nil when
    /// none waits.
    package func millisecondsUntilDue(now: Now) -> UInt64? {
        isStopping ? nil : scheduler.millisecondsUntilDue(now: now)
    }

    func enqueue(_ steps: [Scheduler.Step]) {
        for step in steps { queue.append(.schedules(step)) }
    }

    /// Queues the removal of devices that were not seen for `deviceIdleDays`.
    ///
    /// Looks at a few devices per call, and at none soon after the start. Source: rules C.2;
    /// Protocol A-2.
    private func lookForIdleDevices(now: Now) {
        let grace = limits.devices.deviceIdleGraceHours * 3_600_000
        guard now.instant.milliseconds(since: started) >= grace else { return }
        let idle = state.devices.nextIdle(
            looking: limits.devices.idleDevicesPerStep,
            pauseSeconds: Self.idleRoundSeconds,
            now: now
        )
        for device in idle { queue.append(.forget(device)) }
    }

    /// Turns to what the hub's end interrupted, then to the next job; not at once again after the
    /// store refused something.
    private func tickJobs(now: Now) {
        guard !isStopping, scheduler.mayWrite(now: now) else { return }
        if state.jobs.interrupted.isEmpty {
            if pending == nil { handOutJob() }
        } else {
            queue.append(.failInterruptedJobs)
        }
    }

    /// Hands out the next job, when no other is being carried out.
    func handOutJob() {
        guard !isStopping, state.jobs.touchedCount == 0, state.jobs.interrupted.isEmpty,
            let job = state.jobs.takeNext()
        else { return }
        state.outbox.append(.runJob(job))
    }
}
