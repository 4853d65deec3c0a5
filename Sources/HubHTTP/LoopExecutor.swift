package import NIOCore

/// Runs tasks on an event loop.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    /// An executor for the tasks of a channel on this loop.
    package init(_ loop: any EventLoop) { self.loop = loop }

    /// Adds a job behind those of the loop.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
