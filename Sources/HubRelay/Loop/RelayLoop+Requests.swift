import HubModel
import HubVocabulary

// Requests: a ticket and its registration make one, an answer ends it.
extension RelayLoop {
    /// Makes the requests of tickets whose registrations have come.
    mutating func launch(
        _ tickets: [LaneTicket],
        _ found: Result<[RelayRow], Refusal>,
        log: any LogReading,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) {
        guard case .success(let rows) = found else {
            var actions: [LaneAction] = []
            let verdict = RelayVerdict(.stall(retryAfter: nil), .pnsUnavailable, "the hub is busy")
            for ticket in tickets { end(ticket, verdict, now: now, actions: &actions) }
            return
        }
        var reader = RelayRowReader(rows)
        for ticket in tickets {
            let row = reader.row(of: ticket)
            // A ticket that is not in flight has ended, and one with a flight has its request.
            guard lane.awaits(ticket), flights[ticket] == nil, !lane.endIfOver(ticket) else {
                continue
            }
            // A direct send names its handle itself.
            let isThere = row.map { !$0.isOwn }
            guard isThere ?? DirectHandles.has(ticket.registration) else {
                lane.absent(ticket)
                continue
            }
            guard let flight = flight(ticket, row, log: log, now: now) else { continue }
            flights[ticket] = flight
            send(ticket, flight, tokens: &tokens, host: &host, now: now)
        }
    }

    /// The notification and handle of a ticket; nil when the ticket ended without a request.
    private mutating func flight(
        _ ticket: LaneTicket,
        _ row: RelayRow?,
        log: any LogReading,
        now: Now
    ) -> RelayFlight? {
        do throws(StoreError) {
            guard let record = try records.record(at: ticket.sequence, log) else {
                lane.expired(ticket)
                return nil
            }
            let named = row?.handle ?? records.handle(ticket.registration, of: record)
            guard let named else {
                lane.absent(ticket)
                return nil
            }
            let verdict = verdict(named, row?.fields ?? [], generation: row?.generation ?? 0)
            guard case .foreign(let handle) = verdict else {
                if row == nil, case .ours = verdict {
                    // A direct send to a device that has left nothing with the hub yet.
                    lane.absent(ticket)
                } else {
                    lane.unusable(ticket, verdict.refusal, now: now)
                }
                return nil
            }
            guard let notification = notification(of: record, ticket, row) else {
                lane.unusable(ticket, "the template does not compile", now: now)
                return nil
            }
            let lifetime = notification.lifetime
            guard lifetime.isTransient || lifetime.expires > now.time else {
                lane.expired(ticket)
                return nil
            }
            return RelayFlight(
                notification: notification,
                handle: handle,
                modified: row?.modified ?? Timestamp(milliseconds: 0),
                version: row?.version,
                sharesContent: row.map { !$0.isTemplate } ?? true
            )
        } catch {
            var actions: [LaneAction] = []
            let verdict = RelayVerdict(.stall(retryAfter: nil), .pnsUnavailable, "the log")
            end(ticket, verdict, now: now, actions: &actions)
            return nil
        }
    }

    private func notification(
        of record: NotificationRecord,
        _ ticket: LaneTicket,
        _ row: RelayRow?
    ) -> RelayNotification? {
        if let row {
            return RelayNotification(record, to: row, in: hub, epoch: epoch)
        }
        let place = LogPlace(epoch: epoch, sequence: record.sequence)
        let number = RegistrationNumber(ticket.registration)
        let identifier = RelayIdentifier(hub: hub, place: place, registration: number)
        return RelayNotification(record, identifier)
    }

    mutating func verdict(
        _ handle: [UInt8],
        _ fields: [NamedValue],
        generation: UInt32
    ) -> HandleVerdict {
        judge.verdict(
            handle,
            platform: platform,
            keys: ForeignHandle.SubscriptionKeys(fields),
            credential: entry.properties.kind,
            generation: { _ in generation }
        )
    }

    /// Brings a ticket's request to the service, or lets it wait for an access token; one that waited
    /// is looked up.
    mutating func send(
        _ ticket: LaneTicket,
        _ begun: RelayFlight? = nil,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) {
        if begun == nil, lane.endIfOver(ticket) { flights[ticket] = nil }
        guard let flight = begun ?? flights[ticket] else { return }
        guard !lane.isStopping else { return release(ticket, now: now) }
        do throws(RelayVerdict) {
            let known = knownRequest(flight, tokens: &tokens, now: now.time)
            let made: RelayRequest? =
                if let known { known } else {
                    try request(flight, tokens: &tokens, host: &host, now: now.time)
                }
            if let request = made {
                try request.head.requirePlain()
                host.send(request, for: ticket)
            } else {
                waiting.append(ticket)
            }
        } catch {
            flights[ticket] = nil
            var actions: [LaneAction] = []
            end(ticket, error, now: now, actions: &actions)
        }
    }

