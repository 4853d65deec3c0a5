import HubCluster
@testable import HubDatabase
import HubMemory
import HubModel
import HubPostgres
import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("A hub on a node that waits")
struct FollowedHubTests {
    private let place = TemporaryFolder()
    private let database = MemoryDatabase()
    private let log: MemoryGroupLog
    private let hub: FollowedHub

    init() throws {
        log = database.lead()
        try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        hub = try FollowedHub(
            try #require(HubName("news")),
            database.reading,
            path: place.file("copy"),
            limits: StoreLimits(),
            ending: StoreEnding(),
            observing: { Listener() },
            tell: { _ in }
        )
    }

    private func mark() throws -> HubMark {
        HubMark(of: try #require(try database.reading.place()))
    }

    private func follow(to mark: HubMark) throws -> FollowedHub.Progress {
        try #require(try hub.follow(to: mark))
    }

    @Test("tells how far its copy is, and why it was filled once")
    func follows() throws {
        for number in 1...3 as ClosedRange<UInt64> { try log.append(devices: number...number) }
        let first = try follow(to: mark())
        #expect(first.groups == 3 && first.behind == 0 && first.isWarm && !first.isAhead)
        #expect(first.faults == [.missing])
        try log.append(devices: 4...4)
        let second = try follow(to: mark())
        #expect(second.groups == 4 && second.behind == 0 && second.isWarm)
        #expect(second.faults == [])
    }

    @Test("reads nothing where the mark is the one that it has followed to")
    func sameMark() throws {
        try log.append(devices: 1...1)
        let mark = try mark()
        _ = try follow(to: mark)
        database.refuseReads(.unavailable(reason: "away"))
        for _ in 0..<3 { #expect(try follow(to: mark).isWarm) }
    }

    @Test("leaves out looks behind one that failed, and twice as many each time")
    func rests() throws {
        try log.append(devices: 1...1)
        _ = try follow(to: mark())
        try log.append(devices: 2...3)
        let mark = try mark()
        let error = StoreError.unavailable(reason: "away")
        database.refuseReads(error)
        for looks in [2, 4, 8] {
            #expect(throws: error) { try follow(to: mark) }
            for _ in 0..<looks {
                let progress = try follow(to: mark)
                #expect(progress.groups == 1 && progress.behind == 1 && !progress.isWarm)
            }
        }
        database.refuseReads(nil)
        #expect(try follow(to: mark).behind == 0)
        // The next one that fails is the first again.
        try log.append(devices: 4...4)
        let next = try self.mark()
        database.refuseReads(error)
        #expect(throws: error) { try follow(to: next) }
        database.refuseReads(nil)
        for _ in 0..<2 { #expect(try follow(to: next).behind == 1) }
        #expect(try follow(to: next).behind == 0)
    }

    @Test("has nothing of a database that was set back, until a leader has begun an epoch")
    func setBack() throws {
        try log.append(devices: 1...1)
        let earlier = database.copy()
        for number in 2...9 as ClosedRange<UInt64> { try log.append(devices: number...number) }
        _ = try follow(to: mark())
        database.setBack(to: earlier)
        for _ in 0..<2 {
            let progress = try follow(to: mark())
            #expect(progress.groups == 0 && progress.behind == 1)
            #expect(progress.isAhead && !progress.isWarm)
        }
        let next = database.lead()
        try next.begin(GroupEpoch(place: LogPlace(epoch: 8, sequence: 99), checkBelow: 0))
        let progress = try follow(to: mark())
        #expect(progress.groups == 1 && progress.behind == 0)
        #expect(!progress.isAhead && progress.isWarm)
        #expect(progress.faults == [.otherPast])
    }

    @Test("is given away once, and follows no longer then")
    func taken() throws {
        try log.append(devices: 1...1)
        _ = try follow(to: mark())
        let copy = hub.take()
        #expect(copy?.group == 1)
        #expect(hub.take() == nil)
        #expect(try hub.follow(to: mark()) == nil)
        copy?.close()
    }
}
