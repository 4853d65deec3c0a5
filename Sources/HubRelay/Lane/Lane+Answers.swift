import HubModel
package import HubVocabulary

extension Lane {
    /// A service answered, no answer can come any more, or no request could be made.
    ///
    /// `modified` is when the registration was last written: a service that knew the handle to be
    /// dead before that speaks of an earlier life of it.
    package mutating func receive(
        _ verdict: RelayVerdict,
        for ticket: LaneTicket,
        from source: VerdictSource,
        modified: Timestamp,
        now: Now,
        actions: inout [LaneAction]
    ) {
        guard land(ticket) else { return }
        let isServersFault = noteErrors(verdict, for: ticket, from: source, now: now.instant)
        switch Self.resolved(verdict.action, modified: modified, attempt: ticket.attempt) {
        case .done:
            brake.note(.done)
            brake.clear(ticket.registration)
            if let index = open.index(of: ticket.sequence) { open[index].noteTaken() }
            finish(ticket, .service(.success))
            answered(took: true, now: now, actions: &actions)
            judgeRefusals(now: now, actions: &actions)
        case .content, .malformed:
            refuseContent(ticket, verdict, from: source, now: now)
            // Without a request no one has answered.
            guard source != .belfry else { return }
            brake.note(.other)
            answered(took: false, now: now, actions: &actions)
        case .gone:
            brake.note(.other)
            remove(ticket, verdict, now: now, actions: &actions)
            answered(took: false, now: now, actions: &actions)
        case .suspect(let mayDelete):
            suspect(ticket, verdict, mayDelete: mayDelete, now: now, actions: &actions)
        case .later(let seconds, let most) where isServersFault:
            retry(ticket, verdict, Distance(seconds, most), now: now, actions: &actions)
        case .later(let seconds, let most):
            postpone(ticket, verdict, Distance(seconds, most), now: now)
            answered(took: false, now: now, actions: &actions)
        case .renew: renew(ticket, verdict, now: now, actions: &actions)
        case .keepOlderToken(let seconds):
            again(ticket)
            actions.append(.keepOlderToken)
            rest(.throttled(verdict.reason), min(seconds, 60), now: now, actions: &actions)
        case .credential:
            again(ticket)
            let cause = LaneCause.credential(verdict.outcome, verdict.reason)
            rest(cause, nil, now: now, actions: &actions)
        case .slow(let seconds):
            again(ticket)
            pace.meetQuota(retryAfter: seconds, now: now.instant)
            rest(.throttled(verdict.reason), seconds, now: now, actions: &actions)
        case .stall(let seconds):
            again(ticket)
            rest(.unavailable(verdict.reason), seconds, now: now, actions: &actions)
        case .again: again(ticket)
        }
    }

    /// Counts an answer of the service itself; returns whether it is an error of its own making.
    private mutating func noteErrors(
        _ verdict: RelayVerdict,
        for ticket: LaneTicket,
        from source: VerdictSource,
        now: Instant
    ) -> Bool {
        guard case .service = source else { return false }
        let isError = verdict.outcome == .pnsServerError
        serverErrors.note(isError: isError, of: ticket.registration, now: now)
        return isError
    }

    /// The registration of a ticket was gone before its request.
    package mutating func absent(_ ticket: LaneTicket) {
        guard land(ticket) else { return }
        finish(ticket, .absent)
    }

    /// No service could take the handle of a ticket's registration: it is not asked.
    package mutating func unusable(_ ticket: LaneTicket, _ reason: String, now: Now) {
        guard land(ticket) else { return }
        fail(ticket, RelayVerdict(.content, .badChannel, reason), now: now)
        finish(ticket, .service(.badChannel))
    }

    /// Ends a ticket whose record was purged or given up before its request; false for others.
    package mutating func endIfOver(_ ticket: LaneTicket) -> Bool {
        guard isOver(ticket.sequence) else { return false }
        if land(ticket) { finish(ticket, .purged) }
        return true
    }

    /// The time of a ticket was over before its request.
    package mutating func expired(_ ticket: LaneTicket) {
        guard land(ticket) else { return }
        finish(ticket, .expired)
    }

    /// A registration's removal is durable.
    package mutating func removed(_ registration: UInt32) {
        guard let (ticket, end) = flights.removed(registration) else { return }
        deferred.unpark(registration)
        finish(ticket, end)
    }

