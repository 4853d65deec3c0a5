package import HubVocabulary
import Synchronization

/// The calls of a hub whose store may be away for long, oldest first.
///
/// A database is away while it moves to another machine. The writer waits for it, and what it waits
/// with is in doubt; callers are answered nevertheless.
package final class HeldCalls: Sendable {
    /// Milliseconds for which a caller waits at most.
    private let limitMilliseconds: UInt64
    private let calls = Mutex<[HeldCall]>([])

    init(limitMilliseconds: UInt64) { self.limitMilliseconds = limitMilliseconds }

    /// Holds a call; `reply` is told once, by the writer or by the clock.
    package func hold<Reply>(
        since: Instant,
        _ reply: @escaping @Sendable (Result<Reply, Refusal>) -> Void
    ) -> (call: HeldCall, reply: @Sendable (Result<Reply, Refusal>) -> Void) {
        let call = HeldCall(since: since) { reply(.failure($0)) }
        calls.withLock { $0.append(call) }
        return (call, { if call.claimAnswer() { reply($0) } })
    }

    /// Refuses what has waited too long, and forgets what was answered; often enough.
    package func turn(now: Instant) {
        let overdue = calls.withLock { calls in
            calls.removeAll { $0.isAnswered }
            let end = calls.firstIndex {
                now.milliseconds(since: $0.since) < limitMilliseconds
            }
            let overdue = calls.prefix(end ?? calls.count)
            calls.removeFirst(overdue.count)
            return overdue
        }
        for call in overdue { call.expire() }
    }
}
