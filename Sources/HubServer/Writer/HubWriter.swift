import Foundation
import HubDirectory
import HubModel
import HubTransport
import HubVocabulary
import Synchronization

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
    private let jobs: JobExecutor?
    private let waitingBytesMax: Int
    /// Bytes of the bodies of commands that are not answered.
    private let waitingBytes = Atomic<Int>(0)
    private let thread = Mutex<ReactorThread?>(nil)
    private let health = Mutex(Health())

    /// What `/healthz` needs to know.
    private struct Health {
        var lastRefusal: StoreError?
        var checkpointRefusal: StoreError?
        var commitBegan: Instant?
        /// When a store that refused something was last asked.
        var refusedAt: Instant?
    }

    /// Smaller bodies are not counted: the queue's length bounds them.
    private static let countedBytesMin = 1_024
    /// Milliseconds after which a commit that has not returned is a problem.
    private static let stallMilliseconds: UInt64 = 5_000
    /// Milliseconds until a store that refused something is asked again.
    private static let probeMilliseconds: UInt64 = 1_000

    init(
        hub: HubName,
        recent: RecentRecords,
        shards: any ShardPosting,
        jobs: JobExecutor? = nil,
        waitingBytesMax: Int = CoreLimits.standard.waitingBytesMax,
        onEvent: @escaping @Sendable (HubName, DirectoryEvent) -> Void
    ) {
        self.hub = hub
        self.recent = recent
        self.shards = shards
        self.jobs = jobs
        self.waitingBytesMax = waitingBytesMax
        self.onEvent = onEvent
    }

    /// Starts the thread, on which `open` runs and what it makes lives; returns when that is done.
    /// - Throws: what `open` throws; `.unavailable` when there is no thread.
    func start(
        _ open: @escaping @Sendable () throws(StoreError) -> HubFiles
    ) throws(StoreError) -> HubFacts {
        let outcome = Mutex<Result<HubFacts, StoreError>?>(nil)
        let opened = DispatchSemaphore(value: 0)
        do throws(TransportError) {
            let started = try ReactorThread(name: "writer-\(hub)") { [self] in
                do throws(StoreError) {
                    let files = try open()
                    let facts = try HubFacts(files)
                    outcome.withLock { $0 = .success(facts) }
                    opened.signal()
                    var loop = WriterLoop(writer: self, files: files)
                    loop.run()
                } catch {
                    outcome.withLock { $0 = .failure(error) }
                    opened.signal()
                }
            }
            thread.withLock { $0 = started }
        } catch {
            throw .unavailable(reason: error.description)
        }
        opened.wait()
        // Both places that signal have set it just before.
        guard let outcome = outcome.withLock({ $0 }) else {
            preconditionFailure("a writer signalled before it had an outcome")
        }
        return try outcome.get()
    }

    /// Queues a command; the reply comes once, on the writer's thread.
    ///
    /// It waits even when whoever asked has gone: so the bytes that wait are counted here.
    func submit(_ command: HubCommand, reply: @escaping Reply) {
        let bytes = command.bodyBytes
        guard bytes >= Self.countedBytesMin else { return add(command, reply) }
        let waiting = waitingBytes.add(bytes, ordering: .relaxed).newValue
        let counted: Reply = { [self] result in
            waitingBytes.subtract(bytes, ordering: .relaxed)
            reply(result)
        }
        guard waiting <= waitingBytesMax else {
            return counted(.failure(.throttled(retryAfterSeconds: 1)))
        }
        add(command, counted)
    }

    private func add(_ command: HubCommand, _ reply: @escaping Reply) {
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
        case .detach, .progress, .reload: queue.add(.request(request), isVital: true)
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

    /// One readable line when the store refused its last commit or does not answer.
    var problem: String? {
        health.withLock { health in
            if let began = health.commitBegan,
                Clock.now.instant.milliseconds(since: began) > Self.stallMilliseconds
            {
                return "hub '\(hub)': the store does not answer"
            }
            let refusal = health.lastRefusal ?? health.checkpointRefusal
            return refusal.map { "hub '\(hub)': \($0)" }
        }
    }

    // MARK: The thread

    fileprivate func commitBegins() {
        health.withLock { $0.commitBegan = Clock.now.instant }
    }

    fileprivate func commitEnded(_ result: CommitResult) {
        health.withLock { health in
            health.commitBegan = nil
            health.lastRefusal = result.records ?? result.changes
            if health.lastRefusal != nil { health.refusedAt = Clock.now.instant }
        }
    }

    fileprivate func checkpointEnded(_ refusal: StoreError?) {
        health.withLock { $0.checkpointRefusal = refusal }
    }

    /// Whether a store that refused its last commit is to be asked again: while a hub is not ready
    /// perhaps nobody sends to it.
    fileprivate var isProbeDue: Bool {
        health.withLock { health in
            guard health.lastRefusal != nil, let since = health.refusedAt else { return false }
            return Clock.now.instant.milliseconds(since: since) >= Self.probeMilliseconds
        }
    }

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

    fileprivate func run(_ job: BulkJob) {
        jobs?.run(job) { [weak self] command, reply in
            guard let self else { return reply(.failure(.stopping)) }
            submit(command, reply: reply)
        }
    }

    fileprivate func report(_ event: DirectoryEvent) { onEvent(hub, event) }
}

