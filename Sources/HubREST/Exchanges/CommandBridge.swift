import HubModel
import HubRules
import HubVocabulary
import Synchronization

/// Waits for a command's reply without blocking a thread.
enum CommandBridge {
    /// Submits a command and returns what the hub replies.
    ///
    /// A cancelled wait ends at once with `.cancelled`; the command itself is not undone.
    /// - Throws: the refusal of the hub, or `.cancelled`.
    static func submit(
        _ command: HubCommand,
        to hub: HubName,
        of service: any HubService
    ) async throws(RequestFailure) -> HubReply {
        try await wait { reply in service.submit(command, to: hub, reply: reply) }
    }

    /// The same for a command to the namespace.
    ///
    /// - Throws: the refusal of the namespace, or `.cancelled`.
    static func submit(
        _ command: NamespaceCommand,
        of service: any HubService
    ) async throws(RequestFailure) -> NamespaceReply {
        try await wait { reply in service.submit(command, reply: reply) }
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
