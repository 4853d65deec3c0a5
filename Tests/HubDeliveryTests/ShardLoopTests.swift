import HubDirectory
@testable import HubHarness
import HubModel
import HubVocabulary
import Testing

@Suite("A shard's loop")
struct ShardLoopTests {
    @Test("wants a tick for its report, although no device is connected")
    func ticksAlone() throws {
        let hub = try WholeHub()
        hub.run(Send(try WholeHub.apple("1")))
        let pause = SessionLimits().timers.cursorMilliseconds
        #expect(hub.ticks == [0: hub.now.instant.adding(milliseconds: pause)])
        hub.advance(milliseconds: pause + 100)
        #expect(hub.ticks.isEmpty, "it has reported")
    }
}
