import HubDelivery
import HubModel
import HubTransport
import HubVocabulary
import Synchronization

/// Works out what devices missed, for sessions that are further behind than one page of the recent
/// records.
final class LogReaderThread: Sendable {
    private let hub: HubName
    private let reader: any LogReading
    private let recent: SharedRecords?
    private let shards: any ShardPosting
    private let limits: SessionLimits
    private let waiting = Mutex(WaitingReads())
    /// The devices for which something waits, in the order in which they get their turn.
    private let queue = WorkQueue<DeviceID>(capacity: 1 << 20)
    /// Hears of each damaged record once, on the reader's thread.
    private let onDamage: @Sendable (LogPage.Damage) -> Void
    /// Keys that are read while no device waits; nil where the hub has them all.
    private let filling: Mutex<KeyFilling?>
    private let gate = PageGate()
    private let thread = Mutex<ReactorThread?>(nil)

    init(
        hub: HubName,
        reader: any LogReading,
        recent: SharedRecords? = nil,
        shards: any ShardPosting,
        limits: SessionLimits,
        filling: KeyFilling? = nil,
        onDamage: @escaping @Sendable (LogPage.Damage) -> Void = { _ in }
    ) {
        self.hub = hub
        self.reader = reader
        self.recent = recent
        self.shards = shards
        self.limits = limits
        self.filling = Mutex(filling)
        self.onDamage = onDamage
    }

    /// Starts the thread.
    /// - Throws: `.unavailable` when the system has none left.
    func start() throws(StoreError) {
        do throws(TransportError) {
            let started = try ReactorThread(name: "reader-\(hub)") { [self] in run() }
            thread.withLock { $0 = started }
        } catch {
            throw .unavailable(reason: error.description)
        }
    }

    /// Queues a read; the page goes to the shard's mailbox, and back to `applied` from there.
    ///
    /// Of one device only the newest session's waits; an older one gets no answer.
    func read(_ query: LogQuery) {
        guard waiting.withLock({ $0.add(query) }), !queue.add(query.device) else { return }
        if let refused = waiting.withLock({ $0.take(query.device) }) {
            answer(LogPage(failing: refused))
        }
    }

    /// A session has ended: its read is not done, unless it is being done.
    func forget(_ device: DeviceID, sessionGeneration: UInt64) {
        waiting.withLock { $0.forget(device, sessionGeneration: sessionGeneration) }
    }

    /// A shard has looked at a page.
    func applied(_ page: LogPage) {
        gate.giveBack(page.weight)
    }

    /// Serves what waits and ends the thread.
    func stop() {
        queue.close()
        gate.close()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private func run() {
        var loop = ReaderLoop(reader: reader, limits: limits) { [recent] places in
            recent?.records(at: places) ?? []
        }
        // Nothing else is to keep the keys once they are read.
        var filling = filling.withLock { filling in
            defer { filling = nil }
            return filling
        }
        while true {
            let batch = queue.take(waiting: filling?.pause ?? 1_000)
            if batch.isEmpty {
                if queue.isClosed { return }
                if filling?.step() == false { filling = nil }
            }
            for device in batch {
                guard let query = waiting.withLock({ $0.take(device) }) else { continue }
                answer(loop.answer(query, now: Clock.now.time, onDamage: onDamage))
            }
        }
    }

    private func answer(_ page: LogPage) {
        // A refusal weighs nothing, and may come from a shard's own thread, which must not block.
        if !page.failed { gate.take(page.weight) }
        shards.post(.page(page), of: hub, to: page.address.shard)
    }
}
