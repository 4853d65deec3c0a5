import HubCore
import HubTransport
import Synchronization

/// Reads a hub's log for sessions that are further behind than the window of recent records.
final class LogReaderThread: Sendable {
    struct Request: Sendable {
        var address: ConnectionAddress
        var after: UInt64
        var through: UInt64
        var limit: Int
        var ticket: UInt32
    }

    /// Bytes of stored records in one page.
    private static let pageBytes = 1 << 20

    private let hub: HubName
    private let reader: any LogReading
    private let shards: any ShardPosting
    private let limits: SessionLimits
    private let queue = WorkQueue<Request>(capacity: 65_536)
    private let budget = PageBudget(bytesMax: 64 << 20)
    private let thread = Mutex<ReactorThread?>(nil)

    init(
        hub: HubName,
        reader: any LogReading,
        shards: any ShardPosting,
        limits: SessionLimits
    ) {
        self.hub = hub
        self.reader = reader
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
    func read(_ request: Request) {
        if !queue.add(request) { answer(request, failed: true) }
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
        page.records.reduce(256) { $0 + $1.draft.weight }
    }

    private func run() {
        var cold = ColdRecords(limits: limits)
        while true {
            let batch = queue.take(waiting: 1_000)
            if batch.isEmpty, queue.isClosed { return }
            for request in batch { serve(request, &cold) }
        }
    }

    private func serve(_ request: Request, _ cold: inout ColdRecords) {
        do throws(StoreError) {
            let records = try page(request, &cold)
            // Dense: where the page ends is how far it was read.
            answer(request, records, through: records.last?.sequence ?? request.through)
        } catch {
            answer(request, failed: true)
        }
    }

    /// What others have read already, and what is missing behind it from the store.
    private func page(
        _ request: Request,
        _ cold: inout ColdRecords
    ) throws(StoreError) -> [NotificationRecord] {
        let known = cold.run(
            after: request.after,
            through: request.through,
            limit: request.limit,
            bytesMax: Self.pageBytes
        )
        let reached = known.last?.sequence ?? request.after
        let bytes = known.reduce(0) { $0 + $1.draft.weight }
        guard reached < request.through, known.count < request.limit, bytes < Self.pageBytes,
            !cold.holds(reached + 1)
        else { return known }
        let read = try reader.records(
            after: reached,
            through: request.through,
            limit: request.limit - known.count,
            bytesMax: Self.pageBytes - bytes
        )
        return known + cold.share(read)
    }

    private func answer(
        _ request: Request,
        _ records: [NotificationRecord] = [],
        through: UInt64 = 0,
        failed: Bool = false
    ) {
        let page = LogPage(
            address: request.address,
            ticket: request.ticket,
            records: records,
            through: through,
            failed: failed
        )
        // A refusal weighs nothing, and may come from a shard's own thread, which must not block.
        if !failed { budget.take(Self.size(of: page)) }
        shards.post(.page(page), of: hub, to: request.address.shard)
    }
}
