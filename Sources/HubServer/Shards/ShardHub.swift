import HubCore

/// What a shard needs of a hub besides the core's configuration.
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