    /// There is another access token.
    package mutating func tokenRenewed() { pace.renewed() }

    /// There is no other access token: the credential is wrong, or its endpoint is not there and
    /// wants to be left alone for `pause` seconds.
    package mutating func tokenRefused(
        _ verdict: RelayVerdict,
        pause: UInt64,
        now: Now,
        actions: inout [LaneAction]
    ) {
        if case .stall = verdict.action {
            rest(.unavailable(verdict.reason), pause, now: now, actions: &actions)
        } else {
            let cause = LaneCause.credential(verdict.outcome, verdict.reason)
            rest(cause, nil, now: now, actions: &actions)
        }
    }

    /// A handle that came back after the service last saw it dead is asked once more a day later.
    private static func resolved(
        _ action: RelayAction,
        modified: Timestamp,
        attempt: UInt8
    ) -> RelayAction {
        guard case .gone(let since?) = action, since <= modified else { return action }
        return attempt == 0
            ? .later(seconds: 86_400, most: 86_400) : .suspect(mayDelete: true)
    }

    // MARK: Ends

    /// An answer for a ticket came; false when none was awaited.
    private mutating func land(_ ticket: LaneTicket) -> Bool {
        guard flights.land(ticket) else { return false }
        deferred.unpark(ticket.registration)
        return true
    }

    private mutating func finish(_ ticket: LaneTicket, _ end: LaneEnd) {
        let key = DeferredRow.Key(sequence: ticket.sequence, registration: ticket.registration)
        if deferred.contains(key) {
            finishDeferred(key, end)
            return
        }
        ledger.count(ticket.sequence, end)
        if let index = open.index(of: ticket.sequence) {
            open.finish(ticket.registration, at: index)
        }
        free(ticket.registration)
    }

    private mutating func fail(_ ticket: LaneTicket, _ verdict: RelayVerdict, now: Now) {
        ledger.fail(
            RelayFailure(
                sequence: ticket.sequence,
                registration: ticket.registration,
                outcome: verdict.outcome,
                reason: verdict.reason,
                time: now.time
            )
        )
    }

    /// The rest of a record is given up when the service refuses what all its devices get.
    private mutating func refuseContent(
        _ ticket: LaneTicket,
        _ verdict: RelayVerdict,
        from source: VerdictSource,
        now: Now
    ) {
        fail(ticket, verdict, now: now)
        let index = open.index(of: ticket.sequence)
        let isOfAll = source == .service(sharesContent: true) && verdict.isAboutContent
        let count = index.map { isOfAll ? open[$0].noteRefusal(verdict) : 0 } ?? 0
        finish(ticket, .service(verdict.outcome))
        guard let index, count >= limits.equalRefusalsMax else { return }
        end(at: index, .service(verdict.outcome))
    }

    private mutating func remove(
        _ ticket: LaneTicket,
        _ verdict: RelayVerdict,
        now: Now,
        actions: inout [LaneAction]
    ) {
        fail(ticket, verdict, now: now)
        let end = LaneEnd.service(verdict.outcome)
        guard !pace.isBraked, brake.allows(registrations: registrations, now: now.time) else {
            finish(ticket, end)
            return
        }
        flights.awaitRemoval(ticket, end)
        actions.append(.remove(registration: ticket.registration, cause: verdict.outcome))
    }

    private mutating func suspect(
        _ ticket: LaneTicket,
        _ verdict: RelayVerdict,
        mayDelete: Bool,
        now: Now,
        actions: inout [LaneAction]
    ) {
        brake.note(.suspect)
        fail(ticket, verdict, now: now)
        finish(ticket, .service(verdict.outcome))
        answered(took: false, now: now, actions: &actions)
        if mayDelete, !pace.isBraked { brake.hold(ticket.registration) }
        judgeRefusals(now: now, actions: &actions)
    }

    /// Stops the lane when most handles are refused; else lets held registrations go.
    private mutating func judgeRefusals(now: Now, actions: inout [LaneAction]) {
        guard !pace.isBraked else { return }
        if brake.isTripped {
            brake.reset()
            pace.brake(now: now.instant)
            actions.append(.rests(.brake))
            return
        }
        for registration in brake.release(registrations: registrations, now: now.time) {
            actions.append(.removeSuspect(registration: registration))
        }
    }

    // MARK: Not yet

