package import HubModel
import Synchronization

/// Whether the opening and filling of stores goes on; any thread may end it for those that share it.
package final class StoreEnding: Sendable {
    /// The error that is thrown once it is over.
    package static let error = StoreError.unavailable(reason: "the server ends")

    private let isOver = Atomic<Bool>(false)

    /// Lets them go on.
    package init() {}

    /// From now on they end with their next step; what they have written is gone on with later.
    package func end() { isOver.store(true, ordering: .relaxed) }

    /// Whether they are to end.
    package var hasCome: Bool { isOver.load(ordering: .relaxed) }

    /// Does nothing while they may go on.
    func check() throws(StoreError) {
        if hasCome { throw Self.error }
    }
}
