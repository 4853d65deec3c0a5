import HubModel
import HubVocabulary

/// Operators' orders to give up records that the store does not have yet.
struct AwaitedSkips {
    /// Orders that wait at most.
    private static let countMax = 64
    /// Seconds after which an order that was not taken may be repeated.
    private static let retrySeconds = 5

    private var waiting: [AwaitedSkip] = []

    /// Whether another order may wait; hears it itself when not.
    func hasRoom(for skip: AwaitedSkip) -> Bool {
        guard waiting.count >= Self.countMax else { return true }
        skip.told(.failure(.throttled(retryAfterSeconds: Self.retrySeconds)))
        return false
    }

    mutating func add(_ skip: AwaitedSkip) { waiting.append(skip) }

    /// The store has given up all records up to a place.
    mutating func stored(through place: UInt64) {
        for skip in waiting where skip.through <= place { skip.told(.success(skip.done)) }
        waiting.removeAll { $0.through <= place }
    }

    /// The store refused the mark.
    mutating func refused() {
        end(.failure(.storeUnavailable(retryAfterSeconds: Self.retrySeconds)))
    }

    /// Answers all orders.
    mutating func end(_ answer: Result<RelaySkip?, Refusal>) {
        for skip in waiting { skip.told(answer) }
        waiting = []
    }
}
