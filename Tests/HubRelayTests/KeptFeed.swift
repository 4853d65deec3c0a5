import HubDirectory
import HubModel

/// Gives answers, and keeps the log's heads that a writer publishes.
struct KeptFeed: WriterOutput {
    private(set) var heads: [UInt64] = []
    private(set) var purges: [UInt64] = []

    mutating func perform(_ action: DirectoryAction) {
        switch action {
        case .answer(let answer): answer.give()
        case .feed(let item): heads.append(item.head)
        case .broadcast(.settings(let settings)): purges.append(settings.purgedThrough)
        case .message, .broadcast, .runJob, .event: break
        }
    }
}
