import HubDirectory
import HubVocabulary
import Synchronization

/// The answers to some requests, in their order, once all are there.
final class GatheredAnswers<Request: HubRequest>: Sendable {
    typealias Outcome = Result<Request.Reply, Refusal>

    private struct State {
        var outcomes: [Outcome?]
        var missing: Int
        var waiting: CheckedContinuation<[Outcome], Never>?
    }

    private let state: Mutex<State>

    private init(_ count: Int, _ waiting: CheckedContinuation<[Outcome], Never>) {
        let none = [Outcome?](repeating: nil, count: count)
        state = Mutex(State(outcomes: none, missing: count, waiting: waiting))
    }

    /// Submits requests in their order and waits for all.
    static func of(
        _ requests: [Request],
        writer: any JobHub
    ) async -> [Outcome] {
        guard !requests.isEmpty else { return [] }
        return await withCheckedContinuation { continuation in
            let gathered = GatheredAnswers(requests.count, continuation)
            for (place, request) in requests.enumerated() {
                writer.submit(request) { gathered.take($0, at: place) }
            }
        }
    }

    private func take(_ outcome: Outcome, at place: Int) {
        let (waiting, outcomes) = state.withLock { state in
            state.outcomes[place] = outcome
            state.missing -= 1
            return (state.missing == 0 ? state.waiting : nil, state.outcomes.compactMap { $0 })
        }
        waiting?.resume(returning: outcomes)
    }
}
