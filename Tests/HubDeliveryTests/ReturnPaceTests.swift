import HubDelivery
import HubDirectory
@testable import HubHarness
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("How a hub asks its devices back")
struct ReturnPaceTests {
    @Test("WELCOME and GOAWAY follow from the devices of the hub. [C-5]")
    func follows() throws {
        var limits = SessionLimits()
        limits.returning.perSecond = 1
        limits.returning.secondsMax = 5
        let hub = try WholeHub(limits: limits)
        let devices = try (0..<4).map { _ in try ScriptedDevice.registered(hub, tags: ["a"]) }
        let paces = devices.compactMap(\.welcome?.limits.returning)
        #expect(paces.map(\.spread) == [1_000, 2_000, 3_000, 4_000])
        #expect(paces.map(\.longest) == [2_000, 4_000, 5_000, 5_000])
        hub.shards[0].loop.core.drain(now: hub.now)
        hub.runUntilIdle()
        for device in devices {
            device.read()
            #expect(device.goaways.map(\.spread) == [4_000])
            #expect(device.goaways.map(\.minDelay) == [1_000])
        }
    }

    @Test("absent devices count, for they may come. [C-5]")
    func absent() throws {
        var limits = SessionLimits()
        limits.returning.perSecond = 1
        let hub = try WholeHub(limits: limits)
        let first = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        first.read()
        first.acknowledge()
        hub.advance(milliseconds: 2_000)
        hub.cut(first.address)
        let second = try ScriptedDevice.registered(hub, tags: ["a"])
        #expect(second.welcome?.limits.returning.spread == 1_000)
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        second.read()
        second.acknowledge()
        hub.advance(milliseconds: 2_000)
        hub.cut(second.address)
        let third = ScriptedDevice(hub)
        try third.hello()
        #expect(third.welcome?.limits.returning.spread == 2_000)
    }
}
