import HubModel
import HubRelay
import HubVocabulary

/// The host's part: it reads, sends and stores, and tells the lane what came of it.
extension LaneSimulation {
    mutating func handle(_ actions: [LaneAction]) {
        for action in actions {
            switch action {
            case .read(let after, let large, let small, _):
                for sequence in lane.unknownKeys { lane.learn(log.keys[sequence], of: sequence) }
                let (found, through) = log.read(
                    after: after,
                    large: large,
                    small: small,
                    matchesOfSmallMax: lane.limits.matchesOfSmallMax
                )
                lane.receive(found, through: through, now: now)
            case .send(let ticket): send(ticket)
            case .remove(let registration, _):
                store.removed.insert(registration)
                lane.removed(registration)
            case .removeSuspect(let registration): store.removed.insert(registration)
            case .renewToken: lane.tokenRenewed()
            case .keepOlderToken, .rests, .resumes: break
            }
        }
    }

    private mutating func send(_ ticket: LaneTicket) {
        let match = SimulatedMatch(sequence: ticket.sequence, registration: ticket.registration)
        guard !store.removed.contains(ticket.registration) else {
            lane.absent(ticket)
            journal.unstored.insert(match)
            return
        }
        checkSend(ticket, match)
        let seen = step + roll(3)
        flights.append(
            Flight(
                ticket: ticket,
                verdict: verdict(ticket, seen: seen),
                answered: seen + 1 + roll(6)
            )
        )
        if mistake == .answerGuessed, chance(10) { tell(RelayVerdict(.done, .success), ticket) }
    }

    /// A request that is made: no promise forbids it.
    private mutating func checkSend(_ ticket: LaneTicket, _ match: SimulatedMatch) {
        if flights.contains(where: { $0.ticket.registration == ticket.registration }) {
            violations.append("two in flight for \(ticket.registration)")
        }
        if step < trouble.pauseUntil { violations.append("a request within the service's pause") }
        if ticket.expires <= now.time { violations.append("\(match) was sent after its end") }
        if ticket.sequence <= store.purged { violations.append("\(match) was sent when purged") }
        if ticket.sequence <= max(journal.givenUp.ordered, journal.givenUp.answered) {
            violations.append("\(match) was sent when it was given up")
        }
    }

    mutating func answer() {
        let due = flights.filter { $0.answered <= step }
        flights.removeAll { $0.answered <= step }
        for flight in due {
            if case .slow = flight.verdict.action { trouble.pauseUntil = step + 25 }
            journal.unstored.insert(flight.match)
            if mistake == .removedForCredential, flight.verdict.action == .credential {
                store.removed.insert(flight.ticket.registration)
            }
            tell(told(flight.verdict), flight.ticket)
        }
    }

    private mutating func tell(_ verdict: RelayVerdict, _ ticket: LaneTicket) {
        var actions: [LaneAction] = []
        lane.receive(
            verdict,
            for: ticket,
            from: .service(sharesContent: mistake == .contentShared),
            modified: Timestamp(milliseconds: 0),
            now: now,
            actions: &actions
        )
        handle(actions)
    }

    /// The verdict as the host tells it, which a mistake changes.
    private func told(_ verdict: RelayVerdict) -> RelayVerdict {
        switch (mistake, verdict.action) {
        case (.goneRetried, .gone): RelayVerdict(.again, .pnsUnavailable)
        case (.retryAfterIgnored, .slow): RelayVerdict(.again, .pnsUnavailable)
        case (.goAwayLost, .again): RelayVerdict(.done, .success)
        default: verdict
        }
    }

    // MARK: The store

    mutating func checkpoint() {
        if !heals, chance(15) {
            store.refused = store.refused ?? lane.checkpoint()
            guard store.refused != nil else { return }
            var actions: [LaneAction] = []
            lane.checkpointDelayed(now: now, actions: &actions)
            handle(actions)
            return
        }
        guard var checkpoint = store.refused ?? lane.checkpoint() else { return }
        // What came since the refused one is not in it.
        let isOld = store.refused != nil
        store.refused = nil
        lane.checkpointStored()
        if mistake == .markBeforeAnswer { checkpoint.mark = guessedMark() }
        store.take(checkpoint, mistake)
        if lane.storedGivenUp >= journal.givenUp.ordered {
            journal.givenUp.answered = max(journal.givenUp.answered, journal.givenUp.ordered)
        }
        if !isOld { journal.unstored = [] }
    }

    /// The mark as it would be if every request in flight had been taken.
    private func guessedMark() -> LaneMark {
        var guess = lane
        var actions: [LaneAction] = []
        for flight in flights {
            guess.receive(
                RelayVerdict(.done, .success),
                for: flight.ticket,
                from: .service(sharesContent: false),
                modified: Timestamp(milliseconds: 0),
                now: now,
                actions: &actions
            )
        }
        return guess.checkpoint()?.mark ?? store.mark
    }
}
