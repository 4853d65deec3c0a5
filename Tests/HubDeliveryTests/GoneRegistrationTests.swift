import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Registrations that are deleted while something waits for them")
struct GoneRegistrationTests {
    private func send(_ hub: WholeHub, _ text: String, tags: String) throws {
        hub.run(Send(try WholeHub.apple(text, tags: tags)))
    }

    @Test("get nothing of what waits, and neither does what is registered in their slot")
    func whileHeld() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        try device.register(slot: 1, tags: ["b"])
        device.window(messages: 0)
        try send(hub, "old", tags: "a")
        try send(hub, "other", tags: "b")
        device.unregister(slot: 0)
        try device.register(slot: 0, tags: ["a"])
        try send(hub, "new", tags: "a")
        device.window(messages: 8)
        device.acknowledge()
        #expect(device.alerts == ["other", "new"])
        #expect(device.entries.map(\.slot) == [1, 0])
        #expect(hub.shards[0].loop.core.sessionCounts.live == 1)
    }

    @Test("leave what waits to another registration that matches with the same bytes")
    func twins() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        try device.register(slot: 1, tags: ["a"])
        device.window(messages: 0)
        try send(hub, "both", tags: "a")
        device.unregister(slot: 0)
        device.window(messages: 8)
        #expect(device.alerts == ["both"])
        #expect(device.entries.map(\.slot) == [1])
    }

    @Test("get nothing of the turn in which they are deleted")
    func withinTurn() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        try device.register(slot: 1, tags: ["b"])
        hub.holdsBackFeed = true
        hub.queue(try WholeHub.apple("old", tags: "a"))
        hub.queue(try WholeHub.apple("other", tags: "b"))
        hub.runUntilIdle()
        device.unregister(slot: 0)
        try device.register(slot: 0, tags: ["a"])
        hub.releaseFeed()
        device.read()
        #expect(device.alerts == ["other"])
        try send(hub, "new", tags: "a")
        device.read()
        #expect(device.alerts == ["other", "new"])
    }

    @Test("get nothing of what waits when a shard that fell out of the feed loads them again")
    func whileReloading() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 0)
        try send(hub, "old", tags: "a")
        hub.holdsBackFeed = true
        device.unregister(slot: 0)
        let head = hub.store.bounds.head
        let check = try #require(try hub.store.reader.check(at: head))
        hub.heldBack = [(0, .feedLost(head: head, check: check))]
        hub.releaseFeed()
        device.window(messages: 8)
        #expect(device.entries == [])
        #expect(hub.shards[0].loop.core.sessionCounts.live == 1)
    }
}

@Suite("Sessions that read the log")
struct ReaderTests {
    @Test("are looked at when something new is in it, those that are live are not")
    func lookedAt() throws {
        let hub = try WholeHub()
        var devices: [ScriptedDevice] = []
        for number in 0..<6 {
            devices.append(
                try ScriptedDevice.registered(hub, exporter: UInt8(number), tags: ["a"])
            )
        }
        func looks(_ text: String) throws -> UInt64 {
            let before = hub.shards[0].loop.core.totals.reads.readersLookedAt
            hub.run(Send(try WholeHub.apple(text, tags: "a")))
            for device in devices { device.read() }
            return hub.shards[0].loop.core.totals.reads.readersLookedAt - before
        }
        #expect(try looks("1") == 0)
        for device in devices[..<3] { device.window(messages: 0) }
        // It makes them step back.
        #expect(try looks("2") == 0)
        #expect(try looks("3") == 3)
        devices[1].cut()
        #expect(try looks("4") == 2)
        devices[0].window(messages: 8)
        devices[0].acknowledge()
        #expect(try looks("5") == 1)
        try devices[1].reconnect()
        devices[2].window(messages: 8)
        #expect(try looks("6") == 0)
        for device in devices {
            #expect(device.alerts == (1...6).map(String.init))
        }
        #expect(hub.shards[0].loop.core.sessionCounts.live == 6)
    }

    @Test("that end while they wait for a page say that nobody waits for it any more")
    func endedWhileReading() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        hub.holdsBackReads = true
        for _ in 0..<3 {
            try device.reconnect()
            #expect(hub.heldReads.count == 1)
            device.cut()
            #expect(hub.heldReads.isEmpty)
        }
    }

    @Test("that stop in front of transient notifications count them as missed")
    func transientBehindStop() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        device.windowMessages = 1
        try device.hello()
        try device.register(tags: ["a"])
        hub.queue(try WholeHub.apple("1", tags: "a"))
        hub.queue(try WholeHub.apple("2", tags: "a"))
        hub.queue(try WholeHub.apple("now", tags: "a", timeToLive: .transient))
        hub.runUntilIdle()
        device.read()
        #expect(device.alerts == ["1"])
        try hub.report()
        let counts = CounterTable(try hub.store.counters(of: 3))
        #expect(counts[.apple, .matched] == 1 && counts[.apple, .missed] == 1)
        #expect(hub.shards[0].loop.core.totals.unwritten.transientMissed == 1)
    }

    @Test("whose socket is full miss the transient notifications of the turn")
    func transientAndFullSocket() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.shards[0].output.full.insert(device.address.connection.slot)
        hub.run(Send(try WholeHub.apple("now", tags: "a", timeToLive: .transient)))
        try hub.report()
        #expect(CounterTable(try hub.store.counters(of: 1))[.apple, .missed] == 1)
    }

    @Test("count what is not sent once, also when another connection takes over before they report")
    func takeover() throws {
        let hub = try WholeHub(shards: 2, deviceCap: 3)
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        for number in 1...7 { hub.run(Send(try WholeHub.apple("\(number)", tags: "a"))) }
        device.windowMessages = 0
        for (shard, exporter) in [(0, 2), (1, 3), (0, 4)] {
            try device.reconnect(shard: shard, exporter: UInt8(exporter))
        }
        try hub.report()
        for sequence in UInt64(1)...7 {
            let counts = CounterTable(try hub.store.counters(of: sequence))
            #expect(counts[.apple, .capped] == (sequence <= 4 ? 1 : 0), "place \(sequence)")
        }
    }
}
