import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("A purge")
struct PurgeTests {
    private func send(_ hub: WholeHub, _ text: String, tags: String = "a") throws {
        hub.run(Send(try WholeHub.apple(text, tags: tags)))
    }

    private func gap(_ hub: WholeHub, from: UInt64, to: UInt64, lost: UInt32) throws -> GapFrame {
        GapFrame(
            from: from,
            to: to,
            lost: lost,
            check: try #require(try hub.store.reader.check(at: to)),
            reason: .purge
        )
    }

    @Test("keeps back what a device has not got, which is told how much, and nobody else is told")
    func whileAway() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        let other = try ScriptedDevice.registered(hub, exporter: 3, tags: ["b"])
        for one in [device, other] { one.cut() }
        for text in ["1", "2", "3"] { try send(hub, text) }
        hub.run(Purge(.through(2)))
        try send(hub, "4")
        try device.reconnect()
        try other.reconnect(exporter: 4)
        #expect(device.alerts == ["3", "4"])
        #expect(device.gaps == [try gap(hub, from: 0, to: 2, lost: 2)])
        #expect(other.gaps == [] && other.alerts == [])
        device.acknowledge()
        try hub.report()
        let counts = CounterTable(try hub.store.counters(of: 1))
        #expect(counts[.apple, .purged] == 1 && counts[.apple, .acknowledged] == 0)
    }

    @Test("keeps back what waits for a device that is paused")
    func whileHeld() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 0)
        for text in ["1", "2", "3"] { try send(hub, text) }
        hub.run(Purge(.through(.max)))
        try send(hub, "4")
        device.window(messages: 8)
        #expect(device.alerts == ["4"])
        #expect(device.gaps == [try gap(hub, from: 0, to: 3, lost: 3)])
    }

    /// All housekeeping, in which what was purged goes at once.
    private func tidy(_ hub: WholeHub) throws {
        let retention = RecordRetention(keptSeconds: 0)
        hub.now.time = hub.now.time.adding(seconds: 1)
        let result = try hub.store.tidy(now: hub.now, retention: retention)
        hub.directory.tidied(result, bounds: hub.store.bounds)
    }

    @Test("is announced too when what was purged has left the log before the device comes back")
    func goneWhileAway() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        for text in ["1", "2", "3"] { try send(hub, text) }
        hub.run(Purge(.through(2)))
        try tidy(hub)
        #expect(hub.store.bounds.first == 3)
        try device.reconnect()
        #expect(device.welcome?.resume == .gap)
        #expect(device.welcome?.lost == ResumeDecision.lostUnknown)
        #expect(device.alerts == ["3"] && device.gaps == [])
        // Once it is acknowledged it is not told again.
        device.acknowledge()
        device.cut()
        try device.reconnect(exporter: 2)
        #expect(device.welcome?.resume == .resumed && device.welcome?.lost == 0)
    }

    @Test("is announced too when what was purged has left the log while the device is paused")
    func goneWhileHeld() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 0)
        for text in ["1", "2", "3"] { try send(hub, text) }
        hub.run(Purge(.through(.max)))
        try tidy(hub)
        #expect(hub.store.bounds.first == 4)
        try send(hub, "4")
        device.window(messages: 8)
        #expect(device.alerts == ["4"])
        #expect(device.gaps.map(\.to) == [3] && device.gaps.allSatisfy { $0.lost >= 3 })
    }

    @Test("does not recall what was sent, and announces nothing that has arrived")
    func afterArrival() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        try send(hub, "1")
        device.read()
        device.acknowledge()
        hub.run(Purge(.through(.max)))
        device.cut()
        try device.reconnect()
        #expect(device.alerts == ["1"] && device.gaps == [])
    }

    @Test("holds when the hub is opened again")
    func durable() throws {
        let disk = MemoryDisk()
        let hub = try WholeHub(disk: disk)
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        for text in ["1", "2"] { try send(hub, text) }
        hub.run(Purge(.through(1)))
        let again = try WholeHub(disk: disk, seed: 2)
        #expect(again.directory.settings.purgedThrough == 1)
    }
}
