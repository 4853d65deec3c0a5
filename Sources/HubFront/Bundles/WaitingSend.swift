import HubCluster
import Synchronization

/// A send on its way to the leader; its fate is told once.
final class WaitingSend: Sendable {
    /// The end of a send's way.
    enum Fate: Sendable {
        case answered(BundledAnswer)
        case failed(CarryPlan.Outcome)
        /// Its own client is gone.
        case cancelled
    }

    private enum State {
        case begun
        case waiting(CheckedContinuation<Fate, Never>)
        case told(Fate)
        case ended
    }

    let send: CarriedSend
    private let state = Mutex<State>(.begun)

    init(_ send: CarriedSend) { self.send = send }

    /// Whether someone waits for its fate, or is about to.
    var isAwaited: Bool {
        state.withLock { state in
            switch state {
            case .begun, .waiting: true
            case .told, .ended: false
            }
        }
    }

    /// Has the fate told, at once where it is known.
    func wait(_ continuation: CheckedContinuation<Fate, Never>) {
        let known = state.withLock { state -> Fate? in
            guard case .told(let fate) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .ended
            return fate
        }
        if let known { continuation.resume(returning: known) }
    }

    /// The first fate counts.
    func tell(_ fate: Fate) {
        let waiting = state.withLock { state -> CheckedContinuation<Fate, Never>? in
            switch state {
            case .begun: state = .told(fate)
            case .waiting(let continuation):
                state = .ended
                return continuation
            case .told, .ended: break
            }
            return nil
        }
        waiting?.resume(returning: fate)
    }
}
