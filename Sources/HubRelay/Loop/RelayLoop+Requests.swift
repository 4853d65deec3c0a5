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
            for ticket in tickets {
                end(ticket, verdict, modified: now.time, now: now, actions: &actions)
            }
            return
        }
        var known: [UInt32: RelayRow] = [:]
        for row in rows { known[row.registration.number.raw] = row }
        // A ticket that is not in flight has ended, and one with a flight has its request.
        for ticket in tickets where lane.awaits(ticket) && flights[ticket] == nil {
            guard let row = known[ticket.registration], row.registration.target == nil else {
                lane.absent(ticket)
                continue
            }
            guard let flight = flight(ticket, row, log: log, now: now) else { continue }
            flights[ticket] = flight
            send(ticket, tokens: &tokens, host: &host, now: now)
        }
    }

    /// The notification and handle of a ticket; nil when the ticket ended without a request.
    private mutating func flight(
        _ ticket: LaneTicket,
        _ row: RelayRow,
        log: any LogReading,
        now: Now
    ) -> RelayFlight? {
        let registration = row.registration
        let handle: ForeignHandle
        switch verdict(row) {
        case .foreign(let found): handle = found
        case .ours, .oursButDead:
            lane.unusable(ticket, "a handle that Belfry made", now: now)
            return nil
        case .unusable(let problem):
            lane.unusable(ticket, "\(problem.field) \(problem.reason)", now: now)
            return nil
        case .noCredential:
            lane.unusable(ticket, "no credential", now: now)
            return nil
        }
        do throws(StoreError) {
            guard let record = try records.record(at: ticket.sequence, log) else {
                lane.expired(ticket)
                return nil
            }
            let made = RelayNotification(record, to: registration, in: hub, epoch: epoch)
            guard let notification = made else {
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
                modified: registration.modified,
                version: registration.version
            )
        } catch {
            var actions: [LaneAction] = []
            let verdict = RelayVerdict(.stall(retryAfter: nil), .pnsUnavailable, "the log")
            end(ticket, verdict, modified: now.time, now: now, actions: &actions)
            return nil
        }
    }

    private mutating func verdict(_ row: RelayRow) -> HandleVerdict {
        let content = row.registration.content
        func field(_ name: String) -> [UInt8] {
            content.platformFields.first { ASCII.equal($0.name, name.utf8) }?.value ?? []
        }
        return judge.verdict(
            content.handle,
            platform: platform,
            keys: ForeignHandle.SubscriptionKeys(
                publicKey: field("P256DH"),
                secret: field("Auth")
            ),
            credential: entry.properties.kind,
            generation: { _ in row.generation }
        )
    }

    /// Brings a ticket's request to the service, or lets it wait for an access token.
    mutating func send(
        _ ticket: LaneTicket,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) {
        guard let flight = flights[ticket] else { return }
        guard !lane.isStopping else { return release(ticket, now: now) }
        do throws(RelayVerdict) {
            if let request = try request(flight, tokens: &tokens, host: &host, now: now.time) {
                if let name = request.brokenHeader {
                    throw RelayVerdict(
                        .content,
                        .invalidNotificationFormat,
                        "\(name) has characters that no header has"
                    )
                }
                host.send(request, for: ticket)
            } else {
                waiting.append(ticket)
            }
        } catch {
            flights[ticket] = nil
            var actions: [LaneAction] = []
            end(ticket, error, modified: flight.modified, now: now, actions: &actions)
        }
    }

    /// The service's request; nil while there is no access token.
    ///
    /// - Throws: the verdict that the service would give.
    private mutating func request(
        _ flight: RelayFlight,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Timestamp
    ) throws(RelayVerdict) -> RelayRequest? {
        switch (entry.credential, flight.handle) {
        case (.apple(let apple), .apple(let token)):
            var authorization: String?
            if case .provider(let key) = self.authorization {
                authorization = tokens.token(key, now: now)
            }
            return try AppleService.request(
                flight.notification,
                token: token,
                credential: apple,
                authorization: authorization,
                now: now
            )
        case (.firebase(let firebase), _):
            guard let token = accessToken(now: now) else { return nil }
            return try FirebaseService.request(
                flight.notification,
                handle: flight.handle,
                credential: firebase,
                accessToken: token,
                now: now
            )
        case (.windows, .windows(let address)):
            guard let token = accessToken(now: now) else { return nil }
            return try WindowsService.request(
                flight.notification,
                to: address,
                accessToken: token,
                now: now
            )
        case (.browser, .browser(let address, let publicKey, let secret)):
            guard case .browser(var source) = authorization else { return nil }
            let text = source.authorization(origin: address.origin, now: now)
            authorization = .browser(source)
            return try BrowserService.request(
                flight.notification,
                to: address,
                publicKey: publicKey,
                secret: secret,
                authorization: text,
                draw: host.draw(),
                now: now
            )
        case (.apple, _), (.windows, _), (.browser, _), (.unused, _),
            (.broken, _):
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
            case .success(let answer): meaning(of: answer, for: ticket, flight, now: now.time)
            case .failure(let verdict): verdict
            }
        switch heard.action {
        case .malformed: host.tell(.malformed(heard.reason))
        case .gone, .suspect(mayDelete: true):
            if versions.count >= Self.versionsMax { versions.removeAll() }
            versions[ticket.registration] = flight.version
        case .renew:
            if case .browser(let address, _, _) = flight.handle,
                case .browser(var source) = authorization
            {
                source.refused(origin: address.origin)
                authorization = .browser(source)
            }
        default: break
        }
        let verdict = platform.hasManyHosts ? heard.ofOneHost : heard
        end(ticket, verdict, modified: flight.modified, now: now, actions: &actions)
    }

    /// Versions that are remembered for removals at most.
    private static var versionsMax: Int { 20_000 }

    mutating func end(
        _ ticket: LaneTicket,
        _ verdict: RelayVerdict,
        modified: Timestamp,
        now: Now,
        actions: inout [LaneAction]
    ) {
        lane.receive(verdict, for: ticket, modified: modified, now: now, actions: &actions)
    }

    private func meaning(
        of answer: RelayAnswer,
        for ticket: LaneTicket,
        _ flight: RelayFlight,
        now: Timestamp
    ) -> RelayVerdict {
        switch entry.credential {
        case .apple: AppleService.verdict(answer, to: flight.notification, now: now)
        case .firebase:
            FirebaseService.verdict(
                answer,
                otherTook: lane.wasTaken(ticket.sequence),
                now: now
            )
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
