import Foundation
import HubDatabase
import HubDirectory
import HubJobs
import HubModel
import HubREST
import HubTransport
import HubVocabulary
import Synchronization

/// The writer thread of one hub: owns its directory and store, commits in groups.
///
/// While one group is being made durable the next one gathers in the queue; an idle hub commits a
/// single send at once. Source: rules A.2.
final class HubWriter: Sendable {
    let hub: HubName
    let recent: SharedRecords
    private let queue = WorkQueue<HeldItem<WriterMail>>(capacity: 65_536)
    private let shards: any ShardPosting
    private let onEvent: @Sendable (HubName, DirectoryEvent) -> Void
    private let jobs: JobExecutor?
    private let onLog: @Sendable (LogNews) -> Void
    private let waitingBytesMax: Int
    /// Bytes of the bodies of requests that are not answered.
    private let waitingBytes = Atomic<Int>(0)
    private let thread = Mutex<ReactorThread?>(nil)
    private let health = StoreHealth()
    /// From the arrival of sends to stable storage.
    private let stored = Mutex(LatencyHistogram())
    /// Callers that do not wait for a store that is away; nil for one on this machine's disk.
    private let held: HeldCalls?
    /// Whether no other node can lead the hub now.
    private let leads: @Sendable () -> Bool

    /// Smaller bodies are not counted: the queue's length bounds them.
    private static let countedBytesMin = 1_024

    init(
        hub: HubName,
        recent: SharedRecords,
        shards: any ShardPosting,
        jobs: JobExecutor? = nil,
        waitingBytesMax: Int = CoreLimits.standard.log.waitingBytesMax,
        held: HeldCalls? = nil,
        leads: @escaping @Sendable () -> Bool = { true },
        onLog: @escaping @Sendable (LogNews) -> Void = { _ in },
        onEvent: @escaping @Sendable (HubName, DirectoryEvent) -> Void
    ) {
        self.hub = hub
        self.recent = recent
        self.shards = shards
        self.jobs = jobs
        self.onLog = onLog
        self.waitingBytesMax = waitingBytesMax
        self.held = held
        self.leads = leads
        self.onEvent = onEvent
    }

