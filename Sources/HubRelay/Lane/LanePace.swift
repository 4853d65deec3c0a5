import HubModel
import HubVocabulary

/// How much a lane may send now: pauses, back-off, trials after them, and the number of requests.
struct LanePace {
    /// The lane's work at this time.
    enum State: Equatable {
        /// As much as the limit allows.
        case running
        /// One request, whose answer decides.
        case probing
        /// Nothing until then: the service or the network asked for it.
        case resting(until: Instant, LaneCause)
        /// Nothing until there is another access token.
        case renewing
        /// Requests whose answers decide whether the brake is released.
        case trial(left: Int, done: Int)
        /// Nothing more: the process ends.
        case stopped
    }

    /// Seconds between two trials with a credential that is wrong, and of the brake.
    private static let haltSeconds: UInt64 = 300
    /// Requests of a trial under the brake.
    private static let trialRequests = 1_000
    /// Answers for which another request may be in flight, until the service first wants less.
    private static let rampAnswers = 50
    /// Milliseconds of back-off, first and longest.
    private static let backoff: (first: UInt64, longest: UInt64) = (1_000, 60_000)

    private(set) var state = State.probing
    /// The end of the pause that the service asked for, which no other state shortens.
    private var notBefore = Instant(nanoseconds: 0)
    /// The trial that went on when a renewal began.
    private var trialBeforeRenewal: State?
    /// How often a service was away in a row.
    private var attempt: UInt64 = 0
    private let limitMax: Int
    private let limitFirst: Int
    private(set) var limit: Int
    /// Answers since the limit last grew.
    private var credit = 0
    /// Whether the service has never wanted less.
    private var isRamping = true
    private var quota = LaneQuota()
    /// Which access token requests carry.
    private(set) var token: UInt32 = 0
    /// Whether no request succeeded since the last renewal.
    private var isFreshToken = false
    private var random: SeededRandom

    init(_ limits: LaneLimits, seed: UInt64) {
        limitMax = limits.requestsMax
        limitFirst = min(limits.requestsFirst, limits.requestsMax)
        limit = limitFirst
        random = SeededRandom(seed: seed)
    }

    /// Requests that may be in flight.
    func permits(now: Instant) -> Int {
        guard now >= notBefore else { return 0 }
        return switch state {
        case .running: limit
        case .probing: 1
        case .trial(let left, _): min(limit, left)
        case .resting, .renewing, .stopped: 0
        }
    }

    /// Whether a rest of the brake's is in force, or its trial: nothing is removed.
    var isBraked: Bool {
        switch state {
        case .trial, .resting(_, .brake): true
        case .running, .probing, .resting, .renewing, .stopped: false
        }
    }

    /// Whether the lane rests for longer than a service's own pause.
    var isAway: Bool {
        switch state {
        case .resting(_, .throttled): false
        case .resting: true
        case .running, .probing, .renewing, .trial, .stopped: false
        }
    }

    /// Why nothing is sent; nil while it is.
    var cause: LaneCause? {
        if case .resting(_, let cause) = state { cause } else { nil }
    }

    /// When the state changes by itself.
    var deadline: Instant? {
        if case .resting(let until, _) = state { return max(until, notBefore) }
        return notBefore.nanoseconds > 0 ? notBefore : quota.deadline
    }

    /// A rest may be over; returns whether the lane sends again.
    mutating func tick(now: Instant) -> Bool {
        if now >= notBefore { notBefore = Instant(nanoseconds: 0) }
        guard case .resting(let until, let cause) = state, now >= max(until, notBefore) else {
            return false
        }
        switch cause {
        case .throttled: state = .running
        case .unavailable, .credential, .store: state = .probing
        case .brake: state = .trial(left: Self.trialRequests, done: 0)
        }
        return true
    }

    /// The service answered a request in its own right; `took` says whether it took it.
    ///
    /// Returns whether a trial ended well.
    mutating func answered(took: Bool, now: Instant) -> Bool {
        if took {
            isFreshToken = false
            quota.took(now: now)
        }
        switch state {
        case .probing:
            attempt = 0
            state = .running
        case .running:
            attempt = 0
            grow()
        case .trial(let left, let done):
            let total = done + (took ? 1 : 0)
            guard left <= 1 else {
                state = .trial(left: left - 1, done: total)
                return false
            }
            guard total * 2 > Self.trialRequests else {
                brake(now: now)
                return false
            }
            state = .running
            return true
        case .resting, .renewing, .stopped: break
        }
        return false
    }

