import Dispatch
import HubVocabulary
import Testing

@testable import HubServer

@Suite("Numbers of hubs", .timeLimit(.minutes(1)))
struct HeldGaugesTests {
    @Test("are there of each hub that answers, whichever other one stands still")
    func stalled() async throws {
        let hub = try await RunningHub { $0.hubs = ["a", "b", "c"] }
        let goesOn = DispatchSemaphore(value: 0)
        let stalled = try #require(hub.server.roster.members.first).hub
        #expect(
            stalled.writer.inspect { _ in
                _ = goesOn.wait(timeout: .now() + .seconds(60))
            }
        )
        let told = await hub.server.roster.gauges(within: .milliseconds(300))
        #expect(told.map(\.hub.description) == ["b", "c"])
        goesOn.signal()
        #expect(await hub.server.gauges().map(\.hub.description) == ["a", "b", "c"])
        try await hub.stop()
    }
}
