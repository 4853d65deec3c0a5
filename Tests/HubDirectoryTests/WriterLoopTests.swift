import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubVocabulary
import Testing

@Suite("The writer's loop")
struct WriterLoopTests {
    /// A store that answers when the test lets it, and counts what it is asked.
    private struct SlowStore: WriterStore {
        let prompt: PromptStore
        var isLate = false
        var refusal: StoreError?
        private(set) var groups: [CommitGroup] = []
        private(set) var probes = 0

        init(_ storage: MemoryStore) { prompt = PromptStore(storage: storage) }

        var bounds: LogBounds { prompt.bounds }

        mutating func commit(_ group: CommitGroup) -> CommitResult? {
            groups.append(group)
            if let refusal { return CommitResult(changes: refusal, records: refusal) }
            return isLate ? nil : prompt.commit(group)
        }

        mutating func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
            try prompt.checkpoint(batch)
        }

        func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
            try prompt.forgetKeys(before: time)
        }

        mutating func probe() throws(StoreError) {
            probes += 1
            if let refusal { throw refusal }
        }

        func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
            try prompt.tidy(now: now, retention: retention)
        }
    }

    private static var send: WriterMail { .call(Send(Given.draft()).call { _ in }) }

    /// A loop with a store of its own.
    private struct Bench {
        let harness: DirectoryHarness
        var loop: WriterLoop
        var store: SlowStore
        var output = KeptActions()

        init() throws {
            harness = try DirectoryHarness()
            loop = WriterLoop(hub: harness.directory, now: harness.now)
            store = SlowStore(harness.storage)
        }

        mutating func turn(_ mail: [WriterMail] = [], isStopping: Bool = false) -> WriterRest {
            loop.turn(
                mail,
                isStopping: isStopping,
                store: &store,
                output: &output,
                clock: { [harness] in harness.now }
            )
        }

        var replies: Int {
            output.actions.count { if case .answer = $0 { true } else { false } }
        }
    }

    @Test("says nothing of a commit before the store has answered, and ends the turn then")
    func lateCommit() throws {
        var bench = try Bench()
        bench.store.isLate = true
        let rest = bench.turn([Self.send])
        #expect(rest == .committing)
        #expect(bench.replies == 0 && bench.store.groups.count == 1)
        bench.store.isLate = false
        let group = try #require(bench.loop.inFlight)
        let answer = bench.store.commit(group)
        let result = try #require(answer)
        let end = bench.loop.committed(
            result,
            store: &bench.store,
            output: &bench.output,
            clock: { [harness = bench.harness] in harness.now }
        )
        #expect(end == .waiting(milliseconds: 250))
        #expect(bench.replies == 1 && bench.loop.inFlight == nil)
    }

    @Test("asks a store that refused something again a second later, until it takes something")
    func probes() throws {
        var bench = try Bench()
        bench.store.refusal = .full
        _ = bench.turn([Self.send])
        #expect(bench.store.probes == 0)
        bench.harness.pass(milliseconds: 999)
        _ = bench.turn()
        #expect(bench.store.probes == 0)
        bench.harness.pass(milliseconds: 1)
        _ = bench.turn()
        _ = bench.turn()
        #expect(bench.store.probes == 1)
        bench.store.refusal = nil
        bench.harness.pass(milliseconds: 1_000)
        _ = bench.turn()
        bench.harness.pass(milliseconds: 5_000)
        _ = bench.turn()
        #expect(bench.store.probes == 2)
    }

    @Test("that stops answers what it took, and is at rest behind the first turn without mail")
    func stops() throws {
        var bench = try Bench()
        let first = bench.turn(
            [Self.send],
            isStopping: true
        )
        #expect(first == .waiting(milliseconds: 0))
        #expect(bench.replies == 1)
        let second = bench.turn(isStopping: true)
        #expect(second == .stopped)
    }
}
