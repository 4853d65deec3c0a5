package import HubVocabulary

/// The provider token of one key, for all hubs and connections that use the key.
///
/// Apple takes a token for an hour and wants no more than one in 20 minutes: more is answered
/// `TooManyProviderTokenUpdates`, which is why the source belongs to team and key and not to a hub.
/// A token is of the last full 20 minutes, so that a process that begins anew shows no newer one.
package struct AppleTokenSource: Sendable {
    /// Seconds after which a token is replaced: 45 minutes, give or take two.
    private static let lifeSeconds: UInt64 = 45 * 60
    private static let jitterSeconds: UInt64 = 120
    /// Seconds between two tokens at least.
    package static let pauseSeconds: UInt64 = 20 * 60

    private enum State {
        case none
        /// Made at a time, and said to be of `issued`; `older` is the one before, to which the
        /// source returns when Apple wants no newer one.
        case made(
            text: String,
            at: Timestamp,
            issued: Timestamp,
            ends: Timestamp,
            older: String?
        )
    }

    private let key: AppleCredential.Key
    private var random: SeededRandom
    private var state = State.none

    /// A source without a token; the seed spreads renewals of many hubs.
    package init(key: AppleCredential.Key, seed: UInt64) {
        self.key = key
        random = SeededRandom(seed: seed)
    }

    /// The token for a request of this moment.
    package mutating func token(now: Timestamp) -> String {
        if case .made(let text, let made, _, let ends, _) = state, now < ends, made <= now {
            return text
        }
        return make(now)
    }

    /// Apple calls the token expired: makes another, unless the last one is younger than the pause.
    ///
    /// Returns whether there is a newer token; without one the credential is wrong, or the clock.
    package mutating func renew(now: Timestamp) -> Bool {
        guard case .made(_, let made, let issued, _, _) = state else { return true }
        guard now >= made.adding(seconds: Self.pauseSeconds), Self.issue(now) > issued else {
            return false
        }
        _ = make(now)
        return true
    }

    /// Apple wants no newer token yet: returns to the older one for 20 minutes.
    package mutating func keepOlder(now: Timestamp) {
        guard case .made(_, let made, let issued, _, let older?) = state else { return }
        state = .made(
            text: older,
            at: made,
            issued: issued,
            ends: now.adding(seconds: Self.pauseSeconds),
            older: nil
        )
    }

    private mutating func make(_ now: Timestamp) -> String {
        let issued = Self.issue(now)
        let text = JSONWebToken.apple(key, now: issued)
        var older: String?
        if case .made(let last, _, _, _, _) = state { older = last }
        let life =
            Self.lifeSeconds - Self.jitterSeconds
            + UInt64.random(in: 0...2 * Self.jitterSeconds, using: &random)
        state = .made(
            text: text,
            at: now,
            issued: issued,
            ends: issued.adding(seconds: life),
            older: older
        )
        return text
    }

    /// The time that a token of this moment has.
    private static func issue(_ now: Timestamp) -> Timestamp {
        Timestamp(milliseconds: now.milliseconds - now.milliseconds % (pauseSeconds * 1_000))
    }
}
