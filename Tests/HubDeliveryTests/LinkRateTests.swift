import HubDirectory
@testable import HubHarness
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Rates of a device")
struct LinkRateTests {
    @Test("an ACK that moves the position costs nothing, one that repeats it does. [S-6]")
    func acknowledgements() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 1)
        for number in 1...300 {
            hub.run(Send(try WholeHub.apple("\(number)", tags: "a")))
            device.acknowledge()
        }
        #expect(device.alerts.count == 300)
        #expect(device.errors.isEmpty)
        for _ in 0..<170 { device.acknowledge() }
        #expect(device.errorNumbers == [.rateLimited])
    }

    @Test("changes count over all connections of a device, and come back with time. [S-6]")
    func changes() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        let limited = ErrorNumber.rateLimited.rawValue
        for number in 0..<WireLimits.changesBurst { try device.register(tags: ["t\(number)"]) }
        #expect(device.results.allSatisfy { $0.status == 0 })
        device.cut()
        try device.reconnect()
        try device.register(tags: ["again"])
        #expect(device.results.last?.status == limited)
        #expect(device.results.last?.retryAfter == 1_000)
        hub.advance(milliseconds: 1_000)
        try device.register(tags: ["again"])
        try device.register(tags: ["twice"])
        #expect(device.results.suffix(2).map(\.status) == [0, limited])
        // Another device has changes of its own.
        let other = try ScriptedDevice.registered(hub, tags: ["a"])
        #expect(other.results.map(\.status) == [0])
    }
}
