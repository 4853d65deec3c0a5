import HubCluster
import HubModel
import HubTestSupport
import HubVocabulary
import Testing

/// Someone who follows the cursors of a hub, and keeps them in a dictionary.
final class CursorFollower: CursorObserver {
    private(set) var mark: JournalMark?
    private(set) var cursors: [DeviceID: StoredCursor] = [:]
    /// How often all cursors were read to the end.
    private(set) var loads = 0

    func forget() { (mark, cursors) = (nil, [:]) }

    func load(_ cursor: StoredCursor) {
        #expect(cursors.updateValue(cursor, forKey: cursor.device) == nil)
    }

    func finish(at mark: JournalMark) {
        self.mark = mark
        loads += 1
    }

    func take(_ changes: [CursorChange], through mark: JournalMark) {
        for change in changes { cursors.make(change) }
        self.mark = mark
    }

    func look(_ reading: any GroupReading) throws {
        while true {
            switch try reading.cursorJournal(behind: mark) {
            case .changes(_, let last) where last == mark: return
            case .changes(let changes, let last): take(changes, through: last)
            case .empty: return forget()
            case .unknown:
                forget()
                var last: DeviceID?
                let mark = try reading.cursors { some throws(StoreError) in
                    for cursor in some {
                        #expect(last.map { $0 < cursor.device } ?? true)
                        last = cursor.device
                        load(cursor)
                    }
                }
                return finish(at: try #require(mark))
            }
        }
    }

    /// Takes what a leader reads behind the last look; whether it could.
    func finish(_ log: any GroupLog) throws -> Bool {
        while let known = mark,
            case .changes(let changes, let last) = try log.cursorJournal(behind: known)
        {
            if last == known { return true }
            take(changes, through: last)
        }
        return false
    }
}

extension SeededGenerator {
    /// A checkpoint of some of forty devices.
    mutating func cursors(of number: UInt64) -> CheckpointBatch {
        let forgotten = devices(below(3))
        let cursors = devices(below(12)).map { device in
            StoredCursor(
                device: device,
                acknowledged: UInt64(below(1_000)),
                scannedThrough: UInt64(below(1_000)),
                lastSeen: Timestamp(milliseconds: UInt64(below(1_000)))
            )
        }
        return CheckpointBatch(number: number, forgotten: forgotten, cursors: cursors)
    }

    private mutating func devices(_ count: Int) -> [DeviceID] {
        Set((0..<count).map { _ in DeviceID(high: 1, low: UInt64(1 + below(40))) }).sorted()
    }
}

extension GroupLog {
    /// The merged cursors of all devices.
    func cursors() throws(StoreError) -> [DeviceID: StoredCursor] {
        var all: [DeviceID: StoredCursor] = [:]
        try forEachCursor { all[$0.device] = $0 }
        return all
    }
}

@Suite("The journal of cursors")
struct CursorJournalTests {
    @Test(
        "has for those who follow it what the leader has, however seldom they look",
        arguments: GroupLogKind.allCases,
        [1, 2, 3]
    )
    func follows(kind: GroupLogKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = GroupLogFixture(kind)
        var log = try fixture.lead()
        let (eager, lazy) = (CursorFollower(), CursorFollower())
        try eager.look(fixture.reading)
        #expect(eager.mark == nil && eager.loads == 0)
        for number in 1...120 as ClosedRange<UInt64> {
            try log.checkpoint(random.cursors(of: number), reports: NodeReports())
            if random.below(20) == 0 { log = try fixture.lead() }
            let expected = try log.cursors()
            try eager.look(fixture.reading)
            #expect(eager.cursors == expected, "seed \(seed), checkpoint \(number)")
            guard random.below(16) == 0 else { continue }
            try lazy.look(fixture.reading)
            #expect(lazy.cursors == expected, "seed \(seed), checkpoint \(number)")
        }
        // Rows that were merged go, but for the last ones.
        #expect(eager.loads == 1, "seed \(seed)")
        #expect(lazy.loads > 1, "seed \(seed)")
        try log.checkpoint(random.cursors(of: 121), reports: NodeReports())
        let next = try fixture.lead()
        #expect(try eager.finish(next))
        #expect(try eager.cursors == next.cursors(), "seed \(seed)")
        #expect(try next.cursors() == log.cursors(), "seed \(seed)")
    }

    @Test(
        "keeps one merged row where they are large, and those who missed it read all again",
        .enabled(if: GroupLogKind.allCases.contains(.postgres))
    )
    func large() throws {
        let fixture = GroupLogFixture(.postgres)
        let log = try fixture.lead()
        let follower = CursorFollower()
        for number in 1...12 as ClosedRange<UInt64> {
            // 2,400 bytes a row: of those that were merged one stays, and a page has one.
            let cursors = (1...50 as ClosedRange<UInt64>).map { device in
                StoredCursor(
                    device: DeviceID(high: 1, low: device),
                    acknowledged: number,
                    scannedThrough: number,
                    lastSeen: Timestamp(milliseconds: number)
                )
            }
            try log.checkpoint(
                CheckpointBatch(number: number, cursors: cursors),
                reports: NodeReports()
            )
            try follower.look(fixture.reading)
            #expect(try follower.cursors == log.cursors(), "checkpoint \(number)")
            if follower.loads > 2 { break }
        }
        #expect(follower.loads > 2)
    }

    @Test("is not gone on with from a row of another past", arguments: GroupLogKind.allCases)
    func otherPast(kind: GroupLogKind) throws {
        let fixture = GroupLogFixture(kind)
        let log = try fixture.lead()
        let device = DeviceID(high: 1, low: 1)
        func cursor(_ place: UInt64) -> StoredCursor {
            StoredCursor(
                device: device,
                acknowledged: place,
                scannedThrough: place,
                lastSeen: Timestamp(milliseconds: 1)
            )
        }
        for number in 1...2 as ClosedRange<UInt64> {
            let batch = CheckpointBatch(number: number, cursors: [cursor(number)])
            try log.checkpoint(batch, reports: NodeReports())
        }
        let mark = try #require(try fixture.reading.cursors { _ in })
        #expect(mark.number == 2)
        #expect(try log.cursorJournal(behind: mark) == .changes([], mark))
        let others = [
            JournalMark(number: 2, checksum: mark.checksum ^ 1),
            JournalMark(number: 1, checksum: mark.checksum),
            JournalMark(number: 3, checksum: mark.checksum),
        ]
        for other in others {
            #expect(try log.cursorJournal(behind: other) == .unknown)
            #expect(try fixture.reading.cursorJournal(behind: other) == .unknown)
        }
        #expect(try fixture.reading.cursorJournal(behind: nil) == .unknown)
    }
}
