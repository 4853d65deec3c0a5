package import HubDirectory
package import HubRules
package import HubVocabulary
import Synchronization

/// Waits for the reply to a request without blocking a thread.
package enum CommandBridge {
    /// Submits a request and returns what the hub replies.
    ///
    /// A cancelled wait ends at once with `.cancelled`; the request itself is not undone.
    /// - Throws: the refusal of the hub, or `.cancelled`.
    package static func submit<Request: HubRequest>(
        _ request: Request,
        to hub: HubName,
        of service: any HubService
    ) async throws(RequestFailure) -> Request.Reply {
        try await wait { reply in service.submit(request, to: hub, reply: reply) }
    }

    /// The same for a change of the namespace.
    ///
    /// - Throws: the refusal of the namespace, or `.cancelled`.
    package static func submit(
        _ change: NamespaceChange,
        of service: any HubService
    ) async throws(RequestFailure) -> HubDescription {
        try await wait { reply in service.submit(change, reply: reply) }
    }

    /// The same for a new key of a rule of the namespace.
    ///
    /// - Throws: the refusal of the namespace, or `.cancelled`.
    package static func renew(
        _ key: RuleKey,
        ofNamespace rule: String,
        of service: any HubService
    ) async throws(RequestFailure) -> HubRule {
        try await wait { reply in service.renew(key, ofNamespace: rule, reply: reply) }
    }

    private static func wait<Reply: Sendable>(
        for begin: (@escaping @Sendable (Result<Reply, Refusal>) -> Void) -> Void
    ) async throws(RequestFailure) -> Reply {
        guard !Task.isCancelled else { throw .cancelled }
        let slot = ReplySlot<Reply>()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                slot.wait(continuation)
                begin { result in slot.finish(result.mapError { .refused($0) }) }
            }
        } onCancel: {
            slot.finish(.failure(.cancelled))
        }
        return try outcome.get()
    }
}

/// Resumes one continuation once, whatever comes first: reply or cancellation.
private final class ReplySlot<Reply: Sendable>: Sendable {
    typealias Outcome = Result<Reply, RequestFailure>

    private enum State {
        case empty
        case waiting(CheckedContinuation<Outcome, Never>)
        case finished(Outcome)
        case taken
    }

    private let state = Mutex<State>(.empty)

    /// Parks the continuation, or resumes it when the outcome is there already.
    func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        let ready: Outcome? = state.withLock { state in
            if case .finished(let outcome) = state {
                state = .taken
                return outcome
            }
            state = .waiting(continuation)
            return nil
        }
        if let ready { continuation.resume(returning: ready) }
    }

    /// The first outcome counts; later ones are dropped.
    func finish(_ outcome: Outcome) {
        let waiting: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .finished(outcome)
                return nil
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .finished, .taken:
                return nil
            }
        }
        waiting?.resume(returning: outcome)
    }
}