    /// The service's request, where another of its record has left all but handle and name; nil where
    /// none has.
    private mutating func knownRequest(
        _ flight: RelayFlight,
        tokens: inout AppleTokens,
        now: Timestamp
    ) -> RelayRequest? {
        guard case .apple(let token) = flight.handle else { return nil }
        let authorization = authorization.providerToken(&tokens, now: now)
        return records.forms.apple(known: flight, authorization: authorization)?
            .request(to: token, flight.notification.identifier)
    }

    /// The service's request; nil while there is no access token.
    ///
    /// - Throws: the verdict that the service would give.
    mutating func request(
        _ flight: RelayFlight,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Timestamp
    ) throws(RelayVerdict) -> RelayRequest? {
        switch (entry.credential, flight.handle) {
        case (.apple(let apple), .apple(let token)):
            let authorization = authorization.providerToken(&tokens, now: now)
            return try records.forms.apple(flight, apple, authorization: authorization)
                .request(to: token, flight.notification.identifier)
        case (.firebase(let firebase), _):
            guard let token = authorization.accessToken(now: now) else { return nil }
            return try records.forms.firebase(flight, firebase, accessToken: token, now: now)
                .request(to: flight.handle)
        case (.windows, .windows(let address)):
            guard let token = authorization.accessToken(now: now) else { return nil }
            return try WindowsService.request(
                flight.notification,
                to: address,
                accessToken: token,
                now: now
            )
        case (.browser, .browser(let address, let key, let secret)):
            let text = authorization.browserToken(origin: address.origin, now: now)
            guard let text else { return nil }
            var draw = host.draw()
            return try records.forms.browser(flight, to: address, authorization: text, now: now)
                .request(to: address, key: key, secret: secret, draw: &draw)
        case (.apple, _), (.windows, _), (.browser, _), (.unused, _), (.broken, _):
            throw RelayVerdict(.content, .badChannel, "no handle of this service")
        }
    }

    // MARK: Answers

    /// A request ended.
    mutating func land(
        _ ticket: LaneTicket,
        _ answer: Result<RelayAnswer, RelayVerdict>,
        host: inout some RelayHost,
        now: Now,
        actions: inout [LaneAction]
    ) {
        guard let flight = flights.removeValue(forKey: ticket) else { return }
        let heard =
            switch answer {
            case .success(let answer):
                entry.credential.meaning(
                    of: answer,
                    to: flight.notification,
                    otherTook: flight.sharesContent && lane.wasTaken(ticket.sequence),
                    now: now.time
                )
            case .failure(let verdict): verdict
            }
        switch heard.action {
        case .malformed: host.tell(.malformed(heard.reason))
        case .gone, .suspect(mayDelete: true):
            if versions.count >= Self.versionsMax { versions.removeAll() }
            // A handle without a registration leaves nothing to remove.
            if let version = flight.version { versions[ticket.registration] = version }
        case .renew:
            if case .browser(let address, _, _) = flight.handle {
                authorization.refusedBrowserToken(origin: address.origin)
            }
        default: break
        }
        let isChosen = platform.hasManyHosts
        lane.receive(
            isChosen ? heard.ofOneHost : heard,
            for: ticket,
            from: isChosen ? .chosenHost : .service(sharesContent: flight.sharesContent),
            modified: flight.modified,
            now: now,
            actions: &actions
        )
    }

    /// Versions that are remembered for removals at most.
    private static var versionsMax: Int { 20_000 }

    /// No request was made.
    mutating func end(
        _ ticket: LaneTicket,
        _ verdict: RelayVerdict,
        now: Now,
        actions: inout [LaneAction]
    ) {
        lane.receive(
            verdict,
            for: ticket,
            from: .belfry,
            modified: now.time,
            now: now,
            actions: &actions
        )
    }
}

extension RelayCredential {
    /// The meaning of its service's answer; `otherTook` says whether another device took the record.
    func meaning(
        of answer: RelayAnswer,
        to notification: RelayNotification,
        otherTook: Bool = false,
        now: Timestamp
    ) -> RelayVerdict {
        switch self {
        case .apple: AppleService.verdict(answer, to: notification, now: now)
        case .firebase: FirebaseService.verdict(answer, otherTook: otherTook, now: now)
        case .browser: BrowserService.verdict(answer, now: now)
        case .windows: WindowsService.verdict(answer, now: now)
        case .unused, .broken: .unreachable("no service")
        }
    }
}

extension Platform {
    /// Whether a registration chooses the host that its requests go to, among those allowed.
    fileprivate var hasManyHosts: Bool { self == .browser || self == .windows }
}

extension ForeignHandle.SubscriptionKeys {
    /// The keys among a registration's fields; empty where there are none.
    fileprivate init(_ fields: [NamedValue]) {
        func field(_ name: String) -> [UInt8] {
            fields.first { ASCII.equal($0.name, name.utf8) }?.value ?? []
        }
        self.init(publicKey: field("P256DH"), secret: field("Auth"))
    }
}
