import Synchronization

/// The only place where threads meet: messages for one reactor, handed over in batches.
///
/// Any thread posts; the reactor takes everything that waits once a turn. Posting wakes the
/// reactor only when nothing waited before.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct Waiting {
        var messages: [Message] = []
        var isClosed = false
    }

    /// Messages that may wait at once.
    package let capacity: Int
    let wake: WakeCounter
    private let waiting = Mutex(Waiting())

    /// An empty mailbox.
    /// - Throws: `.system` when there is no descriptor left.
    package init(capacity: Int = 65_536) throws(TransportError) {
        self.capacity = capacity
        wake = try WakeCounter()
    }

    /// Adds one message behind those that wait.
    package func post(_ message: Message) -> PostResult {
        var wasEmpty = false
        let result = waiting.withLock { waiting -> PostResult in
            if waiting.isClosed { return .closed }
            if waiting.messages.count >= capacity { return .full }
            wasEmpty = waiting.messages.isEmpty
            waiting.messages.append(message)
            return .posted
        }
        if wasEmpty { wake.raise() }
        return result
    }

    /// Adds all messages in order, or none.
    package func post(contentsOf batch: [Message]) -> PostResult {
        var wasEmpty = false
        let result = waiting.withLock { waiting -> PostResult in
            if waiting.isClosed { return .closed }
            if batch.count > capacity - waiting.messages.count { return .full }
            wasEmpty = waiting.messages.isEmpty
            waiting.messages.append(contentsOf: batch)
            return .posted
        }
        if result == .posted, wasEmpty, !batch.isEmpty { wake.raise() }
        return result
    }

    /// Takes everything that waits.
    func drain() -> [Message] {
        waiting.withLock { waiting in
            let batch = waiting.messages
            waiting.messages = []
            return batch
        }
    }

    /// Refuses what comes later; what waits is dropped.
    func close() {
        waiting.withLock { waiting in
            waiting.isClosed = true
            waiting.messages = []
        }
    }
}
