import Synchronization

/// The only place where threads meet: messages for one reactor, handed over in batches.
///
/// Any thread posts; the reactor takes everything that waits once a turn. Posting wakes the
/// reactor at most once for each batch, and for patient messages only when it has connections.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct Waiting {
        var messages: [Message] = []
        var isClosed = false
        /// The reactor has no connection for which a message could be late.
        var isIdle = false
        var alarm = Alarm.none

        /// Adds messages in order, or none; patient ones may wait for an idle reactor's next turn.
        mutating func put(
            _ batch: some Collection<Message>,
            capacity: Int,
            isPatient: Bool = false
        ) -> PostResult {
            if isClosed { return .closed }
            if batch.count > capacity - messages.count { return .full }
            messages.append(contentsOf: batch)
            let mayWait = isPatient && isIdle && messages.count < Mailbox.patienceMax
            if alarm == .none, !batch.isEmpty, !mayWait { alarm = .due }
            return .posted
        }

        /// Whether the caller has to wake the reactor, once the lock is released.
        mutating func mustWake() -> Bool {
            defer { if alarm == .due { alarm = .raised } }
            return alarm == .due
        }
    }

    private enum Alarm { case none, due, raised }

    /// Messages that may wait at once.
    package let capacity: Int
    let wake: WakeCounter
    private let waiting = Mutex(Waiting())

    /// Patient messages that wait for an idle reactor at most.
    private static var patienceMax: Int { 64 }

    /// An empty mailbox.
    /// - Throws: `.system` when there is no descriptor left.
    package init(capacity: Int = 65_536) throws(TransportError) {
        self.capacity = capacity
        wake = try WakeCounter()
    }

    /// Adds one message behind those that wait.
    package func post(_ message: Message) -> PostResult {
        post(contentsOf: CollectionOfOne(message))
    }

    /// Adds all messages in order, or none.
    package func post(contentsOf batch: some Collection<Message>) -> PostResult {
        let (result, mustWake) = waiting.withLock { waiting in
            (waiting.put(batch, capacity: capacity), waiting.mustWake())
        }
        if mustWake { wake.raise() }
        return result
    }

    /// Adds one message; the caller wakes the reactor, outside locks that the reactor takes too.
    ///
    /// A patient one waits for the next turn of a reactor that has no connection.
    package func put(_ message: Message, isPatient: Bool) -> PostResult {
        waiting.withLock {
            $0.put(CollectionOfOne(message), capacity: capacity, isPatient: isPatient)
        }
    }

    /// Wakes the reactor for what was put.
    package func wakeIfDue() {
        if waiting.withLock({ $0.mustWake() }) { wake.raise() }
    }

    /// Takes everything that waits.
    func drain() -> [Message] {
        waiting.withLock { waiting in
            let batch = waiting.messages
            waiting.messages = []
            waiting.alarm = .none
            return batch
        }
    }

    /// The reactor says whether it has connections; a turn that has one again must take what waits.
    func rest(_ isIdle: Bool) { waiting.withLock { $0.isIdle = isIdle } }

    /// Refuses what comes later; what waits is dropped.
    func close() {
        waiting.withLock { waiting in
            waiting.isClosed = true
            waiting.messages = []
        }
    }
}
