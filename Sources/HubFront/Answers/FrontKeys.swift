import Dispatch
import HubModel
import HubREST
package import HubRules
import HubVocabulary
import Synchronization

/// The rules by which a front lets operators read its own numbers.
///
/// They are the leader's, as this node's folder has them, and may be some seconds old.
package final class FrontKeys: Sendable {
    private struct State {
        var policies: AccessPolicies
        var tokens = FrontKeys.noTokens()
        var readAt = ContinuousClock.now
    }

    /// For so long what was read is good enough.
    private static let freshness: Duration = .seconds(10)

    private let state: Mutex<State>
    private let read: @Sendable () throws -> AccessPolicies

    /// Reads them; `read` blocks.
    package init(read: @escaping @Sendable () throws -> AccessPolicies) throws {
        self.read = read
        state = Mutex(State(policies: try read()))
    }

    /// As last read.
    package var policies: AccessPolicies { state.withLock { $0.policies } }

    /// Checks a token of a hub's as its leader does.
    func authorize(_ request: AccessRequest, now: Timestamp) throws(Refusal) -> AccessGrant {
        let (policies, tokens) = state.withLock { ($0.policies, $0.tokens) }
        return try tokens.authorize(request, by: policies, now: now)
    }

    private static func noTokens() -> TokenCache { TokenCache(capacity: FrontLimits.tokensKept) }

    /// Reads them again when they are old; those before stay when that fails.
    package func refresh() async {
        let isDue = state.withLock { state in
            guard state.readAt.duration(to: .now) > Self.freshness else { return false }
            state.readAt = .now
            return true
        }
        guard isDue else { return }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                // Files that are being written are read the next time.
                if let policies = try? read() {
                    state.withLock { state in
                        state.policies = policies
                        state.tokens = Self.noTokens()
                    }
                }
                continuation.resume()
            }
        }
    }
}
