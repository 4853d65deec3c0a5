import HubDelivery
import HubJobs
import HubModel
import HubTraces

/// One hub, as a shard and the roster hold it.
struct ShardHub: Sendable {
    var configuration: ShardHubConfiguration
    var writer: HubWriter
    var reader: LogReaderThread
    var jobs: JobExecutor
    var relays: RelayThread
    /// The log, for lanes.
    var log: any LogReading
    /// Its recent events.
    let events: EventFeed
    /// How far its newest test sends came.
    let tests: TestSteps
    /// Who hears of the steps of traced requests; nil when none are traced.
    let traces: Tracer?
}

extension ShardHub {
    /// Answers what waits, makes everything durable, closes the stores; blocks.
    func close() {
        jobs.stop()
        relays.closeLanes(of: configuration.name)
        reader.stop()
        writer.stop()
    }
}
