import HubDelivery
import HubDirectory
@testable import HubHarness
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Devices that leave behind their last request")
struct LeavingTests {
    /// UNREGISTER of every slot, with the ref 9.
    private static var unregisterAll: [UInt8] {
        var bytes: [UInt8] = []
        UnregisterFrame(slot: SlotNumber.all, ref: 9).encode(into: &bytes)
        return bytes
    }

    private static var bye: [UInt8] {
        var bytes: [UInt8] = []
        ByeFrame(reason: 3).encode(into: &bytes)
        return bytes
    }

    @Test("requests in front of BYE are carried out and answered before the hub closes. [C-1]")
    func logout() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.send(Self.unregisterAll + Self.bye)
        #expect(device.results.map(\.status) == [0, 0])
        #expect(hub.closed.contains(device.address))
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        try device.reconnect()
        #expect(device.welcome?.etag == 0)
        #expect(device.alerts == [])
    }

    @Test(
        "a request is carried out although the connection ends, or breaks a rule, behind it. [S-4]"
    )
    func lostAnswer() throws {
        for last in [[], [0x6E, 0, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
            let hub = try WholeHub()
            let device = try ScriptedDevice.registered(hub, tags: ["a"])
            hub.input(Self.unregisterAll + last, from: device.address)
            device.cut()
            try device.reconnect()
            #expect(device.welcome?.etag == 0)
            #expect(device.results.count == 1)
        }
    }

    @Test(
        "a device that left gets nothing more, and its connection has an end without an answer too"
    )
    func answerThatStaysOut() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.holdsBackFeed = true
        device.send(Self.unregisterAll + Self.bye + Self.unregisterAll)
        #expect(!hub.closed.contains(device.address))
        hub.advance(milliseconds: 5_500)
        #expect(hub.closed.contains(device.address))
        hub.releaseFeed()
        device.read()
        #expect(device.results.count == 1)
        #expect(device.errors.isEmpty)
    }

    @Test(
        "after GOAWAY a request is refused with its slot, and frames have their rate. [C-2] [S-6]"
    )
    func draining() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.shards[0].loop.core.drain(now: hub.now)
        device.unregister(slot: 3)
        try device.patch(slot: 4, add: ["b"])
        try device.register(tags: ["b"])
        let draining = ErrorNumber.draining.rawValue
        #expect(device.results.dropFirst().map(\.status) == [draining, draining, draining])
        #expect(device.results.dropFirst().map(\.slot) == [3, 4, 0])
        let padding: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0]
        for _ in 0..<200 { device.send(padding) }
        #expect(device.errorNumbers == [.rateLimited])
    }

    @Test("after GOAWAY a ref without its answer is not used again. [S-4]")
    func drainingDuplicate() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.holdsBackFeed = true
        device.send(Self.unregisterAll)
        hub.shards[0].loop.core.drain(now: hub.now)
        device.send(Self.unregisterAll)
        #expect(device.errorNumbers == [.duplicateRequest])
    }

    @Test("a request for which the writer has no room is refused with its slot")
    func fullWriter() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.hasFullWriter = true
        device.unregister(slot: 3)
        #expect(device.results.last?.status == ErrorNumber.unavailable.rawValue)
        #expect(device.results.last?.slot == 3)
    }
}
