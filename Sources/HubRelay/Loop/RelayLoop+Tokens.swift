import HubModel
import HubVocabulary

// Access tokens: asked for when requests need one, renewed before their end and when refused.
extension RelayLoop {
    /// Asks the endpoint when a token is missing, ends soon, or was refused.
    mutating func askToken(_ host: inout some RelayHost, now: Now) {
        guard case .access(var source) = authorization.way,
            !waiting.isEmpty || !trials.isEmpty || isRenewing || lane.openCount > 0,
            source.asks(now: now)
        else { return }
        switch entry.credential {
        case .firebase(let firebase):
            host.fetchToken(FirebaseToken.request(firebase, now: now.time))
        case .windows(let windows): host.fetchToken(WindowsToken.request(windows))
        case .apple, .browser, .unused, .broken: return
        }
        authorization.way = .access(source)
    }

    /// A service called the token stale.
    mutating func renew(
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) {
        switch authorization.way {
        case .provider:
            if authorization.renewProviderToken(&tokens, now: now.time) {
                return lane.tokenRenewed()
            }
            refuseToken("the token is new: is the clock right?", &host, now: now)
        case .browser: lane.tokenRenewed()
        case .certificate: refuseToken("the certificate was refused", &host, now: now)
        case .access(var source):
            if case .token(let text) = source.read(now: now.time) { source.refused(text) }
            authorization.way = .access(source)
            isRenewing = true
        }
    }

    private mutating func refuseToken(
        _ reason: String,
        _ host: inout some RelayHost,
        now: Now
    ) {
        var actions: [LaneAction] = []
        let verdict = RelayVerdict(.credential, .invalidToken, reason)
        lane.tokenRefused(verdict, pause: 0, now: now, actions: &actions)
        for case .rests(let cause) in actions { host.tell(.rests(cause)) }
    }

    /// The endpoint answered.
    mutating func take(
        _ answer: Result<RelayAnswer, RelayVerdict>,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now,
        actions: inout [LaneAction]
    ) {
        guard case .access(var source) = authorization.way else { return }
        let outcome: AccessTokenRequest.Answer =
            switch answer {
            case .success(let answer): AccessTokenRequest.read(answer, now: now.time)
            case .failure(let verdict):
                // The credential was not judged: its endpoint is away.
                .refused(
                    RelayVerdict(
                        .stall(retryAfter: nil),
                        .tokenProviderUnreachable,
                        verdict.reason
                    )
                )
            }
        switch outcome {
        case .token(let text, let life):
            source.receive(text, lifeSeconds: life, now: now.time)
            authorization.way = .access(source)
            if isRenewing { lane.tokenRenewed() }
            isRenewing = false
            let ready = waiting
            waiting = []
            for ticket in ready { send(ticket, tokens: &tokens, host: &host, now: now) }
            releaseTrials(nil, tokens: &tokens, host: &host, now: now)
        case .refused(let verdict):
            var failure = AccessTokenSource.Failure.refused
            if case .stall(let seconds) = verdict.action { failure = .away(retryAfter: seconds) }
            let pause = source.fail(failure, now: now.instant)
            authorization.way = .access(source)
            releaseTrials(verdict, tokens: &tokens, host: &host, now: now)
            // An older token may serve on.
            guard isRenewing || !waiting.isEmpty else { return }
            isRenewing = false
            lane.tokenRefused(verdict, pause: pause, now: now, actions: &actions)
            releaseWaiting(now: now)
        }
    }

    /// Requests that wait for a token are made anew later.
    mutating func releaseWaiting(now: Now) {
        let released = waiting
        waiting = []
        for ticket in released { release(ticket, now: now) }
    }

    /// A request that was not made is made later; the lane says nothing to that.
    mutating func release(_ ticket: LaneTicket, now: Now) {
        flights[ticket] = nil
        var actions: [LaneAction] = []
        let verdict = RelayVerdict(.again, .invalidToken)
        end(ticket, verdict, now: now, actions: &actions)
    }
}
