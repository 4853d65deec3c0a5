package import HubModel
package import HubRules
package import HubVocabulary
import Synchronization

/// Tokens whose signature was checked, so that a sender's next request with the same one costs a
/// lookup.
///
/// Clients use a token for minutes and thousands of requests. Only tokens that were accepted are
/// kept, each until it ends; what a token does not decide (audience, hub, right) is decided for
/// every request.
package final class TokenCache: Sendable {
    private struct Key: Hashable {
        let hub: HubName
        let header: [UInt8]
    }

    private let capacity: Int
    private let tokens = Mutex<[Key: VerifiedToken]>([:])

    /// Keeps so many at most.
    package init(capacity: Int) { self.capacity = capacity }

    /// Authorizes as `AccessPolicies` does, with the signature checked once for each token.
    ///
    /// `policies` must be the same at every call: a change of rules begins a new cache.
    /// - Throws: as `AccessPolicies` does.
    package func authorize(
        _ request: AccessRequest,
        by policies: AccessPolicies,
        now: Timestamp
    ) throws(Refusal) -> AccessGrant {
        let key = Key(hub: request.hub, header: request.authorization ?? [])
        if let known = tokens.withLock({ $0[key] }) {
            return try policies.authorize(request, with: known, now: now)
        }
        let token = try policies.verify(key.header, hub: key.hub, now: now)
        keep(token, as: key, now: now)
        return try policies.authorize(request, with: token, now: now)
    }

    /// How many are kept.
    package var count: Int { tokens.withLock { $0.count } }

    private func keep(_ token: VerifiedToken, as key: Key, now: Timestamp) {
        tokens.withLock { tokens in
            if tokens.count >= capacity {
                tokens = tokens.filter { now < $0.value.expiry }
                // No server has so many senders. To start again costs each of them one signature.
                if tokens.count >= capacity { tokens.removeAll(keepingCapacity: true) }
            }
            tokens[key] = token
        }
    }
}
