import HubCore
import HubTransport
import Synchronization

/// Works out what devices missed, for sessions that are further behind than one page of the recent
/// records.
final class LogReaderThread: Sendable {
    private let hub: HubName
    private let reader: any LogReading
    private let recent: RecentRecords?
    private let shards: any ShardPosting
    private let limits: SessionLimits
    private let queue = WorkQueue<LogQuery>(capacity: 65_536)
    private let budget = PageBudget(bytesMax: 64 << 20)
    private let thread = Mutex<ReactorThread?>(nil)

    init(
        hub: HubName,
        reader: any LogReading,
        recent: RecentRecords? = nil,
        shards: any ShardPosting,
        limits: SessionLimits
    ) {
        self.hub = hub
        self.reader = reader
        self.recent = recent
        self.shards = shards
        self.limits = limits
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
    func read(_ query: LogQuery) {
        if !queue.add(query) { answer(LogPage(failing: query)) }
    }

    /// A shard has looked at a page.
    func applied(_ page: LogPage) {
        if !page.failed { budget.giveBack(Self.size(of: page)) }
    }

    /// Serves what waits and ends the thread.
    func stop() {
        queue.close()
        budget.close()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private static func size(of page: LogPage) -> Int {
        let matches = (page.matches?.count ?? 0) * MemoryLayout<MissedSet.Match>.stride
        return page.records.reduce(256 + matches) { $0 + $1.draft.weight }
    }

    private func run() {
        let log = SharedLog(reader: reader, recent: recent, limits: limits)
        var missed = MissedSets(limits: limits)
        while true {
            let batch = queue.take(waiting: 1_000)
            if batch.isEmpty, queue.isClosed { return }
            for query in batch {
                do throws(StoreError) {
                    answer(try missed.page(query, from: log, now: Clock.now.time))
                } catch {
                    answer(LogPage(failing: query))
                }
            }
        }
    }

    private func answer(_ page: LogPage) {
        // A refusal weighs nothing, and may come from a shard's own thread, which must not block.
        if !page.failed { budget.take(Self.size(of: page)) }
        shards.post(.page(page), of: hub, to: page.address.shard)
    }
}
