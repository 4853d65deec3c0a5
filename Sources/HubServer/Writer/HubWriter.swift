import Foundation
import HubCore
import HubTransport
import Synchronization

/// Where a writer sends what shards must know.
protocol ShardPosting: Sendable {
    /// Hands a message to a shard; feed items may be left out when it is too far behind, and are
    /// then announced as lost.
    func post(_ message: ShardMessage, of hub: HubName, to shard: Int)

    /// How many shards there are.
    var shardCount: Int { get }
}

/// Clocks, read on the thread that asks.
enum Clock {
    /// The present.
    static var now: Now {
        let time = TurnTime.read()
        return Now(
            instant: Instant(nanoseconds: time.nanoseconds),
            time: Timestamp(milliseconds: time.wallMilliseconds)
        )
    }
}

/// The writer thread of one hub: owns its directory and store, commits in groups.
///
/// While one group is being made durable the next one gathers in the queue; an idle hub commits a
/// single send at once. Source: rules A.2.
final class HubWriter: Sendable {
    typealias Reply = @Sendable (Result<HubReply, Refusal>) -> Void

    enum Message: Sendable {
        case command(HubCommand, Reply)
        case request(DirectoryRequest)
        case inspect(@Sendable (HubDirectory) -> Void)
    }

    let hub: HubName
    let recent: RecentRecords
    private let queue = WorkQueue<Message>(capacity: 65_536)
    private let shards: any ShardPosting
    private let onEvent: @Sendable (HubName, DirectoryEvent) -> Void
    private let thread = Mutex<ReactorThread?>(nil)

    init(
        hub: HubName,
        recent: RecentRecords,
        shards: any ShardPosting,
        onEvent: @escaping @Sendable (HubName, DirectoryEvent) -> Void
    ) {
        self.hub = hub
        self.recent = recent
        self.shards = shards
        self.onEvent = onEvent
    }

    /// Starts the thread, which owns what `open` makes from then on.
    func start(_ open: consuming sending HubFiles) throws(TransportError) {
        let handover = Mutex<HubFiles?>(open)
        let started = try ReactorThread(name: "writer-\(hub)") { [self] in
            guard let files = handover.withLock({ files in
                let taken = files
                files = nil
                return taken
            }) else { return }
            var loop = WriterLoop(writer: self, files: files)
            loop.run()
        }
        thread.withLock { $0 = started }
    }

    /// Queues a command; the reply comes once, on the writer's thread.
    func submit(_ command: HubCommand, reply: @escaping Reply) {
        if queue.isClosed {
            reply(.failure(.stopping))
        } else if !queue.add(.command(command, reply)) {
            reply(.failure(queue.isClosed ? .stopping : .throttled(retryAfterSeconds: 1)))
        }
    }

    /// Queues what a shard asks; false when there is no room and the shard must refuse it.
    func submit(_ request: DirectoryRequest) -> Bool {
        switch request {
        case .attach, .device: queue.add(.request(request))
        case .detach, .cursors, .reload: queue.add(.request(request), isVital: true)
        }
    }

    /// Runs a question on the writer's thread.
    func inspect(_ body: @escaping @Sendable (HubDirectory) -> Void) -> Bool {
        queue.add(.inspect(body), isVital: true)
    }

    /// Answers what waits, makes cursors durable, closes the store.
    func stop() {
        queue.close()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    // MARK: The thread

    fileprivate func take(waiting milliseconds: Int) -> [Message] {
        queue.take(waiting: milliseconds)
    }

    fileprivate var isStopping: Bool { queue.isClosed }

    fileprivate func publish(_ item: FeedItem) {
        recent.append(item.records)
        for shard in 0..<shards.shardCount { shards.post(.feed(item), of: hub, to: shard) }
    }

    fileprivate func post(_ message: ShardMessage, to shard: Int) {
        shards.post(message, of: hub, to: shard)
    }

    fileprivate func broadcast(_ message: ShardMessage) {
        for shard in 0..<shards.shardCount { shards.post(message, of: hub, to: shard) }
    }

    fileprivate func report(_ event: DirectoryEvent) { onEvent(hub, event) }
}

/// A hub's directory and store, on the way to the thread that owns them.
struct HubFiles {
    var directory: HubDirectory
    var storage: any HubStorage
}

/// What runs on a writer's thread.
private struct WriterLoop {
    private let writer: HubWriter
    private let directory: HubDirectory
    private let storage: any HubStorage
    private var replies: [RequestToken: HubWriter.Reply] = [:]
    private var lastToken: UInt64 = 0

    init(writer: HubWriter, files: HubFiles) {
        self.writer = writer
        directory = files.directory
        storage = files.storage
    }

    mutating func run() {
        while true {
            let isStopping = writer.isStopping
            let batch = writer.take(waiting: isStopping || directory.hasWork ? 0 : 250)
            for message in batch { receive(message) }
            if isStopping { directory.stop() }
            directory.tick(now: Clock.now)
            commitAll()
            checkpoint(directory.checkpointDue(now: Clock.now))
            if isStopping, batch.isEmpty, !directory.hasWork { break }
        }
        checkpoint(directory.flushCursors(now: Clock.now))
        for reply in replies.values { reply(.failure(.stopping)) }
        storage.close()
    }

    private mutating func receive(_ message: HubWriter.Message) {
        switch message {
        case .command(let command, let reply):
            lastToken += 1
            let token = RequestToken(lastToken)
            replies[token] = reply
            directory.receive(command, token: token, now: Clock.now)
        case .request(let request):
            directory.receive(request, now: Clock.now)
        case .inspect(let body): body(directory)
        }
    }

    private mutating func commitAll() {
        perform(directory.takeActions())
        while let group = directory.nextGroup(now: Clock.now) {
            let result = storage.commit(changes: group.changes, records: group.records)
            directory.committed(group, result, now: Clock.now)
            perform(directory.takeActions())
        }
        perform(directory.takeActions())
    }

    private mutating func perform(_ actions: [DirectoryAction]) {
        for action in actions {
            switch action {
            case .reply(let token, let result): replies.removeValue(forKey: token)?(result)
            case .feed(let item): writer.publish(item)
            case .message(let shard, let message): writer.post(message, to: shard)
            case .broadcast(let message): writer.broadcast(message)
            case .event(let event): writer.report(event)
            }
        }
    }

    private func checkpoint(_ cursors: [StoredCursor]) {
        guard !cursors.isEmpty else { return }
        do throws(StoreError) {
            try storage.checkpoint(cursors)
        } catch {
            directory.checkpointFailed(cursors, error)
        }
    }
}
