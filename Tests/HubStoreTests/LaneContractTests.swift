import HubModel
import HubStore
import HubVocabulary
import Testing

@Suite("Every store keeps lanes")
struct LaneContractTests {
    private static let mark = LaneMark(
        epoch: 7,
        scanned: 40,
        givenUp: 17,
        open: [
            LaneMark.Open(
                sequence: 12,
                progress: .through(below: 900, done: [901, 4_000_000_000])
            ),
            LaneMark.Open(sequence: 13, progress: .allBut([3, 5])),
        ]
    )

    @Test("a lane comes back with its rows and failures", arguments: StoreKind.allCases)
    func comesBack(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        #expect(try store.lanes() == [])
        let first = LaneProgress(
            platform: .fcmV1,
            mark: LaneMark(epoch: 7, scanned: 3),
            failures: [Sample.relayFailure(3, 9), Sample.relayFailure(3, 2)],
            deferred: [Sample.deferredRow(3, 1), Sample.deferredRow(2, 8)]
        )
        let apple = LaneProgress(platform: .apple, mark: Self.mark)
        let counter = Sample.delta(3, .fcmV1, .relayBadChannel, 2)
        try store.checkpoint(
            CheckpointBatch(number: 1, counters: [counter], lanes: [first, apple])
        )
        var later = Sample.deferredRow(3, 1)
        later.attempt = 3
        let second = LaneProgress(
            platform: .fcmV1,
            mark: LaneMark(epoch: 7, scanned: 4),
            deferred: [later],
            finished: [Sample.deferredRow(2, 8).key]
        )
        try store.checkpoint(CheckpointBatch(number: 2, lanes: [second]))
        store = try fixture.reopen()
        let expected = [
            StoredLane(platform: .apple, mark: Self.mark),
            StoredLane(platform: .fcmV1, mark: second.mark, deferred: [later]),
        ]
        #expect(try store.lanes() == expected)
        #expect(try store.counters(of: 3) == [counter])
        let failures = try store.relayFailures(of: 3, platform: .fcmV1)
        #expect(failures == [Sample.relayFailure(3, 2), Sample.relayFailure(3, 9)])
        #expect(try store.relayFailures(of: 3, platform: .apple) == [])
        #expect(try store.relayFailures(of: 4, platform: .fcmV1) == [])
    }

    @Test("a checkpoint that was applied changes no lane again", arguments: StoreKind.allCases)
    func once(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        func progress(_ scanned: UInt64) -> LaneProgress {
            LaneProgress(platform: .apple, mark: LaneMark(epoch: 7, scanned: scanned))
        }
        try store.checkpoint(CheckpointBatch(number: 1, lanes: [progress(5)]))
        try store.checkpoint(CheckpointBatch(number: 1, lanes: [progress(6)]))
        #expect(try store.lanes().map(\.mark.scanned) == [5])
    }

    @Test("the oldest of more failures than are kept go")
    func bounded() throws {
        let fixture = StoreFixture(.sqlite)
        fixture.limits.laneFailuresMax = 10
        let store = try fixture.reopen()
        for number in 1...4 as ClosedRange<UInt64> {
            let progress = LaneProgress(
                platform: .apple,
                mark: LaneMark(epoch: 7, scanned: number),
                failures: (1...5).map { Sample.relayFailure(number, $0) }
            )
            try store.checkpoint(CheckpointBatch(number: number, lanes: [progress]))
        }
        let left = try (1...4 as ClosedRange<UInt64>).map { sequence in
            try store.relayFailures(of: sequence, platform: .apple).count
        }
        #expect(left == [0, 0, 5, 5])
    }

    @Test("whatever bytes a mark has, reading them ends")
    func strange() throws {
        let bytes = LaneMarkCodec.encode(Self.mark)
        #expect(try LaneMarkCodec.decode(bytes.span) == Self.mark)
        for count in 0..<bytes.count {
            #expect(throws: RecordProblem.self) {
                try LaneMarkCodec.decode(Array(bytes.prefix(count)).span)
            }
        }
    }
}
