@testable import HubClient
import HubWire
import Testing

@Suite("Waking up")
struct SleepTests {
    @Test("sleeps add up until they are long enough to ask")
    func sleeps() {
        let least = SleepWatch.leastNanoseconds
        var watch = SleepWatch()
        func hasSlept(_ nanoseconds: UInt64) -> Bool { watch.hasSlept(nanoseconds) }
        #expect(!hasSlept(7 * least))
        #expect(!hasSlept(7 * least))
        #expect(!hasSlept(8 * least - 1))
        #expect(hasSlept(8 * least))
        #expect(!hasSlept(8 * least))
        #expect(!hasSlept(0))
        #expect(hasSlept(.max))
    }

    @Test("a link that is asked answers with a PING, once until it is answered")
    func probes() {
        let device = ScriptedDevice.ready()
        for _ in 0..<2 {
            try? device.ask { session, now, actions throws(ChoiceError) in
                session.probe(now: now, actions: &actions)
            }
        }
        #expect(device.frames.count == 1)
        device.advance(by: .seconds(WireLimits.pongSecondsMax))
        #expect(device.departure == .pongMissing)
    }
}