    /// Starts the thread, on which `open` runs and what it makes lives; returns when that is done.
    /// - Throws: what `open` throws; `.unavailable` when there is no thread.
    func start(
        _ open: @escaping @Sendable () throws(StoreError) -> HubFiles
    ) throws(StoreError) -> OpenedHub {
        let outcome = Mutex<Result<OpenedHub, StoreError>?>(nil)
        let opened = DispatchSemaphore(value: 0)
        do throws(TransportError) {
            let started = try ReactorThread(name: "writer-\(hub)") { [self] in
                do throws(StoreError) {
                    let files = try open()
                    let facts = try OpenedHub(files)
                    outcome.withLock { $0 = .success(facts) }
                    opened.signal()
                    run(files)
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

    /// Queues a request; the reply comes once, on the writer's thread.
    ///
    /// A request waits even when its caller has gone, so the bytes that wait are counted here.
    /// A `patient` caller waits for a store that is away.
    func submit<Request: HubRequest>(
        _ request: Request,
        patient: Bool = true,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    ) {
        let bytes = request.bodyBytes
        let reply = timed(request.notifications, reply)
        guard bytes >= Self.countedBytesMin else { return add(request, patient, reply) }
        let waiting = waitingBytes.add(bytes, ordering: .relaxed).newValue
        let counted: @Sendable (Result<Request.Reply, Refusal>) -> Void = { [self] result in
            waitingBytes.subtract(bytes, ordering: .relaxed)
            reply(result)
        }
        guard waiting <= waitingBytesMax else {
            return counted(.failure(.throttled(retryAfterSeconds: 1)))
        }
        add(request, patient, counted)
    }

    /// Returns a reply that counts how long its caller waited for what is stored now.
    private func timed<Value>(
        _ notifications: Int,
        _ reply: @escaping @Sendable (Result<Value, Refusal>) -> Void
    ) -> @Sendable (Result<Value, Refusal>) -> Void {
        guard notifications > 0 else { return reply }
        let arrived = Clock.now.instant
        return { [self] result in
            if case .success = result {
                let (now, times) = (Clock.now.instant, UInt64(notifications))
                stored.withLock { $0.add(from: arrived, to: now, times: times) }
            }
            reply(result)
        }
    }

    private func add<Request: HubRequest>(
        _ request: Request,
        _ patient: Bool,
        _ reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    ) {
        let held = patient ? nil : held?.hold(since: Clock.now.instant, reply)
        let call = request.call(held?.reply ?? reply)
        if queue.isClosed {
            call.refuse(.stopping)
        } else if !queue.add(HeldItem(.call(call), held?.call)) {
            call.refuse(queue.isClosed ? .stopping : .throttled(retryAfterSeconds: 1))
        }
    }

    /// Queues what a shard asks; false when there is no room and the shard must refuse it.
    ///
    /// Where another node may lead no session is opened: a place that the other has given a device
    /// would be none of this hub's.
    func submit(_ request: DirectoryRequest) -> Bool {
        switch request {
        case .attach where !leads(): false
        case .attach, .device: queue.add(HeldItem(.request(request)))
        case .detach, .progress, .reload: queue.add(HeldItem(.request(request)), isVital: true)
        }
    }

    /// Queues a lane's report; the reply comes on the writer's thread.
    func submit(
        _ report: LaneReport,
        reply: @escaping @Sendable (Result<Bool, Refusal>) -> Void
    ) {
        _ = queue.add(HeldItem(.lane(report, reply)), isVital: true)
    }

    /// Runs a question on the writer's thread.
    func inspect(_ body: @escaping @Sendable (Hub) -> Void) -> Bool {
        queue.add(HeldItem(.inspect(body)), isVital: true)
    }

    /// Returns the gauges of the directory; nil when the thread has ended.
    func gauges() async -> DirectoryGauges? {
        await withCheckedContinuation { continuation in
            let isAsked = inspect { continuation.resume(returning: $0.gauges) }
            if !isAsked { continuation.resume(returning: nil) }
        }
    }

    /// How long sends took from their arrival to stable storage.
    var storedAfter: LatencyHistogram { stored.withLock { $0 } }

    /// Answers what waits, makes cursors durable, closes the store.
    func stop() {
        queue.close()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    /// Why it does not accept sends: the store refused its last commit, or does not answer.
    var problem: HubProblem? { health.problem(of: hub) }

    /// Whether another leader has the hub, so that nothing can be stored any more.
    var hasLostLead: Bool { health.hasLostLead }

    /// Answers callers who have waited too long for a store that is away; once a second.
    func answerOverdue() { held?.turn(now: Clock.now.instant) }

    // MARK: The thread

    private func run(_ files: HubFiles) {
        var loop = WriterLoop(hub: files.hub, now: Clock.now)
        var store = WatchedStore(storage: files.storage, health: health)
        var output = WriterPosts(
            hub: hub,
            recent: recent,
            shards: shards,
            health: health,
            leads: leads,
            onLog: onLog,
            onEvent: onEvent,
            ask: { [weak self] in _ = self?.submit($0) }
        ) {
            [weak self] job in self?.run(job)
        }
        var rest = WriterRest.waiting(milliseconds: 0)
        while case .waiting(let milliseconds) = rest {
            let isStopping = queue.isClosed
            let taken = queue.take(waiting: isStopping ? 0 : Int(milliseconds))
            rest = loop.turn(
                taken.compactMap { $0.begin() },
                isStopping: isStopping,
                store: &store,
                output: &output,
                clock: { Clock.now }
            )
        }
        loop.finish(store: &store, clock: { Clock.now })
        files.storage.close()
    }

    private func run(_ job: BulkJob) { jobs?.run(job, on: WriterOfJobs(writer: self)) }
}
