import HubDirectory
import HubModel
import HubVocabulary

/// Where what a writer says goes: callers, shards, the log, the executor of jobs.
struct WriterPosts: WriterOutput {
    let hub: HubName
    let recent: SharedRecords
    let shards: any ShardPosting
    let onEvent: @Sendable (HubName, DirectoryEvent) -> Void
    let runJob: (BulkJob) -> Void
    private var replies: [RequestToken: HubWriter.Reply] = [:]
    private var lastToken: UInt64 = 0

    init(
        hub: HubName,
        recent: SharedRecords,
        shards: any ShardPosting,
        onEvent: @escaping @Sendable (HubName, DirectoryEvent) -> Void,
        runJob: @escaping (BulkJob) -> Void
    ) {
        self.hub = hub
        self.recent = recent
        self.shards = shards
        self.onEvent = onEvent
        self.runJob = runJob
    }

    /// Keeps the caller of a command, for the answer.
    mutating func accept(_ message: HubWriter.Message) -> WriterMail {
        switch message {
        case .command(let command, let reply):
            lastToken += 1
            let token = RequestToken(lastToken)
            replies[token] = reply
            return .command(command, token)
        case .request(let request): return .request(request)
        case .inspect(let body): return .inspect(body)
        }
    }

    mutating func perform(_ action: DirectoryAction) {
        switch action {
        case .reply(let token, let result): replies.removeValue(forKey: token)?(result)
        case .feed(let item):
            // A shard that hears of a record finds it among the recent ones.
            recent.append(item.records)
            broadcast(.feed(item))
        case .message(let shard, let message): shards.post(message, of: hub, to: shard)
        case .broadcast(let message): broadcast(message)
        case .runJob(let job): runJob(job)
        case .event(let event): onEvent(hub, event)
        }
    }

    /// Answers those who wait: the writer has stopped.
    mutating func refuseRest() {
        for reply in replies.values { reply(.failure(.stopping)) }
        replies = [:]
    }

    private func broadcast(_ message: ShardMessage) {
        for shard in 0..<shards.shardCount { shards.post(message, of: hub, to: shard) }
    }
}
