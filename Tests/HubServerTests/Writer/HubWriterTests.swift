import Dispatch
import Foundation
import HubDirectory
import HubMemory
import HubModel
import HubREST
import HubTestSupport
@testable import HubServer
import HubVocabulary
import Synchronization
import Testing

@Suite("The writer", .timeLimit(.minutes(1)))
struct HubWriterTests {
    @Test("commits, tells every shard, answers: in this order, and nothing while the store stalls")
    func order() throws {
        let bench = try WriterBench(isStalled: true)
        bench.send()
        let stalled = try bench.journal.wait { $0.commits == 1 }
        #expect(stalled == [.commitBegan])
        #expect(bench.writer.recent.page(after: 0, through: 1, limit: 1) == nil)
        bench.release()
        let all = try bench.journal.wait { $0.answers == 1 }
        #expect(
            all == [
                .commitBegan, .feed(shard: 0, head: 1), .feed(shard: 1, head: 1), .accepted(1),
            ]
        )
        #expect(bench.writer.recent.page(after: 0, through: 1, limit: 1)?.count == 1)
        bench.release(100)
        bench.writer.stop()
    }

    @Test(
        "answers a refused commit with the refusal, feeds nothing, and reports it until one holds"
    )
    func refusal() throws {
        let bench = try WriterBench()
        #expect(bench.writer.problem == nil)
        bench.setFaults(records: .full)
        bench.send()
        #expect(
            try bench.journal.wait { $0.answers == 1 } == [.commitBegan, .refused(.storeFull)]
        )
        #expect(bench.writer.problem?.description == "hub 'hub': no space is left on the device")
        bench.setFaults()
        bench.send()
        let all = try bench.journal.wait { $0.answers == 2 }
        // The number went to the later record.
        #expect(all.last == .accepted(1))
        #expect(bench.writer.problem == nil)
        bench.writer.stop()
    }

    @Test(
        "is ready again once the store takes something, although nobody sends to what is not ready"
    )
    func heals() throws {
        let bench = try WriterBench()
        bench.setFaults(records: .full)
        bench.send()
        #expect(try bench.journal.wait { $0.answers == 1 }.last == .refused(.storeFull))
        let problem = "hub 'hub': no space is left on the device"
        #expect(bench.writer.problem?.description == problem)
        bench.setFaults()
        try eventually(blocking: "no problem") { bench.writer.problem?.description != problem }
        #expect(bench.writer.problem == nil)
        bench.send()
        #expect(try bench.journal.wait { $0.answers == 2 }.last == .accepted(1))
        bench.writer.stop()
    }

    @Test("gathers what comes while a commit runs into one more")
    func groupCommit() throws {
        let bench = try WriterBench(isStalled: true)
        bench.send()
        _ = try bench.journal.wait { $0.commits == 1 }
        for _ in 0..<100 { bench.send() }
        bench.release(2)
        let all = try bench.journal.wait { $0.answers == 101 }
        #expect(all.commits == 2)
        #expect(
            all.compactMap { event -> UInt64? in
                guard case .accepted(let sequence) = event else { return nil }
                return sequence
            } == Array(1...101)
        )
        bench.release(100)
        bench.writer.stop()
    }

    @Test("that is stopped carries out what waits and refuses what comes later, each once")
    func stop() throws {
        let bench = try WriterBench(isStalled: true)
        bench.send()
        _ = try bench.journal.wait { $0.commits == 1 }
        for _ in 0..<20 { bench.send() }
        let stopping = ThreadWork { bench.writer.stop() }
        // Closed by the other thread; until then sends are taken.
        var taken = 21
        try eventually(blocking: "a refusal") {
            if bench.journal.all.last == .refused(.stopping) { return true }
            bench.send()
            taken += 1
            return false
        }
        bench.release(1_000)
        try stopping.value()
        let all = bench.journal.all
        #expect(all.answers == taken)
        #expect(all.count { $0 == .refused(.stopping) } == 1)
        let accepted = all.compactMap { event -> UInt64? in
            guard case .accepted(let sequence) = event else { return nil }
            return sequence
        }
        #expect(accepted == (1..<UInt64(taken)).map { $0 })
        let reader = MemoryStore(disk: bench.disk, newEpoch: 7).reader
        #expect(try reader.check(at: UInt64(taken - 1)) != nil, "an answered send was not stored")
        bench.send()
        #expect(bench.journal.all.last == .refused(.stopping))
    }

    @Test("lets as many bytes wait as it may, and takes more once they are answered")
    func waitingBytes() throws {
        let bench = try WriterBench(isStalled: true, waitingBytesMax: 4_096)
        bench.send(bytes: 2_048)
        _ = try bench.journal.wait { $0.commits == 1 }
        bench.send(bytes: 2_048)
        bench.send(bytes: 1_024)
        // Small ones are not counted.
        bench.send(bytes: 1_023)
        #expect(bench.journal.all == [.commitBegan, .refused(.throttled(retryAfterSeconds: 1))])
        bench.release(100)
        let all = try bench.journal.wait { $0.answers == 4 }
        #expect(all.suffix(2) == [.accepted(2), .accepted(3)])
        bench.send(bytes: 4_096)
        #expect(try bench.journal.wait { $0.answers == 5 }.last == .accepted(4))
        bench.writer.stop()
    }

    @Test("opens no session while another node may lead")
    func lapsed() throws {
        let leads = Atomic<Bool>(true)
        let writer = HubWriter(
            hub: Example.hub,
            recent: SharedRecords(recordsMax: 100, bytesMax: 1 << 20),
            shards: NoShards(),
            leads: { leads.load(ordering: .relaxed) }
        ) { _, _ in }
        let attach = DirectoryRequest.attach(Example.attach)
        #expect(writer.submit(attach))
        leads.store(false, ordering: .relaxed)
        #expect(!writer.submit(attach))
        // What a session asks is stored under the fence, or refused.
        #expect(writer.submit(.detach(device: Example.attach.device, sessionGeneration: 1)))
    }

    @Test("refuses a session that waited until another node may lead")
    func lapsedMeanwhile() {
        let leads = Atomic<Bool>(true)
        let said = Mutex<[String]>([])
        let posts = WriterPosts(
            hub: Example.hub,
            recent: SharedRecords(recordsMax: 100, bytesMax: 1 << 20),
            shards: ToldShards { text in said.withLock { $0.append(text) } },
            health: StoreHealth(),
            leads: { leads.load(ordering: .relaxed) },
            onLog: { _ in },
            onEvent: { _, _ in },
            ask: { request in said.withLock { $0.append("\(request)") } },
            runJob: { _ in }
        )
        posts.perform(.message(shard: 1, .attached(Example.attached)))
        leads.store(false, ordering: .relaxed)
        posts.perform(.message(shard: 1, .attached(Example.attached)))
        let told = said.withLock { $0 }
        #expect(told.count == 3, "\(told)")
        #expect(told[0].hasPrefix("1: attached("))
        #expect(told[1].hasPrefix("1: attachRefused(") && told[1].contains("unavailable"))
        #expect(told[2].hasPrefix("detach("))
    }

    @Test("that cannot open its store says why and leaves no thread")
    func openFails() throws {
        let writer = HubWriter(
            hub: Example.hub,
            recent: SharedRecords(recordsMax: 100, bytesMax: 1 << 20),
            shards: NoShards()
        ) { _, _ in }
        #expect(throws: StoreError.newerSchema(found: 9, known: 1)) {
            _ = try writer.start { () throws(StoreError) in throw .newerSchema(found: 9, known: 1) }
        }
        writer.stop()
    }

    @Test("a reader's pages reach the shard that asked, and a refused read says so")
    func reader() throws {
        let disk = MemoryDisk()
        let store = MemoryStore(disk: disk, newEpoch: 7)
        _ = store.commit(changes: [], records: (1...5).map { Example.record($0) })
        let shards = PageShards()
        let thread = LogReaderThread(
            hub: Example.hub,
            reader: store.reader,
            shards: shards,
            limits: SessionLimits()
        )
        try thread.start()
        func request(_ after: UInt64, _ limit: Int) -> LogQuery {
            Example.query(
                after: after,
                through: 5,
                limit: limit,
                shard: 1,
                ticket: UInt32(after)
            )
        }
        thread.read(request(1, 2))
        let first = shards.next()
        #expect(first.page.records.map(\.sequence) == [2, 3])
        #expect(first.page.through == 3)
        #expect(first.shard == 1 && first.page.ticket == 1)
        thread.read(request(5, 2))
        #expect(shards.next().page.through == 5)
        disk.setFaults(MemoryFaults(reads: .corrupted("a page")))
        thread.read(request(0, 2))
        #expect(shards.next().page.failed)
        thread.stop()
        thread.read(request(0, 2))
        #expect(shards.next().page.failed)
    }
}

/// Shards that take everything and do nothing.
private struct NoShards: ShardPosting {
    let shardCount = 0
    func post(_ message: ShardMessage, of hub: HubName, to shard: Int) {}
}

/// Tells what comes to which shard.
private struct ToldShards: ShardPosting {
    let shardCount = 2
    let tell: @Sendable (String) -> Void

    init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    func post(_ message: ShardMessage, of hub: HubName, to shard: Int) {
        tell("\(shard): \(message)")
    }
}

/// Keeps pages for the test.
private final class PageShards: ShardPosting {
    let shardCount = 2
    private let pages = WorkQueue<(shard: Int, page: LogPage)>(capacity: 10)

    func post(_ message: ShardMessage, of hub: HubName, to shard: Int) {
        guard case .page(let page) = message else { return }
        _ = pages.add((shard, page))
    }

    /// The next page; blocks until it comes.
    func next() -> (shard: Int, page: LogPage) {
        while true {
            if let page = pages.take(waiting: 3_600_000).first { return page }
        }
    }
}
