import Dispatch
import HubCluster
@testable import HubDatabase
import HubModel
import HubPostgres
import HubStore
import HubTestSupport
import Testing

@Suite(
    "The copies of a node that waits",
    .enabled(if: TemporaryPostgres.isInstalled),
    .timeLimit(.minutes(3))
)
struct CopyKeeperTests {
    private static func keeper(_ kept: Kept, _ ending: StoreEnding = StoreEnding()) -> CopyKeeper {
        CopyKeeper(
            kept.database,
            kept.folder,
            limits: StoreLimits(),
            ending: ending,
            logger: Kept.silent
        )
    }

    /// Waits until other nodes see a run level.
    private static func level(_ run: UInt64, _ kept: Kept) throws {
        try eventually(blocking: "copies that are level") {
            let seen = try kept.database.nodes().nodes.first { $0.node.run == run }
            return seen?.behind == 0 && seen?.isWarm == true
        }
    }

    @Test("are level with the database, as other nodes see, and go to who leads their hubs")
    func keeps() throws {
        let kept = try Kept()
        let (news, log) = try kept.hub("news")
        let (sports, other) = try kept.hub("sports")
        try log.append(devices: 1...2)
        try kept.enter(7)
        let keeper = Self.keeper(kept)
        defer { keeper.end() }
        keeper.start(run: 7) { Listener() }
        try Self.level(7, kept)
        for number in 3...5 as ClosedRange<UInt64> {
            try log.append(devices: number...number)
            try other.append(devices: number...number)
        }
        try Self.level(7, kept)
        keeper.stop()
        let copies = [keeper.take(news), keeper.take(sports)]
        #expect(copies.map { $0?.group } == [4, 3])
        #expect(copies.map { $0?.observer.group } == [4, 3])
        #expect(keeper.take(news) == nil)
        for copy in copies { copy?.close() }
    }

    @Test("that nobody took are closed at its end, and their folders are free")
    func ends() throws {
        let kept = try Kept()
        let (news, log) = try kept.hub("news")
        try log.append(devices: 1...2)
        try kept.enter(8)
        let keeper = Self.keeper(kept)
        keeper.start(run: 8) { Listener() }
        try Self.level(8, kept)
        keeper.end()
        #expect(keeper.take(news) == nil)
        let copy = try StandbyCopy(
            folder: kept.path(news),
            limits: StoreLimits(),
            observer: Listener()
        )
        #expect(copy.group == 1)
        copy.close()
        // One that begins behind its end does nothing.
        keeper.start(run: 8) { Listener() }
        keeper.end()
    }

    @Test("are left in the middle of being filled when the node ends, and filled by the next run")
    func endsFilling() throws {
        let kept = try Kept()
        let (news, log) = try kept.hub("news")
        // More than are written at once.
        for start in stride(from: 1 as UInt64, to: 5_000, by: 1_000) {
            try log.append(devices: start...start + 999)
        }
        let ending = StoreEnding()
        let keeper = Self.keeper(kept, ending)
        let (began, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        keeper.start(run: 9) {
            Listener {
                began.signal()
                _ = goesOn.wait(timeout: .now() + .seconds(60))
            }
        }
        #expect(began.wait(timeout: .now() + .seconds(60)) == .success)
        ending.end()
        goesOn.signal()
        keeper.end()
        let copy = try StandbyCopy(
            folder: kept.path(news),
            limits: StoreLimits(),
            observer: Listener()
        )
        #expect(try copy.follow(log.reading) == .level)
        // It had no place: the filling had not come to its end.
        #expect(copy.takeFaults() == [.missing])
        #expect(copy.group == 5)
        copy.close()
    }
}
