package import HubREST
package import HubRules
package import HubVocabulary
import Synchronization

/// Codes that wait, sessions that are open, and ways in for relays.
///
/// Secrets are held as their digests. Sessions outlive a restart, with the ways in through which
/// they began; codes do not.
/// Each access rule has a share of its own: the holder of one key shuts out no other.
package final class SignIns: ConsoleCodes, Sendable {
    /// A code that was made and not used yet.
    struct WaitingCode {
        var asked: ConsoleCodeRequest
        /// A digest of the rule's keys when it was made.
        var keys: String
        var expires: UInt64

        var share: ConsoleShare { ConsoleShare(hub: asked.hub, rule: asked.rule) }
    }

    /// A session with what a restart may forget.
    struct HeldSession {
        var session: ConsoleSession
        var seen: UInt64
        var freshUntil: UInt64 = 0
        var wrongConfirmations = 0
        var second: UInt64 = 0
        var requests: UInt32 = 0
        /// Requests that are not answered yet.
        var open = 0
    }

    /// A way in for a relay.
    struct WayIn {
        var share: ConsoleShare
        var ends: UInt64
    }

    struct State {
        var codes: [String: WaitingCode] = [:]
        var sessions: [String: HeldSession] = [:]
        var relays: [String: WayIn] = [:]
        var refused = RefusedTries()
    }

    let limits: ConsoleLimits
    let now: @Sendable () -> Timestamp
    private let rules: @Sendable (ConsoleShare) -> [AccessRule]
    private let keep: @Sendable ([ConsoleSession]) -> Void
    private let keeping = Mutex(())
    let state: Mutex<State>

    /// Goes on with the sessions that were kept.
    ///
    /// `rules` tells the access rules that a share may mean: that of the hub, that of the
    /// namespace. `keep` makes the sessions outlive a restart.
    package init(
        limits: ConsoleLimits = ConsoleLimits(),
        kept: [ConsoleSession] = [],
        now: @escaping @Sendable () -> Timestamp,
        rules: @escaping @Sendable (ConsoleShare) -> [AccessRule],
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
            if let relay = session.relay {
                state.relays[relay] = WayIn(share: session.share, ends: session.ends)
            }
        }
        self.state = Mutex(state)
    }

    // MARK: Codes

    package func code(_ asked: ConsoleCodeRequest) throws(Refusal) -> ConsoleCode {
        guard (1...limits.nameMax).contains(asked.name.unicodeScalars.count) else {
            throw .invalid(field: "name", reason: "must have 1 to \(limits.nameMax) characters.")
        }
        let share = ConsoleShare(hub: asked.hub, rule: asked.rule)
        // The rule may have changed since the request was let in.
        guard let keys = marks(share).first else { throw .missingRight(.manage) }
        let present = now().milliseconds
        let (text, seconds, relay): (String, UInt64, String?) =
            switch asked.purpose {
            case .signIn: (ConsoleSecret.code(), limits.codeSeconds, ConsoleSecret.token())
            case .confirm: (ConsoleSecret.digits(), limits.confirmationSeconds, nil)
            }
        let code = WaitingCode(asked: asked, keys: keys, expires: present + seconds * 1_000)
        let isTaken = state.withLock { state in
            state.codes = state.codes.filter { $0.value.expires > present }
            guard state.codes.values.count(where: { $0.share == share }) < limits.codesMax else {
                return false
            }
            state.codes[ConsoleSecret.digest(text)] = code
            if let relay, case .signIn(_, let hours) = asked.purpose {
                let ends = present + UInt64(hours) * 3_600_000
                open(relay, WayIn(share: share, ends: ends), at: present, &state)
            }
            return true
        }
        guard isTaken else { throw .tooMany(what: "codes that wait", limit: limits.codesMax) }
        return ConsoleCode(
            text: text,
            expires: Timestamp(milliseconds: code.expires),
            relay: relay
        )
    }

    /// Opens a way in; one more than its rule may have closes the one that would end first.
    private func open(_ token: String, _ way: WayIn, at present: UInt64, _ state: inout State) {
        state.relays = state.relays.filter { $0.value.ends > present }
        let own = state.relays.filter { $0.value.share == way.share }
        if own.count >= limits.relaysMax,
            let first = own.min(by: { ($0.value.ends, $0.key) < ($1.value.ends, $1.key) })
        {
            state.relays[first.key] = nil
        }
        state.relays[ConsoleSecret.digest(token)] = way
    }

    /// Whether a relay has brought a way in that is open.
    func isRelay(_ token: String) -> Bool {
        let present = now().milliseconds
        return state.withLock { state in
            state.relays[ConsoleSecret.digest(token)].map { $0.ends > present } ?? false
        }
    }

    // MARK: Sessions

    /// Takes a code for a new session and its cookie.
    ///
    /// A session that begins through a relay, with its way in, is good for relays alone, and any
    /// other for none.
    package func signIn(
        code: String,
        from network: DeviceID?,
        relay: String?
    ) -> SignInOutcome {
        let present = now().milliseconds
        let cookie = ConsoleSecret.token()
        let outcome: SignInOutcome = state.withLock { state in
            let digest = ConsoleSecret.digest(code)
            // A right code is taken whatever strangers have tried: it cannot be guessed.
            guard let found = state.codes[digest], found.expires > present,
                case .signIn(let role, let hours) = found.asked.purpose,
                marks(found.share).contains(found.keys)
            else { return state.refused.add(from: network, at: present, limits) }
            state.codes[digest] = nil
            let session = ConsoleSession(
                digest: ConsoleSecret.digest(cookie),
                role: role,
                hub: found.asked.hub?.description,
                name: found.asked.name,
                rule: found.asked.rule,
                keys: found.keys,
                relay: relay.map(ConsoleSecret.digest),
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

    /// The session of a cookie, which this request keeps from becoming idle unless it is a poll.
    func visit(cookie: String, isRelayed: Bool, isPoll: Bool) -> SessionVisit {
        let present = now().milliseconds
        let (visit, isEnded): (SessionVisit, Bool) = state.withLock { state in
            let count = state.sessions.count
            guard var held = opened(cookie, isRelayed, in: &state, at: present) else {
                return (.none, state.sessions.count < count)
            }
            if !isPoll { held.seen = present }
            if held.second != present / 1_000 {
                (held.second, held.requests) = (present / 1_000, 0)
            }
            held.requests += 1
            let isTooFast =
                held.requests > limits.requestsPerSecond || held.open >= limits.openRequestsMax
            if !isTooFast { held.open += 1 }
            state.sessions[held.session.digest] = held
            if isTooFast { return (.tooFast, false) }
            return (.open(held.session, isFresh: held.freshUntil > present), false)
        }
        if isEnded { keepSessions() }
        return visit
    }

    /// Asks once more for the session of a visit: while a body was on its way it may have ended.
    func revisit(cookie: String, isRelayed: Bool) -> SessionVisit {
        let present = now().milliseconds
        let (held, isEnded) = state.withLock { state in
            let count = state.sessions.count
            let held = opened(cookie, isRelayed, in: &state, at: present)
            return (held, state.sessions.count < count)
        }
        if isEnded { keepSessions() }
        return held.map { .open($0.session, isFresh: $0.freshUntil > present) } ?? .none
    }

    /// An open visit of a session is answered.
    func leave(_ session: ConsoleSession) {
        state.withLock { $0.sessions[session.digest]?.open -= 1 }
    }

    /// The session that a cookie opens; one that has ended is forgotten.
    private func opened(
        _ cookie: String,
        _ isRelayed: Bool,
        in state: inout State,
        at present: UInt64
    ) -> HeldSession? {
        let digest = ConsoleSecret.digest(cookie)
        // On another way than its own a cookie is one that another program has read.
        guard let held = state.sessions[digest], held.session.isRelayed == isRelayed else {
            return nil
        }
        let session = held.session
        let idle = session.role == .viewer ? UInt64.max : limits.idleSeconds * 1_000
        guard session.ends > present, present - min(present, held.seen) < idle,
            marks(session.share).contains(session.keys)
        else {
            state.sessions[digest] = nil
            return nil
        }
        return held
    }

    /// Takes a confirmation for a session.
    func confirm(_ digits: String, for session: ConsoleSession) -> ConfirmationOutcome {
        let present = now().milliseconds
        let outcome: ConfirmationOutcome = state.withLock { state in
            guard var held = state.sessions[session.digest] else { return .ended }
            let digest = ConsoleSecret.digest(digits)
            if let found = state.codes[digest], found.expires > present,
                case .confirm = found.asked.purpose, marks(found.share).contains(found.keys),
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

    /// Digests of the keys that may stand for a share: of rules that have Manage.
    private func marks(_ share: ConsoleShare) -> [String] {
        rules(share).filter { $0.rights.contains(.manage) }.map { rule in
            ConsoleSecret.mark("\(rule.name)\n\(rule.primaryKey)\n\(rule.secondaryKey)")
        }
    }

    /// One after the other, so that an older list never replaces a newer one.
    private func keepSessions() { keeping.withLock { _ in keep(sessions) } }

    /// Ends the session of the rule that was idle longest where one more would be too many.
    private func makeRoom(for session: ConsoleSession, _ state: inout State) {
        func drop(_ most: Int, _ isMeant: (ConsoleSession) -> Bool) {
            let meant = state.sessions.values.filter {
                $0.session.share == session.share && isMeant($0.session)
            }.sorted { ($0.seen, $0.session.digest) < ($1.seen, $1.session.digest) }
            for held in meant.prefix(max(0, meant.count - most + 1)) {
                state.sessions[held.session.digest] = nil
            }
        }
        drop(limits.sessionsPerNameMax) { $0.name == session.name }
        drop(limits.sessionsMax) { _ in true }
    }
}
