import HubModel
import HubVocabulary

extension Lane {
    /// Makes as many requests as may be in flight.
    mutating func send(now: Now, actions: inout [LaneAction]) {
        while flights.count < pace.permits(now: now.instant), pace.hasRoom(now: now.instant) {
            guard let ticket = nextTicket(now: now) else { return }
            pace.made()
            flights.take(off: ticket)
            actions.append(.send(ticket))
        }
    }

    /// First repeats and those that were passed over, then due rows, then small records; while one
    /// request at a time is tried, records first, so that no device's trouble is tried for ever.
    private mutating func nextTicket(now: Now) -> LaneTicket? {
        if pace.state == .probing, let ticket = nextFresh(now: now) { return ticket }
        return nextRepeat(now: now) ?? nextDeferred(now: now) ?? nextFresh(now: now)
    }

    private mutating func nextRepeat(now: Now) -> LaneTicket? {
        while let registration = flights.nextReady() {
            guard let sequence = open.earliest(of: registration),
                let index = open.index(of: sequence),
                open[index].hasPassed(registration)
                    || !open[index].isOutOfOrder(registration, max: limits.outOfOrderMax),
                let ticket = ticket(registration, at: index, now: now)
            else { continue }
            return ticket
        }
        return nil
    }

    private mutating func nextFresh(now: Now) -> LaneTicket? {
        for index in open.freshPlaces() where !open[index].isLarge {
            if let ticket = nextTicket(of: index, now: now) { return ticket }
        }
        for index in open.large {
            if let ticket = nextTicket(of: index, now: now) { return ticket }
        }
        return nil
    }

    /// The next request of a record, or of an earlier one that is pulled forward.
    private mutating func nextTicket(of index: Int, now: Now) -> LaneTicket? {
        let sequence = open[index].sequence
        let most = limits.outOfOrderMax
        while let registration = open[index].advance(outOfOrderMax: most) {
            guard let earliest = open.earliest(of: registration) else { continue }
            if earliest == sequence {
                if let ticket = ticket(registration, at: index, now: now) { return ticket }
                continue
            }
            guard let earlier = open.index(of: earliest),
                !open[earlier].isOutOfOrder(registration, max: most)
            else { continue }
            if let ticket = ticket(registration, at: earlier, now: now) { return ticket }
        }
        return nil
    }

    /// A request of a record; nil when its registration is busy or waits for a deferred one.
    private mutating func ticket(
        _ registration: UInt32,
        at index: Int,
        now: Now
    ) -> LaneTicket? {
        let sequence = open[index].sequence
        guard !flights.isBusy(registration),
            !deferred.holds(registration, before: sequence, now: now.time)
        else { return nil }
        open[index].isStarted = true
        return LaneTicket(
            sequence: sequence,
            registration: registration,
            attempt: 0,
            token: pace.token,
            expires: open[index].expires
        )
    }

    private mutating func nextDeferred(now: Now) -> LaneTicket? {
        while let row = deferred.next(now: now.time) {
            guard row.expires > now.time else {
                finishDeferred(row.key, .expired)
                continue
            }
            guard !flights.isBusy(row.registration) else {
                // Comes again when the registration's other request has its answer.
                deferred.park(row.key)
                continue
            }
            return LaneTicket(
                sequence: row.sequence,
                registration: row.registration,
                attempt: row.attempt,
                token: pace.token,
                expires: row.expires
            )
        }
        return nil
    }
}
