import HubModel
import HubTransport
import HubVocabulary
import Synchronization

/// How a hub's store fares, for `/healthz`: its writer may be blocked in it.
final class StoreHealth: Sendable {
    private struct State {
        var refusal: StoreError?
        var checkpointRefusal: StoreError?
        var commitBegan: Instant?
    }

    /// Milliseconds after which a commit that has not returned is a problem.
    private static let stallMilliseconds: UInt64 = 5_000

    private let state = Mutex(State())

    /// The writer asks the store to commit.
    func commitBegins() { state.withLock { $0.commitBegan = Clock.now.instant } }

    /// The store has answered.
    func commitEnded(_ refusal: StoreError?) {
        state.withLock { state in
            state.commitBegan = nil
            state.refusal = refusal
        }
    }

    /// The store took a checkpoint, or refused it.
    func checkpointEnded(_ refusal: StoreError?) {
        state.withLock { $0.checkpointRefusal = refusal }
    }

    /// Returns the problem in some words; nil when there is none.
    var problem: String? {
        state.withLock { state in
            if let began = state.commitBegan,
                Clock.now.instant.milliseconds(since: began) > Self.stallMilliseconds
            {
                return "the store does not answer"
            }
            return (state.refusal ?? state.checkpointRefusal)?.description
        }
    }
}
