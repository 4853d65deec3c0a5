import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Records that are damaged")
struct DamagedLogTests {
    private func gap(_ hub: WholeHub, from: UInt64, to: UInt64, lost: UInt32) throws -> GapFrame {
        GapFrame(
            from: from,
            to: to,
            lost: lost,
            check: try #require(try hub.store.reader.check(at: to)),
            reason: .historyLost
        )
    }

    @Test("are announced where they were; everything else comes", arguments: [1, 3, 256])
    func announced(pageRecords: Int) throws {
        var limits = SessionLimits()
        limits.catchUp.pageRecords = pageRecords
        let hub = try WholeHub(limits: limits)
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        for number in 1...9 {
            let isTheirs = [3, 5].contains(number)
            hub.run(Send(try WholeHub.apple("\(number)", tags: isTheirs ? "b" : "a")))
        }
        // 3 and 5 are no candidates.
        hub.damaged = [2, 3, 4, 5, 8]
        try device.reconnect()
        device.read()
        #expect(device.alerts == ["1", "6", "7", "9"])
        let gaps = [
            try gap(hub, from: 1, to: 4, lost: 2), try gap(hub, from: 7, to: 8, lost: 1),
        ]
        #expect(device.gaps == gaps)
        #expect(device.delivers.last?.backlog == 0)
        #expect(hub.shards[0].loop.core.sessionCounts.live == 1)
        #expect(hub.shards[0].loop.core.totals.unwritten.damaged == 3)
        device.acknowledge()
        device.cut()
        try device.reconnect()
        #expect(device.welcome?.resume == .resumed && device.gaps == gaps)
    }

    @Test(
        "are not missed where the device has stored them, or they were purged",
        arguments: [1, 2]
    )
    func notMissed(_ which: Int) throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        if which == 1 { device.read() }
        device.cut()
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        hub.damaged = [1]
        if which == 2 { hub.run(Purge(.through(1))) }
        try device.reconnect()
        device.read()
        #expect(device.alerts.last == "2" && device.gaps.isEmpty)
    }
}
