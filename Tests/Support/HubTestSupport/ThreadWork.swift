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
    /// - Throws: `Overdue` when the time has passed, and the work's own error.
    package func value(within limit: Duration = .seconds(60)) throws -> Value {
        try ended.waitInTime("the end of a thread's work", within: limit)
        guard let outcome = result.withLock({ $0 }) else { preconditionFailure("asked twice") }
        return try outcome.get()
    }
}

extension DispatchSemaphore {
    /// Waits for a signal.
    /// - Throws: `Overdue` with the expectation, when the time has passed.
    package func waitInTime(
        _ expectation: String,
        within limit: Duration = .seconds(60)
    ) throws {
        let seconds = Int(limit.components.seconds)
        guard wait(timeout: .now() + .seconds(seconds)) == .success else {
            throw Overdue(expectation, limit)
        }
    }
}
