package import HubREST
package import HubVocabulary
import Synchronization

/// Codes that wait, sessions that are open, and ways in for relays.
///
/// Secrets are held as their digests. Sessions outlive a restart; codes and ways in do not.
package final class SignIns: ConsoleCodes, Sendable {
    /// A code that was made and not used yet.
    struct WaitingCode {
        var asked: ConsoleCodeRequest
        var expires: UInt64
    }

    /// A session with what a restart may forget.
    struct HeldSession {
        var session: ConsoleSession
        var seen: UInt64
        var freshUntil: UInt64 = 0
        var wrongConfirmations = 0
        var second: UInt64 = 0
        var requests: UInt32 = 0
    }

    struct State {
        var codes: [String: WaitingCode] = [:]
        var sessions: [String: HeldSession] = [:]
        /// The end of each way in for a relay.
        var relays: [String: UInt64] = [:]
        var tries: [(network: DeviceID?, time: UInt64)] = []
    }

    let limits: ConsoleLimits
    let now: @Sendable () -> Timestamp
    private let rules: @Sendable (HubName?, String) -> String?
    private let keep: @Sendable ([ConsoleSession]) -> Void
    private let keeping = Mutex(())
    let state: Mutex<State>

    /// Goes on with the sessions that were kept.
    ///
    /// `rules` tells the keys of a hub's or the namespace's access rule, and nil where there is no
    /// such rule; they are held as a digest. `keep` makes the sessions outlive a
    /// restart.
    package init(
        limits: ConsoleLimits = ConsoleLimits(),
        kept: [ConsoleSession] = [],
        now: @escaping @Sendable () -> Timestamp,
        rules: @escaping @Sendable (HubName?, String) -> String?,
        keep: @escaping @Sendable ([ConsoleSession]) -> Void = { _ in }
    ) {
        self.limits = limits
        self.now = now
        self.rules = rules
        self.keep = keep
        var state = State()
        for session in kept {
            state.sessions[session.digest] = HeldSession(
                session: session,
                seen: now().milliseconds
            )
        }
        self.state = Mutex(state)
    }

    // MARK: Codes

    package func code(_ asked: ConsoleCodeRequest) throws(Refusal) -> ConsoleCode {
        guard (1...limits.nameMax).contains(asked.name.count) else {
            throw .invalid(field: "name", reason: "must have 1 to \(limits.nameMax) characters.")
        }
        let present = now().milliseconds
        let (text, seconds, relay): (String, UInt64, String?) =
            switch asked.purpose {
            case .signIn: (ConsoleSecret.code(), limits.codeSeconds, ConsoleSecret.token())
            case .confirm: (ConsoleSecret.digits(), limits.confirmationSeconds, nil)
            }
        let expires = present + seconds * 1_000
        let isTaken = state.withLock { state in
            state.codes = state.codes.filter { $0.value.expires > present }
            state.relays = state.relays.filter { $0.value > present }
            guard state.codes.count < limits.codesMax else { return false }
            state.codes[ConsoleSecret.digest(text)] = WaitingCode(asked: asked, expires: expires)
            if let relay, case .signIn(_, let hours) = asked.purpose {
                // One more than there may be closes the one that would end first.
                if state.relays.count >= limits.relaysMax,
                    let first = state.relays.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
                {
                    state.relays[first.key] = nil
                }
                let until = present + UInt64(hours) * 3_600_000
                state.relays[ConsoleSecret.digest(relay)] = until
            }
            return true
        }
        guard isTaken else { throw .tooMany(what: "codes that wait", limit: limits.codesMax) }
        return ConsoleCode(
            text: text,
            expires: Timestamp(milliseconds: expires),
            relay: relay
        )
    }

    /// Whether a relay has brought a way in that is open.
    func isRelay(_ token: String) -> Bool {
        let present = now().milliseconds
        return state.withLock { state in
            state.relays[ConsoleSecret.digest(token)].map { $0 > present } ?? false
        }
    }

    // MARK: Sessions

    /// Takes a code for a new session and its cookie.
    package func signIn(code: String, from network: DeviceID?) -> SignInOutcome {
        let present = now().milliseconds
        let cookie = ConsoleSecret.token()
        let outcome: SignInOutcome = state.withLock { state in
            guard admitTry(from: network, at: present, &state) else { return .tooMany }
            let digest = ConsoleSecret.digest(code)
            guard let found = state.codes[digest], found.expires > present,
                case .signIn(let role, let hours) = found.asked.purpose,
                let keys = mark(found.asked.hub, found.asked.rule)
            else { return .refused }
            state.codes[digest] = nil
            let session = ConsoleSession(
                digest: ConsoleSecret.digest(cookie),
                role: role,
                hub: found.asked.hub?.description,
                name: found.asked.name,
                rule: found.asked.rule,
                keys: keys,
                began: present,
                ends: present + UInt64(hours) * 3_600_000
            )
            makeRoom(for: session, &state)
            state.sessions[session.digest] = HeldSession(session: session, seen: present)
            return .signedIn(session, cookie: cookie)
        }
        if case .signedIn = outcome { keepSessions() }
        return outcome
    }

    /// The session of a cookie, which this request keeps from becoming idle.
    func visit(cookie: String) -> SessionVisit {
        let present = now().milliseconds
        let digest = ConsoleSecret.digest(cookie)
        let (visit, isEnded): (SessionVisit, Bool) = state.withLock { state in
            guard var held = state.sessions[digest] else { return (.none, false) }
            let session = held.session
            let hub = session.hub.flatMap(HubName.init)
            let idle = session.role == .viewer ? UInt64.max : limits.idleSeconds * 1_000
            guard session.ends > present, present - min(present, held.seen) < idle,
                mark(hub, session.rule) == session.keys
            else {
                state.sessions[digest] = nil
                return (.none, true)
            }
            held.seen = present
            if held.second != present / 1_000 {
                (held.second, held.requests) = (present / 1_000, 0)
            }
            held.requests += 1
            state.sessions[digest] = held
            guard held.requests <= limits.requestsPerSecond else { return (.tooFast, false) }
            return (.open(session, isFresh: held.freshUntil > present), false)
        }
        if isEnded { keepSessions() }
        return visit
    }

    /// Takes a confirmation for a session.
    func confirm(_ digits: String, for session: ConsoleSession) -> ConfirmationOutcome {
        let present = now().milliseconds
        let outcome: ConfirmationOutcome = state.withLock { state in
            guard var held = state.sessions[session.digest] else { return .ended }
            let digest = ConsoleSecret.digest(digits)
            if let found = state.codes[digest], found.expires > present,
                case .confirm = found.asked.purpose,
                found.asked.hub == nil || found.asked.hub?.description == session.hub
            {
                state.codes[digest] = nil
                held.freshUntil = present + limits.freshSeconds * 1_000
                held.wrongConfirmations = 0
                state.sessions[session.digest] = held
                return .confirmed
            }
            held.wrongConfirmations += 1
            guard held.wrongConfirmations < limits.wrongConfirmationsMax else {
                state.sessions[session.digest] = nil
                return .ended
            }
            state.sessions[session.digest] = held
            return .wrong(left: limits.wrongConfirmationsMax - held.wrongConfirmations)
        }
        if case .ended = outcome { keepSessions() }
        return outcome
    }

    /// Ends a session; its cookie opens nothing from now on.
    func end(_ session: ConsoleSession) {
        state.withLock { $0.sessions[session.digest] = nil }
        keepSessions()
    }

    /// Open sessions, the newest first.
    var sessions: [ConsoleSession] {
        state.withLock { $0.sessions.values.map(\.session) }.sorted {
            ($1.began, $0.digest) < ($0.began, $1.digest)
        }
    }

    private func mark(_ hub: HubName?, _ rule: String) -> String? {
        rules(hub, rule).map(ConsoleSecret.mark)
    }

    /// One after the other, so that an older list never replaces a newer one.
    private func keepSessions() { keeping.withLock { _ in keep(sessions) } }

    /// Counts a try, unless there were too many in the last minute.
    private func admitTry(from network: DeviceID?, at time: UInt64, _ state: inout State) -> Bool {
        state.tries.removeAll { $0.time + 60_000 <= time }
        guard state.tries.count < limits.triesPerMinuteOfAll,
            state.tries.count(where: { $0.network == network }) < limits.triesPerMinute
        else { return false }
        state.tries.append((network, time))
        return true
    }

    /// Ends the session that was idle longest where one more would be too many.
    private func makeRoom(for session: ConsoleSession, _ state: inout State) {
        func drop(_ most: Int, _ isMeant: (HeldSession) -> Bool) {
            let meant = state.sessions.values.filter(isMeant).sorted {
                ($0.seen, $0.session.digest) < ($1.seen, $1.session.digest)
            }
            for held in meant.prefix(max(0, meant.count - most + 1)) {
                state.sessions[held.session.digest] = nil
            }
        }
        drop(limits.sessionsPerNameMax) { $0.session.name == session.name }
        drop(limits.sessionsMax) { _ in true }
    }
}
