import HubCluster
import HubMemory
import HubModel
import HubStore
import HubTestSupport
import HubVocabulary
import Testing

/// Hears cursors alone.
private final class CursorListener: CopyObserver {
    private(set) var group: UInt64?
    let follower = CursorFollower()
    var cursors: (any CursorObserver)? { follower }

    func forget() { group = nil }
    func load(registration bytes: Span<UInt8>) throws(RecordProblem) {}
    func load(_ installation: Installation) {}
    func finish(at group: UInt64) { self.group = group }
    func take(_ changes: [StoredChange], of group: UInt64, instead before: [Registration]) {
        if self.group != nil { self.group = group }
    }
}

/// Reads of a database that fail behind some of all cursors, or end the node there.
private struct CutReading: GroupReading {
    let reading: any GroupReading
    let cut: @Sendable () throws(StoreError) -> Void

    func place() throws(StoreError) -> GroupPlace? { try reading.place() }

    func groups(after place: CopyPlace, bytesMax: Int) throws(StoreError) -> GroupsRead {
        try reading.groups(after: place, bytesMax: bytesMax)
    }

    func items(
        _ body: (StoredItem) throws(StoreError) -> Void
    ) throws(StoreError) -> GroupPlace { try reading.items(body) }

    func cursorJournal(behind mark: JournalMark?) throws(StoreError) -> JournalNews {
        try reading.cursorJournal(behind: mark)
    }

    func cursors(
        _ body: ([StoredCursor]) throws(StoreError) -> Void
    ) throws(StoreError) -> JournalMark? {
        try reading.cursors { cursors throws(StoreError) in
            try body(cursors)
            try cut()
        }
    }
}

/// A database with cursors, and the copy of a node that waits.
private struct Waiting {
    let fixture = ClusterFixture()
    let listener = CursorListener()
    let ending = StoreEnding()
    let store: ClusterStore
    let copy: StandbyCopy
    private(set) var log: MemoryGroupLog
    private var random: SeededGenerator

    init(seed: UInt64 = 1) throws {
        random = SeededGenerator(seed: seed)
        store = try fixture.open()
        copy = try StandbyCopy(
            folder: fixture.path("standby"),
            limits: StoreLimits(),
            observer: listener,
            ending: ending
        )
        log = fixture.database.lead()
    }

    mutating func checkpoint(_ count: Int = 1) throws {
        for _ in 0..<count {
            let batch = random.cursors(of: log.place.checkpoint + 1)
            try log.checkpoint(batch, reports: NodeReports())
        }
    }

    mutating func below(_ limit: Int) -> Int { random.below(limit) }

    /// Whether it has what the database has.
    var isLevel: Bool { get throws { try listener.follower.cursors == log.cursors() } }
}

@Suite("Cursors of a node that waits")
struct StandbyCursorsTests {
    @Test("are those of the database, whenever it looks", arguments: UInt64(1)...8)
    func follow(seed: UInt64) throws {
        var waiting = try Waiting(seed: seed)
        for _ in 0..<60 {
            try waiting.checkpoint(waiting.below(4) == 0 ? 9 : 1)
            #expect(try waiting.copy.follow(waiting.fixture.database.reading) == .level)
            #expect(try waiting.isLevel, "seed \(seed)")
            #expect(waiting.copy.hasCursors)
        }
        // Rows that it knew were merged, and others were not.
        #expect((2...40).contains(waiting.listener.follower.loads), "seed \(seed)")
        #expect(waiting.copy.takeCursorFault() == nil)
    }

    @Test("that cannot be read leave the copy level, and are read again by and by")
    func failure() throws {
        var waiting = try Waiting()
        try waiting.checkpoint(20)
        let reading = waiting.fixture.database.reading
        let error = StoreError.unavailable(reason: "cut")
        let cut = CutReading(reading: reading) { () throws(StoreError) in throw error }
        #expect(try waiting.copy.follow(cut) == .level)
        #expect(!waiting.copy.hasCursors)
        #expect(waiting.copy.takeCursorFault() == error && waiting.copy.takeCursorFault() == nil)
        var looks = 0
        while !waiting.copy.hasCursors, looks < 9 {
            #expect(try waiting.copy.follow(reading) == .level)
            looks += 1
        }
        // Two looks were left out.
        #expect(looks == 3)
        #expect(try waiting.isLevel)
    }

    @Test("are read no further once the node ends")
    func ends() throws {
        var waiting = try Waiting()
        try waiting.checkpoint(20)
        let ending = waiting.ending
        let cut = CutReading(reading: waiting.fixture.database.reading) { ending.end() }
        #expect(throws: StoreEnding.error) { try waiting.copy.follow(cut) }
        #expect(!waiting.copy.hasCursors && waiting.listener.follower.cursors.count <= 3)
    }

    @Test("are forgotten when the database was set back, and are those of its new past then")
    func setBack() throws {
        var waiting = try Waiting()
        let database = waiting.fixture.database
        try waiting.checkpoint(3)
        let earlier = database.copy()
        try waiting.checkpoint(3)
        try waiting.log.append([.put(Sample.registration(1))])
        #expect(try waiting.copy.follow(database.reading) == .level)
        #expect(try waiting.isLevel)
        database.setBack(to: earlier)
        #expect(try waiting.copy.follow(database.reading) == .ahead)
        #expect(!waiting.copy.hasCursors && waiting.listener.follower.cursors.isEmpty)
    }

    @Test("of another past are not gone on with, although no group was lost")
    func otherPast() throws {
        var waiting = try Waiting()
        let database = waiting.fixture.database
        try waiting.checkpoint(3)
        let earlier = database.copy()
        try waiting.checkpoint(3)
        #expect(try waiting.copy.follow(database.reading) == .level)
        database.setBack(to: earlier)
        let log = database.lead()
        let device = DeviceID(high: 1, low: 99)
        for number in log.place.checkpoint + 1...log.place.checkpoint + 3 {
            let cursor = StoredCursor(
                device: device,
                acknowledged: number,
                scannedThrough: number,
                lastSeen: Timestamp(milliseconds: 1)
            )
            try log.checkpoint(
                CheckpointBatch(number: number, cursors: [cursor]),
                reports: NodeReports()
            )
        }
        #expect(try waiting.copy.follow(database.reading) == .level)
        #expect(try waiting.listener.follower.cursors == log.cursors())
    }
}