    private mutating func grow() {
        credit += 1
        let wanted = isRamping ? Self.rampAnswers : limit
        guard limit < limitMax, credit >= wanted else { return }
        limit += 1
        credit = 0
    }

    /// Whether the service's quota has room for another request.
    mutating func hasRoom(now: Instant) -> Bool { quota.hasRoom(now: now) }

    /// A request is made.
    mutating func made() { quota.made() }

    /// The service refuses a request because it had enough of them; those that were in flight with it
    /// say the same.
    mutating func meetQuota(retryAfter seconds: UInt64?, now: Instant) {
        if now >= notBefore { quota.refused(retryAfter: seconds, now: now) }
    }

    /// The service wants less: a pause, and half of the requests.
    mutating func slow(_ retryAfter: UInt64?, _ reason: String, now: Instant) {
        // Refusals of one burst are one wish.
        if now >= notBefore {
            limit = max(1, limit / 2)
            credit = 0
            isRamping = false
        } else if retryAfter == nil {
            return
        }
        let wait = retryAfter.map { $0 * 1_000 } ?? nextBackoff()
        // A tenth more at random, so that many hubs do not come back at one moment.
        let spread = UInt64.random(in: 0...wait / 10, using: &random)
        let until = now.adding(milliseconds: wait + spread)
        notBefore = max(notBefore, until)
        rest(until, .throttled(reason))
    }

    /// The service is not there.
    mutating func stall(_ retryAfter: UInt64?, _ reason: String, now: Instant) {
        // Answers of one burst are one absence.
        if case .resting(_, .unavailable) = state, retryAfter == nil { return }
        let wait = max(nextBackoff(), (retryAfter ?? 0) * 1_000)
        let until = now.adding(milliseconds: wait)
        if retryAfter != nil { notBefore = max(notBefore, until) }
        rest(until, .unavailable(reason))
    }

    private mutating func nextBackoff() -> UInt64 {
        let most = min(Self.backoff.first << min(attempt, 6), Self.backoff.longest)
        attempt += 1
        return UInt64.random(in: 0...most, using: &random)
    }

    /// The credential is wrong: one request every five minutes.
    mutating func halt(_ outcome: RelayOutcome, _ reason: String, now: Instant) {
        rest(now.adding(milliseconds: Self.haltSeconds * 1_000), .credential(outcome, reason))
    }

    /// The brake is on: a trial every five minutes.
    mutating func brake(now: Instant) {
        rest(now.adding(milliseconds: Self.haltSeconds * 1_000), .brake)
    }

    /// The store does not take the mark: nothing is sent that could not be marked.
    mutating func waitForStore(now: Instant) { rest(now.adding(milliseconds: 1_000), .store) }

    private mutating func rest(_ until: Instant, _ cause: LaneCause) {
        guard state != .stopped else { return }
        if case .resting(let old, let oldCause) = state {
            // The brake and a wrong credential outlast a service's own pauses; else the longer one.
            if rank(oldCause) > rank(cause) { return }
            state = .resting(
                until: rank(oldCause) == rank(cause) ? max(old, until) : until,
                cause
            )
        } else {
            state = .resting(until: until, cause)
        }
    }

    private func rank(_ cause: LaneCause) -> Int {
        switch cause {
        case .throttled: 0
        case .unavailable: 1
        case .store: 2
        case .credential: 3
        case .brake: 4
        }
    }

    /// A request's token was refused; returns what follows.
    mutating func refuseToken(of ticket: UInt32) -> Renewal {
        guard ticket == token else { return .again }
        switch state {
        // After the rest another request asks for a token, if it still must.
        case .renewing, .stopped, .resting: return .again
        case .running, .probing: trialBeforeRenewal = nil
        case .trial: trialBeforeRenewal = state
        }
        guard !isFreshToken else { return .halt }
        state = .renewing
        return .renew
    }

    enum Renewal {
        /// The request carried an older token.
        case again
        case renew
        /// Also the renewed token was refused.
        case halt
    }

    /// There is another token.
    mutating func renewed() {
        token += 1
        isFreshToken = true
        if state == .renewing { state = trialBeforeRenewal ?? .probing }
    }

    /// The store takes the mark again.
    mutating func storeIsBack() {
        if case .resting(_, .store) = state { state = .probing }
    }

    /// The credential or an operator's word ends every rest.
    mutating func begin() {
        guard state != .stopped else { return }
        attempt = 0
        notBefore = Instant(nanoseconds: 0)
        isFreshToken = false
        limit = limitFirst
        isRamping = true
        quota = LaneQuota()
        state = .probing
    }

    mutating func stop() { state = .stopped }
}