    /// How a ticket ends whose request would be made again; nil while it is worth that.
    private func needless(_ ticket: LaneTicket) -> LaneEnd? {
        if isOver(ticket.sequence) { return .purged }
        return isReplaced(ticket) ? .collapsed : nil
    }

    /// The same request is made again, unless its record was purged or replaced meanwhile; no
    /// attempt is counted.
    private mutating func again(_ ticket: LaneTicket) {
        if let end = needless(ticket) { return finish(ticket, end) }
        let key = DeferredRow.Key(sequence: ticket.sequence, registration: ticket.registration)
        if deferred.contains(key) {
            deferred.requeue(key)
        } else {
            flights.queue(ticket.registration)
        }
    }

    /// The pause before an attempt: its first and longest.
    private struct Distance {
        let seconds: UInt64
        let most: UInt64

        init(_ seconds: UInt64, _ most: UInt64) { (self.seconds, self.most) = (seconds, most) }
    }

    /// An error of the service's own making: a device's attempt, unless others fail too.
    private mutating func retry(
        _ ticket: LaneTicket,
        _ verdict: RelayVerdict,
        _ distance: Distance,
        now: Now,
        actions: inout [LaneAction]
    ) {
        let isProbing = pace.state == .probing
        let extent = serverErrors.extent(isProbing: isProbing)
        switch extent {
        case .device, .some: postpone(ticket, verdict, distance, now: now)
        // Another device's request is the next to be tried.
        case .most where isProbing:
            postpone(ticket, verdict, distance, countsAttempt: false, now: now)
        case .most: again(ticket)
        }
        guard extent != .device else { return }
        rest(.unavailable(verdict.reason), nil, now: now, actions: &actions)
    }

    private mutating func postpone(
        _ ticket: LaneTicket,
        _ verdict: RelayVerdict,
        _ distance: Distance,
        countsAttempt: Bool = true,
        now: Now
    ) {
        brake.note(.other)
        if let end = needless(ticket) { return finish(ticket, end) }
        let attempt = ticket.attempt + (countsAttempt ? 1 : 0)
        guard attempt < limits.attemptsMax else {
            fail(ticket, verdict, now: now)
            finish(ticket, .gaveUp(verdict.outcome))
            return
        }
        let row = DeferredRow(
            sequence: ticket.sequence,
            registration: ticket.registration,
            attempt: attempt,
            due: now.time.adding(
                seconds: min(distance.seconds << UInt64(ticket.attempt), distance.most)
            ),
            expires: ticket.expires
        )
        let isNew = !deferred.contains(row.key)
        guard !isNew || deferred.count < limits.deferredMax else {
            // No room for another row: the lane waits until some are gone.
            again(ticket)
            pace.slow(60, verdict.reason, now: now.instant)
            return
        }
        let index = open.index(of: ticket.sequence)
        deferred.add(row, collapse: index.flatMap { open[$0].collapse })
        ledger.deferRow(row)
        if isNew, let index {
            open.finish(ticket.registration, at: index)
        }
        free(ticket.registration)
    }

    private mutating func renew(
        _ ticket: LaneTicket,
        _ verdict: RelayVerdict,
        now: Now,
        actions: inout [LaneAction]
    ) {
        again(ticket)
        switch pace.refuseToken(of: ticket.token) {
        case .again: break
        case .renew: actions.append(.renewToken)
        case .halt:
            let cause = LaneCause.credential(.invalidCredentials, verdict.reason)
            rest(cause, nil, now: now, actions: &actions)
        }
    }

    private mutating func answered(took: Bool, now: Now, actions: inout [LaneAction]) {
        health.answered()
        if pace.answered(took: took, now: now.instant) {
            brake.reset()
            actions.append(.resumes)
        }
    }

    private mutating func rest(
        _ cause: LaneCause,
        _ seconds: UInt64?,
        now: Now,
        actions: inout [LaneAction]
    ) {
        let before = pace.state
        health.rests(cause)
        switch cause {
        case .throttled(let reason): pace.slow(seconds, reason, now: now.instant)
        case .unavailable(let reason): pace.stall(seconds, reason, now: now.instant)
        case .credential(let outcome, let reason):
            pace.halt(outcome, reason, now: now.instant)
        case .brake: pace.brake(now: now.instant)
        case .store: pace.waitForStore(now: now.instant)
        }
        if case .resting(_, let old) = before, old == cause { return }
        if case .resting(_, cause) = pace.state { actions.append(.rests(cause)) }
    }
}
