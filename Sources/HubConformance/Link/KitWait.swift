import Dispatch
import Synchronization

/// Waits for asynchronous work on the kit's own thread, which blocks.
package enum KitWait {
    /// Runs a body as a task, and returns its value.
    package static func value<Value: Sendable>(
        of body: @escaping @Sendable () async -> Value
    ) -> Value {
        let box = Mutex<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let value = await body()
            box.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let value = box.withLock(\.self) else {
            preconditionFailure("a task that ended has a value")
        }
        return value
    }
}
