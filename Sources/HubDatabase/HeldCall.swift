import HubVocabulary
import Synchronization

/// A call whose caller is answered in time, also while the writer waits for its store.
///
/// Caller, writer and the clock's thread may meet here at once: it is answered once, and a call that
/// was refused before the writer came to it is never carried out.
package final class HeldCall: Sendable {
    private enum Stage: UInt8, AtomicRepresentable {
        case waiting
        case begun
        case answered
    }

    /// When it came.
    let since: Instant
    private let stage = Atomic<Stage>(.waiting)
    private let refuse: @Sendable (Refusal) -> Void

    init(since: Instant, refuse: @escaping @Sendable (Refusal) -> Void) {
        self.since = since
        self.refuse = refuse
    }

    /// The writer begins with it; false when it was refused meanwhile.
    package func begin() -> Bool {
        stage.compareExchange(
            expected: .waiting,
            desired: .begun,
            ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Whether the caller is still to hear the writer's answer.
    func claimAnswer() -> Bool {
        stage.exchange(.answered, ordering: .acquiringAndReleasing) != .answered
    }

    /// Whether the caller has heard an answer.
    var isAnswered: Bool { stage.load(ordering: .acquiring) == .answered }

    /// Refuses it, unless it was answered.
    func expire() {
        switch stage.exchange(.answered, ordering: .acquiringAndReleasing) {
        case .waiting: refuse(.storeUnavailable(retryAfterSeconds: Self.retrySeconds))
        case .begun: refuse(.storeUnanswered(retryAfterSeconds: Self.retrySeconds))
        case .answered: break
        }
    }

    private static let retrySeconds = 5
}
