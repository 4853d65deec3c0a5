package import Dispatch
import Foundation
import Synchronization

/// Work on a thread of its own, whose end a test awaits with a deadline.
package final class ThreadWork<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins the work.
    package init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [self] in
            let outcome = Result { try body() }
            result.withLock { $0 = outcome }
            ended.signal()
        }
    }

    /// Waits for the end and returns the result; to be asked once.
    /// - Throws: `Overdue` after a minute, and the work's own error.
    package func value() throws -> Value {
        try ended.waitInTime("the end of a thread's work")
        guard let outcome = result.withLock({ $0 }) else { preconditionFailure("asked twice") }
        return try outcome.get()
    }
}

extension DispatchSemaphore {
    /// Waits for a signal.
    /// - Throws: `Overdue` with the expectation, after a minute.
    package func waitInTime(_ expectation: String) throws {
        guard wait(timeout: .now() + .seconds(60)) == .success else {
            throw Overdue(expectation, .seconds(60))
        }
    }
}
