package import HubModel
package import HubVocabulary

/// The work of one lane: reads the log, asks the directory, makes requests, understands answers.
///
/// One call is one turn. Mail, log, host and clock are given to it, so that a thread of the server
/// and a test run the same lines:
///
///     mail → requests of the lane → registrations → requests to the service → report
package struct RelayLoop {
    /// Milliseconds between two reports.
    private static let reportMilliseconds: UInt64 = 1_000
    /// The longest rest of a lane that has something to do, and of one that has nothing.
    private static let restMilliseconds = (busy: UInt64(1_000), idle: UInt64(60_000))
    /// Requests in flight at the beginning to a service with a quota for each minute.
    private static let requestsBeforeQuota = 100
    /// Tickets whose registrations are asked for at once.
    private static let rowsMax = 256

    /// The hub.
    package let hub: HubName
    /// The platform whose registrations it relays to.
    package var platform: Platform { entry.properties.kind.platform }
    let entry: CredentialSet.Entry
    var judge: HandleJudge
    let epoch: UInt64
    var lane: Lane
    var authorization: RelayAuthorization
    var records = RelayRecords()
    /// Requests that the service has, and those that wait for an access token.
    var flights: [LaneTicket: RelayFlight] = [:]
    var waiting: [LaneTicket] = []
    /// Whether the lane waits for another access token.
    var isRenewing = false
    /// The versions of registrations that may have to be removed.
    var versions: [UInt32: UInt64] = [:]
    /// Requests that the lane wants to be made in this turn.
    private var tickets: [LaneTicket] = []
    /// Rows of an earlier life of the lane.
    private var stale: [DeferredRow.Key]
    /// Whether there may be something that the last report does not have, when the next goes, and
    /// the condition that was shown last.
    private var reports = (
        mayBeOwed: false, next: Instant(nanoseconds: 0), shown: RelayCondition()
    )
    /// Trials that wait for an access token.
    var trials: [AwaitedTrial] = []
    /// Orders to give up that the store does not have yet.
    private var skips = AwaitedSkips()

    /// A lane that goes on where the store says; at the log's head when the log is another one, and
    /// where the credential begins when that is newer.
    ///
    /// Answers are counted on from `answers`.
    package init(
        hub: HubName,
        entry: CredentialSet.Entry,
        stored: StoredLane?,
        bounds: LogBounds,
        judge: HandleJudge,
        registrations: Int,
        purged: UInt64,
        seed: UInt64,
        limits: LaneLimits = .standard,
        answers: UInt64 = 0
    ) {
        self.hub = hub
        self.entry = entry
        self.judge = judge
        epoch = bounds.epoch
        authorization = RelayAuthorization(entry.credential)
        var limits = limits
        // A quota that is met by a thousand at once has refused them all.
        if entry.properties.kind == .fcmV1 { limits.requestsFirst = Self.requestsBeforeQuota }
        let since = entry.since
        // A mark below has nothing open that this credential may relay. Places of another epoch
        // are not compared: the credential is older than the log.
        let goesOn =
            stored.map {
                $0.mark.epoch == bounds.epoch
                    && (since.epoch != bounds.epoch || $0.mark.scanned >= since.sequence)
            } ?? false
        if let stored, goesOn {
            lane = Lane(
                mark: stored.mark,
                deferred: stored.deferred,
                registrations: registrations,
                seed: seed,
                limits: limits,
                answers: answers
            )
            stale = []
        } else {
            // A log of another epoch was put back from a backup: its past is not relayed again.
            let isOfLog =
                since.epoch == bounds.epoch
                && stored.map { $0.mark.epoch == bounds.epoch || $0.mark.scanned < since.sequence }
                    ?? true
            let place = isOfLog ? max(1, since.sequence) - 1 : bounds.head
            lane = Lane(
                mark: LaneMark(epoch: bounds.epoch, scanned: place),
                isStored: false,
                registrations: registrations,
                seed: seed,
                limits: limits,
                answers: answers
            )
            stale = stored?.deferred.map(\.key) ?? []
        }
        lane.committed(through: bounds.head)
        records.head = bounds.head
        // The log still has what was purged before.
        lane.purge(through: purged)
    }

    /// Runs one turn.
    ///
    /// A lane that stops makes no requests and turns until it says that it has stopped.
    package mutating func turn(
        _ mail: [RelayMail],
        isStopping: Bool = false,
        log: any LogReading,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        clock: () -> Now
    ) -> RelayRest {
        if isStopping { lane.stop() }
        for message in mail {
            receive(message, log: log, tokens: &tokens, host: &host, now: clock())
        }
        let now = clock()
        if isStopping {
            releaseWaiting(now: now)
            releaseTrials(
                .unreachable("the relay ends"),
                tokens: &tokens,
                host: &host,
                now: now
            )
        }
        repeat {
            var actions: [LaneAction] = []
            lane.turn(now: now, actions: &actions)
            perform(actions, log: log, tokens: &tokens, host: &host, now: now)
        } while launchDirect(log: log, tokens: &tokens, host: &host, now: now)
        askRows(&host)
        askToken(&host, now: now)
        report(isStopping: isStopping, &host, now: now)
        return rest(isStopping: isStopping, now: now)
    }

    /// Milliseconds for which it waits for answers when it ends.
    package var endMilliseconds: UInt64 { lane.limits.endMilliseconds }

    /// Why it sends nothing; nil while it sends.
    package var cause: LaneCause? { lane.cause }

    private mutating func receive(
        _ message: RelayMail,
        log: any LogReading,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) {
        var actions: [LaneAction] = []
        switch message {
        case .committed(let head):
            records.head = max(records.head, head)
            lane.committed(through: head)
        case .purged(let place):
            lane.purge(through: place)
        case .audiences(let found, let sequences):
            open(found, of: sequences, host: &host, now: now)
        case .rows(let found, let tickets):
            launch(tickets, found, log: log, tokens: &tokens, host: &host, now: now)
        case .answers(let replies):
            for reply in replies {
                land(reply.ticket, reply.answer, host: &host, now: now, actions: &actions)
            }
        case .token(let answer):
            take(answer, tokens: &tokens, host: &host, now: now, actions: &actions)
        case .stored(true):
            lane.checkpointStored()
            skips.stored(through: lane.storedGivenUp)
        case .stored(false):
            lane.checkpointDelayed(now: now, actions: &actions)
            skips.refused()
        case .removed(let number): lane.removed(number.raw)
        case .judge(let judge): self.judge = judge
        case .trial(let trial): take(trial, tokens: &tokens, host: &host, now: now)
        case .skip(let skip): take(skip)
        }
        perform(actions, log: log, tokens: &tokens, host: &host, now: now)
    }

    // MARK: Giving up

    /// Gives up what waits up to a place, and what is read of it later.
    private mutating func take(_ skip: AwaitedSkip) {
        guard skips.hasRoom(for: skip) else { return }
        var skip = skip
        skip.through = min(skip.through, records.head)
        let scanned = records.head - lane.behind
        let waited = lane.waitingCount
        lane.giveUp(through: skip.through)
        skip.done = RelaySkip(
            ended: waited - lane.waitingCount,
            unread: skip.through - min(skip.through, scanned)
        )
        skips.add(skip)
        reports.next = Instant(nanoseconds: 0)
        skips.stored(through: lane.storedGivenUp)
    }

    /// The lane is gone: the orders that the store does not have were not taken.
    package mutating func end() { skips.end(.success(nil)) }

    private mutating func perform(
        _ actions: [LaneAction],
        log: any LogReading,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) {
        for action in actions {
            switch action {
            case .read(let after, let large, let small, let smallMatches):
                let places = RelayRecords.Places(
                    large: large,
                    small: small,
                    smallMatches: smallMatches
                )
                read(after: after, places, log: log, host: &host, now: now)
            case .send(let ticket): tickets.append(ticket)
            case .renewToken: renew(tokens: &tokens, host: &host, now: now)
            case .keepOlderToken: authorization.keepOlderProviderToken(&tokens, now: now.time)
            case .remove(let registration, let cause):
                remove(registration, cause, &host)
            case .removeSuspect(let registration): remove(registration, .badChannel, &host)
            case .rests(let cause): host.tell(.rests(cause))
            case .resumes: host.tell(.resumes)
            }
        }
    }

    /// One whose version is not known any more is asked again with a later record.
    private mutating func remove(
        _ registration: UInt32,
        _ outcome: RelayOutcome,
        _ host: inout some RelayHost
    ) {
        guard let version = versions.removeValue(forKey: registration) else {
            return lane.removed(registration)
        }
        host.remove(
            RegistrationNumber(registration),
            version: version,
            outcome == .expiredChannel ? .expiredChannel : .badChannel
        )
    }

    /// Makes the requests of direct sends, which name their handles themselves; returns whether some
    /// ended without one, so that others have their turn.
    private mutating func launchDirect(
        log: any LogReading,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) -> Bool {
        let direct = tickets.filter { DirectHandles.has($0.registration) }
        guard !direct.isEmpty else { return false }
        tickets.removeAll { DirectHandles.has($0.registration) }
        let awaited = lane.awaitedCount
        launch(direct, .success([]), log: log, tokens: &tokens, host: &host, now: now)
        return lane.awaitedCount < awaited
    }

    private mutating func askRows(_ host: inout some RelayHost) {
        for start in stride(from: 0, to: tickets.count, by: Self.rowsMax) {
            host.askRows(of: Array(tickets[start..<min(start + Self.rowsMax, tickets.count)]))
        }
        tickets.removeAll(keepingCapacity: true)
    }

    // MARK: The store

    private mutating func report(isStopping: Bool, _ host: inout some RelayHost, now: Now) {
        reports.mayBeOwed = true
        guard isStopping || now.instant >= reports.next else { return }
        reports.next = now.instant.adding(milliseconds: Self.reportMilliseconds)
        let condition = lane.condition(
            certificateEnd: entry.credential.certificateEnd,
            now: now.instant
        )
        if condition != reports.shown { host.show(condition) }
        reports.shown = condition
        guard let checkpoint = lane.checkpoint() else {
            reports.mayBeOwed = false
            return
        }
        host.store(LaneReport(checkpoint, of: platform, stale: stale))
        stale = []
    }

    private func rest(isStopping: Bool, now: Now) -> RelayRest {
        if isStopping, lane.isIdle, lane.isCheckpointStored { return .stopped }
        guard !lane.hasNothing || !lane.isCheckpointStored || reports.mayBeOwed else {
            return .waiting(milliseconds: Self.restMilliseconds.idle)
        }
        var rest = Self.restMilliseconds.busy
        if let deadline = lane.deadline, deadline > now.instant {
            rest = min(rest, deadline.milliseconds(since: now.instant) + 1)
        }
        if let due = lane.nextDue(after: now.time) {
            rest = min(rest, due.milliseconds - now.time.milliseconds)
        }
        return .waiting(milliseconds: rest)
    }
}
