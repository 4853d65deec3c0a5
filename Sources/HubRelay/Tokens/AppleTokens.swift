import Crypto
package import HubVocabulary

/// The provider tokens of all keys, whichever hubs use them.
///
/// Apple counts renewals by team and key, so hubs that share a key must share its token.
package struct AppleTokens: Sendable {
    private var sources: [AppleCredential.Key.Name: AppleTokenSource] = [:]
    private var random: SeededRandom

    /// No tokens; the seed spreads renewals.
    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The token for a request of this moment.
    package mutating func token(_ key: AppleCredential.Key, now: Timestamp) -> String {
        using(key) { $0.token(now: now) }
    }

    /// Returns whether there is a newer token than the one that Apple calls expired.
    package mutating func renew(_ key: AppleCredential.Key, now: Timestamp) -> Bool {
        using(key) { $0.renew(now: now) }
    }

    /// Apple wants no newer token yet: returns to the older one.
    package mutating func keepOlder(_ key: AppleCredential.Key, now: Timestamp) {
        using(key) { $0.keepOlder(now: now) }
    }

    private mutating func using<Value>(
        _ key: AppleCredential.Key,
        _ body: (inout AppleTokenSource) -> Value
    ) -> Value {
        if let place = sources.index(forKey: key.name) { return body(&sources.values[place]) }
        var source = AppleTokenSource(key: key, seed: random.next())
        defer { sources[key.name] = source }
        return body(&source)
    }
}
