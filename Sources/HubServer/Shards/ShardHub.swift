import HubDelivery

/// One hub, as a shard and the roster hold it.
struct ShardHub: Sendable {
    var configuration: ShardHubConfiguration
    var writer: HubWriter
    var reader: LogReaderThread
    var jobs: JobExecutor
}

extension ShardHub {
    /// Answers what waits, makes everything durable, closes the stores; blocks.
    func close() {
        jobs.stop()
        reader.stop()
        writer.stop()
    }
}
