import Foundation
package import HubModel
package import HubRules
package import HubVocabulary
package import Logging
import Synchronization

/// Carries out the bulk jobs of one hub, one at a time, as the hub's directory hands them out.
///
/// Everything a job does to the hub is an ordinary request in the writer's queue, a few at once;
/// files and addresses are read and written here.
package final class JobExecutor: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isStopped = false
    }

    private let hub: HubName
    private let folder: JobFolder
    private let places: JobPlaces
    private let limits: CoreLimits
    private let logger: Logger
    private let state = Mutex(State())

    /// Makes the executor of a hub whose bulk jobs read and write below `path`.
    package init(
        hub: HubName,
        folder path: String,
        places: JobPlaces,
        limits: CoreLimits,
        logger: Logger
    ) {
        self.hub = hub
        folder = JobFolder(path: path)
        self.places = places
        self.limits = limits
        self.logger = logger
    }

    /// Begins a job; its end is reported to the hub.
    package func run(_ job: BulkJob, on writer: any JobHub) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.task = Task.detached { [self] in
                let run = JobRun(
                    job,
                    of: hub,
                    folder: folder,
                    places: places,
                    limits: limits,
                    writer: writer
                )
                let report = await run.carryOut()
                logger.info(
                    "bulk job",
                    metadata: [
                        "hub": "\(hub)", "job": "\(job.id.text)",
                        "type": "\(job.request.kind.word)", "status": "\(report.status.word)",
                        "done": "\(report.done)", "failed": "\(report.failed)",
                    ]
                )
            }
        }
    }

    /// Interrupts the job that runs and waits until it has noted how far it came; blocks.
    package func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        guard let task else { return }
        task.cancel()
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            await task.value
            ended.signal()
        }
        ended.wait()
    }
}
