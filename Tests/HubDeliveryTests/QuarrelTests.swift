@testable import HubHarness
import HubDirectory
import HubVocabulary
import HubWire
import Testing

/// Takeovers count between two instances alone. [S-5]
@Suite("Instances that take a device from each other")
struct QuarrelTests {
    /// A connection that says HELLO as a device, from another instance of its app.
    private static func come(
        as instance: UInt64,
        of device: ScriptedDevice,
        exporter: UInt8
    ) throws -> ScriptedDevice {
        let copy = ScriptedDevice(device.hub, exporter: exporter)
        copy.id = device.id
        copy.key = device.key
        copy.position = device.position
        copy.instance = instance
        try copy.hello()
        return copy
    }

    @Test("a takeover by a third starts the count again, and the third between two is refused")
    func third() throws {
        let hub = try WholeHub()
        let first = try ScriptedDevice.registered(hub, tags: ["a"])
        let ours = try Self.come(as: 2, of: first, exporter: 2)
        let theirs = try Self.come(as: 3, of: first, exporter: 3)
        // The third takeover of any, and the first that goes back.
        let back = try Self.come(as: 2, of: first, exporter: 4)
        #expect(back.welcome != nil && back.errors == [])
        for gone in [first, ours, theirs] {
            gone.read()
            #expect(gone.errorNumbers == [.takenOver])
        }
        let refused = try Self.come(as: 3, of: first, exporter: 5)
        #expect(refused.welcome == nil)
        #expect(refused.errorNumbers == [.duplicateDevice])
        #expect((60_000...600_000).contains(refused.errors.last?.retryAfter ?? 0))

        // Who holds the device goes on getting.
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        back.read()
        #expect(back.alerts == ["1"] && back.errors == [])
    }
}
