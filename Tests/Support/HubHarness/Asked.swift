import HubVocabulary
import Synchronization

/// A request that was handed in, whatever it is answered with.
protocol AnyAsked {
    var refusal: Refusal? { get }
    var count: Int { get }
}

/// A request that was handed in, and what its caller has been told.
final class Asked<Reply: Sendable>: AnyAsked, Sendable {
    private let told = Mutex<[Result<Reply, Refusal>]>([])

    /// The first answer; nil while there is none.
    var reply: Result<Reply, Refusal>? { told.withLock(\.first) }

    /// The first answer's refusal; nil when there is none.
    var refusal: Refusal? {
        guard case .failure(let refusal)? = reply else { return nil }
        return refusal
    }

    /// How many answers there were.
    var count: Int { told.withLock(\.count) }

    func take(_ result: Result<Reply, Refusal>) { told.withLock { $0.append(result) } }
}
