import HubHistory
import HubTestSupport
import HubVocabulary
import Testing

@testable import HubServer

@Suite("Who waits for events", .timeLimit(.minutes(1)))
struct EventFeedTests {
    private let feed = EventFeed()
    private let time = Timestamp(milliseconds: 1_777_885_200_000)

    private func add(_ text: String) { feed.append([.notice(text)], at: time) }

    private func read(
        after number: UInt64?,
        names: Set<String>? = nil,
        wait: Duration = .seconds(50)
    ) async -> [UInt64] {
        let page = await feed.page(
            after: number,
            matching: EventFilter(kinds: names),
            wait: wait
        )
        return page.events.map(\.number) + [page.last]
    }

    @Test("without a number hears where to begin, at once")
    func beginning() async {
        add("a")
        #expect(await read(after: nil) == [1])
        #expect(await read(after: 0) == [1, 1])
    }

    @Test("is woken by the next event, passes those of other kinds, and may wait in vain")
    func waiting() async throws {
        add("a")
        #expect(await read(after: 1, wait: .zero) == [1])
        #expect(await read(after: 1, wait: .milliseconds(20)) == [1])
        let reader = Task { await read(after: 1) }
        let chooser = Task { await read(after: 1, names: ["told"]) }
        try await eventually("two who wait") { feed.waitingCount == 2 }
        add("b")
        #expect(await reader.value == [2, 2])
        try await eventually("one who still waits") { feed.waitingCount == 1 }
        feed.append([.told("c")], at: time)
        #expect(await chooser.value == [3, 3])
        #expect(feed.waitingCount == 0)
    }

    @Test("goes on when the server ends, or when the request does")
    func ending() async throws {
        let gone = Task { await read(after: 0) }
        let left = Task { await read(after: 0) }
        try await eventually("two who wait") { feed.waitingCount == 2 }
        gone.cancel()
        #expect(await gone.value == [0])
        try await eventually("one who waits") { feed.waitingCount == 1 }
        feed.close()
        #expect(await left.value == [0])
        #expect(await read(after: 0) == [0])
    }

    @Test("are as many as the limit allows; one more is answered at once")
    func limit() async throws {
        let readers = (0..<HistoryLimits.waitingPerHub).map { _ in
            Task { await read(after: 0) }
        }
        try await eventually("all who wait") { feed.waitingCount == readers.count }
        #expect(await read(after: 0) == [0])
        add("a")
        for reader in readers { #expect(await reader.value == [1, 1]) }
    }
}
