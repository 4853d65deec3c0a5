import HubModel
import HubREST
import HubTransport
import HubVocabulary
import Synchronization

/// How a hub's store fares, for `/healthz`: its writer may be blocked in it.
final class StoreHealth: Sendable {
    private struct State {
        var refusal: StoreError?
        var checkpointRefusal: StoreError?
        var commitBegan: Instant?
        var lastBegan = Instant(nanoseconds: 0)
    }

    /// Milliseconds after which a commit that has not returned is a problem.
    private static let stallMilliseconds: UInt64 = 5_000

    private let state = Mutex(State())

    /// The writer asks the store to commit.
    func commitBegins() {
        let now = Clock.now.instant
        state.withLock { ($0.commitBegan, $0.lastBegan) = (now, now) }
    }

    /// When the writer last asked the store to commit.
    var lastBegan: Instant { state.withLock { $0.lastBegan } }

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

    /// Whether the store said that another leader has the hub.
    var hasLostLead: Bool {
        state.withLock { $0.refusal == .fenced || $0.checkpointRefusal == .fenced }
    }

    /// Returns the problem of a hub; nil when there is none.
    func problem(of hub: HubName) -> HubProblem? {
        state.withLock { state in
            if let began = state.commitBegan,
                Clock.now.instant.milliseconds(since: began) > Self.stallMilliseconds
            {
                let text = "the store does not answer"
                return HubProblem(hub: hub, cause: text, detail: text)
            }
            return (state.refusal ?? state.checkpointRefusal).map { error in
                HubProblem(hub: hub, cause: error.cause, detail: error.description)
            }
        }
    }
}

extension StoreError {
    /// The defect, in words that name no file.
    fileprivate var cause: String {
        switch self {
        case .unavailable(let reason): "the store is unavailable\(Self.behindPath(reason))"
        case .full: "no space is left on the device"
        case .corrupted: "damaged data"
        case .newerSchema: "written by a newer release"
        case .olderSchema: "written before the first release"
        case .locked: "in use by another process"
        case .cannotOpen: "a file cannot be opened"
        case .notDurable: "would not keep what it acknowledges"
        case .fenced: "another leader has the hub"
        }
    }

    /// A reason without the file that it begins with.
    private static func behindPath(_ reason: String) -> Substring {
        reason.firstRange(of: ": ").map { reason[$0.lowerBound...] } ?? ""
    }
}
