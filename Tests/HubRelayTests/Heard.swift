import HubVocabulary
import Synchronization

/// The answer to a request; nil until it comes.
final class Heard<Reply: Sendable>: Sendable {
    private let told = Mutex<Result<Reply, Refusal>?>(nil)

    var reply: Result<Reply, Refusal>? { told.withLock { $0 } }

    func take(_ result: Result<Reply, Refusal>) { told.withLock { $0 = result } }
}

/// Whether the store took reports, in the order of its words.
final class HeardAll: Sendable {
    private let told = Mutex<[Bool]>([])

    func take(_ result: Result<Bool, Refusal>) {
        guard case .success(let isStored) = result else { return }
        told.withLock { $0.append(isStored) }
    }

    func takeAll() -> [Bool] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }
}
