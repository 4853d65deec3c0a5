import HubDirectory
import HubModel
import HubRelay
import HubVocabulary
import HubWire

/// Where what a writer says goes: callers, shards, the log, the executor of jobs.
struct WriterPosts: WriterOutput {
    let hub: HubName
    let recent: SharedRecords
    let shards: any ShardPosting
    let health: StoreHealth
    /// Whether no other node can lead the hub now.
    let leads: @Sendable () -> Bool
    let onLog: @Sendable (LogNews) -> Void
    let onEvent: @Sendable (HubName, DirectoryEvent) -> Void
    /// Hears what a shard would have asked.
    let ask: (DirectoryRequest) -> Void
    let runJob: (BulkJob) -> Void

    func perform(_ action: DirectoryAction) {
        switch action {
        case .answer(let answer): answer.give()
        case .feed(let item):
            // A shard that hears of a record finds it among the recent ones.
            recent.append(item.records)
            if !item.records.isEmpty { onLog(.accepted(item.records, from: health.lastBegan)) }
            broadcast(.feed(item))
            if !item.records.isEmpty {
                onLog(.committed(item.records, through: item.head))
            }
        case .message(let shard, .attached(let reply)) where !leads():
            // It waited behind a commit: another node may have opened one since.
            shards.post(
                .attachRefused(reply.address, .unavailable, retryAfterMilliseconds: 5_000),
                of: hub,
                to: shard
            )
            ask(.detach(device: reply.device, sessionGeneration: reply.sessionGeneration))
        case .message(let shard, let message): shards.post(message, of: hub, to: shard)
        case .broadcast(let message):
            broadcast(message)
            if case .settings(let settings) = message {
                onLog(.purged(through: settings.purgedThrough))
            }
        case .runJob(let job): runJob(job)
        case .event(let event): onEvent(hub, event)
        }
    }

    private func broadcast(_ message: ShardMessage) {
        for shard in 0..<shards.shardCount { shards.post(message, of: hub, to: shard) }
    }
}