/// What runs on a writer's thread.
private struct WriterLoop {
    private let writer: HubWriter
    private let directory: HubDirectory
    private let storage: any HubStorage
    private var replies: [RequestToken: HubWriter.Reply] = [:]
    private var lastToken: UInt64 = 0
    private var nextTidying = Clock.now.instant

    init(writer: HubWriter, files: HubFiles) {
        self.writer = writer
        directory = files.directory
        storage = files.storage
    }

    mutating func run() {
        while true {
            let isStopping = writer.isStopping
            let batch = writer.take(waiting: isStopping || directory.hasWork ? 0 : patience())
            for message in batch { receive(message) }
            if isStopping { directory.stop() }
            directory.tick(now: Clock.now)
            commitAll()
            checkpoint(directory.checkpointDue(now: Clock.now))
            forgetKeys()
            if writer.isProbeDue { probe() }
            if !isStopping { tidy() }
            if isStopping, batch.isEmpty, !directory.hasWork { break }
        }
        // One that was refused before comes alone, and what came since behind it.
        for _ in 0..<2 { checkpoint(directory.checkpoint(now: Clock.now)) }
        for reply in replies.values { reply(.failure(.stopping)) }
        storage.close()
    }

    /// Milliseconds to sleep at most: until the next scheduled notification, and never so long that
    /// a step of the clock or a lapsed registration goes unnoticed.
    private func patience() -> Int {
        Int(min(directory.millisecondsUntilDue(now: Clock.now) ?? 250, 250))
    }

    private func probe() {
        writer.commitBegins()
        do throws(StoreError) {
            try storage.probe()
            writer.commitEnded(CommitResult())
        } catch {
            writer.commitEnded(CommitResult(records: error))
        }
    }

    private func forgetKeys() {
        guard let time = directory.keysDue(now: Clock.now) else { return }
        do throws(StoreError) {
            let hasMore = try storage.forgetKeys(before: time)
            directory.keysForgotten(hasMore: hasMore, now: Clock.now)
        } catch {
            directory.forgettingFailed(error)
        }
    }

    /// One step of the store's housekeeping, when there may be one.
    private mutating func tidy() {
        let now = Clock.now
        guard now.instant >= nextTidying else { return }
        var wait = HubDirectory.tidyingMilliseconds
        do throws(StoreError) {
            let result = try storage.tidy(now: now, retention: directory.retention)
            directory.tidied(result, bounds: storage.bounds)
            if result.hasMore { wait = 0 }
        } catch {
            directory.tidyingFailed(error)
        }
        nextTidying = now.instant.adding(milliseconds: wait)
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
            writer.commitBegins()
            let result = storage.commit(changes: group.changes, records: group.records)
            writer.commitEnded(result)
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
            case .runJob(let job): writer.run(job)
            case .event(let event): writer.report(event)
            }
        }
    }

    private func checkpoint(_ batch: CheckpointBatch?) {
        guard let batch else { return }
        do throws(StoreError) {
            try storage.checkpoint(batch)
            writer.checkpointEnded(nil)
        } catch {
            writer.checkpointEnded(error)
            directory.checkpointFailed(batch, error)
        }
    }
}
