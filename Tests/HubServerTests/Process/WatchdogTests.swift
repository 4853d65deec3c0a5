import HubTestSupport
import Synchronization
import Testing

@testable import HubServer

@Suite("The watchdog", .timeLimit(.minutes(1)))
struct WatchdogTests {
    /// Turns that return at once, but for the one that hangs.
    private final class Turns: Sendable {
        let taken = Mutex(0)
        private let hanging: AsyncStream<Void>
        private let feed: AsyncStream<Void>.Continuation
        private let hangsAt: Int

        init(hangsAt: Int) {
            (hanging, feed) = AsyncStream<Void>.makeStream()
            self.hangsAt = hangsAt
        }

        func take() async {
            let count = taken.withLock { taken in
                taken += 1
                return taken
            }
            if count == hangsAt { for await _ in hanging { return } }
        }

        func goOn() { feed.finish() }
    }

    @Test("falls silent while a thread takes no turn")
    func hanging() async throws {
        let limit = Duration.milliseconds(2)
        let turns = Turns(hangsAt: 3)
        let beats = Mutex(0)
        let (others, feed) = AsyncStream<Void>.makeStream()
        let watched = Task {
            let service = WatchdogService(within: limit) {
                beats.withLock { $0 += 1 }
            } turn: {
                await turns.take()
            }
            try await service.run()
        }
        try await eventually("the third turn") { turns.taken.withLock { $0 } == 3 }
        // A clock: a server that does not hang says so many times that it is well.
        let well = Task {
            try await WatchdogService(within: limit) {
                feed.yield()
            } turn: {
            }.run()
        }
        var count = 0
        for await _ in others {
            count += 1
            if count == 20 { break }
        }
        #expect(beats.withLock { $0 } == 2)
        #expect(turns.taken.withLock { $0 } == 3)
        for task in [watched, well] { task.cancel() }
        turns.goOn()
        for task in [watched, well] { _ = await task.result }
    }

    @Test("says nothing to a manager that does not watch")
    func unwatched() async {
        let service = Task {
            let service = WatchdogService(within: nil) {
                Issue.record("it spoke")
            } turn: {
                Issue.record("it looked")
            }
            try await service.run()
        }
        service.cancel()
        _ = await service.result
    }
}
