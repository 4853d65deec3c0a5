package import NIOCore
import Synchronization

/// Runs tasks on an event loop.
package final class LoopExecutor: TaskExecutor {
    /// A task that goes from one executor to another changes its thread, even when both run on the
    /// same loop: so each loop has one.
    private static let known = Mutex<[ObjectIdentifier: LoopExecutor]>([:])

    private let loop: any EventLoop

    private init(_ loop: any EventLoop) { self.loop = loop }

    /// The executor of a loop; neither ends before the process does.
    package static func of(_ loop: any EventLoop) -> LoopExecutor {
        known.withLock { known in
            let id = ObjectIdentifier(loop)
            if let executor = known[id] { return executor }
            let executor = LoopExecutor(loop)
            known[id] = executor
            return executor
        }
    }

    /// Adds a job behind those of the loop.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
