import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubWire
import Testing

@Suite("What is cut of a missed set is announced once, whatever a device does meanwhile")
struct CutOnceTests {
    private func send(_ hub: WholeHub, _ text: String, seconds: UInt32 = 3_600) throws {
        let draft = try WholeHub.apple(text, tags: "a", timeToLive: .seconds(seconds))
        hub.run(Send(draft))
    }

    private func gap(_ hub: WholeHub, from: UInt64, to: UInt64, lost: UInt32) throws -> GapFrame {
        GapFrame(
            from: from,
            to: to,
            lost: lost,
            check: try #require(try hub.store.reader.check(at: to)),
            reason: .deviceCap
        )
    }

    @Test("a page that comes when the device has closed its window is read again, and counted once")
    func windowClosedWhileReading() throws {
        let hub = try WholeHub(deviceCap: 3)
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 0)
        for text in ["h1", "h2"] { try send(hub, text, seconds: 2) }
        for number in 3...7 { try send(hub, "\(number)") }
        hub.holdsBackReads = true
        // Dozing: what is held stays, and there is room for more.
        device.window(messages: 8, appState: 3)
        device.window(messages: 0, appState: 3)
        hub.answerReads()
        hub.holdsBackReads = false
        hub.advance(milliseconds: 3_000)
        device.window(messages: 8)
        #expect(device.gaps == [try gap(hub, from: 0, to: 4, lost: 2)])
        #expect(device.alerts == ["5", "6", "7"])
        device.acknowledge()
        #expect(hub.shards[0].loop.core.sessionCounts.live == 1)
        #expect(hub.shards[0].loop.core.totals.unwritten.capped == 2)
    }

    @Test("a cap that is raised between two pages brings nothing back of what the first has cut")
    func capRaisedBetweenPages() throws {
        let hub = try WholeHub(deviceCap: 3)
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        let count = LogQuery.pageMatchesMax + 10
        for number in 1...count { hub.queue(try WholeHub.apple("\(number)", tags: "a")) }
        hub.runUntilIdle()
        hub.holdsBackReads = true
        try device.reconnect()
        hub.answerReads()
        var change = HubSettingsChange()
        change.deviceCap = 10_000
        hub.run(ChangeSettings(change))
        hub.holdsBackReads = false
        hub.answerReads()
        device.read()
        for _ in 0..<3 { device.acknowledge() }
        let kept = count - 3
        #expect(device.gaps == [try gap(hub, from: 0, to: UInt64(kept), lost: UInt32(kept))])
        #expect(device.alerts == (kept + 1...count).map(String.init))
    }

    @Test("newest notifications that expire between two pages leave what was cut cut")
    func expiryBetweenPages() throws {
        let hub = try WholeHub(deviceCap: 3)
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        let count = LogQuery.pageMatchesMax + 10
        for number in 1...count {
            let isNewest = number > count - 3
            hub.queue(
                try WholeHub.apple(
                    "\(number)",
                    tags: "a",
                    timeToLive: .seconds(isNewest ? 2 : 3_600)
                )
            )
        }
        hub.runUntilIdle()
        hub.holdsBackReads = true
        try device.reconnect()
        hub.answerReads()
        hub.advance(milliseconds: 2_100)
        hub.holdsBackReads = false
        hub.answerReads()
        device.read()
        let kept = count - 3
        #expect(device.gaps == [try gap(hub, from: 0, to: UInt64(kept), lost: UInt32(kept))])
        #expect(device.alerts == [])
        #expect(hub.shards[0].loop.core.sessionCounts.live == 1)
    }
}
