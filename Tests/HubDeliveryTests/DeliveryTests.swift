import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Fan-out, windows and slow readers")
struct DeliveryTests {
    @Test("a turn costs one selection a notification, one parcel a variant, one write a device")
    func batched() throws {
        let hub = try WholeHub(shards: 2)
        var devices: [ScriptedDevice] = []
        for number in 0..<10 {
            let device = ScriptedDevice(hub, shard: number % 2)
            if number >= 6 { device.capabilities = [.receipts] }
            try device.hello()
            try device.register(tags: ["a"])
            devices.append(device)
        }
        let before = hub.shards.map { ($0.loop.core.totals, $0.output.writes) }
        for number in 0..<8 { hub.queue(try WholeHub.apple("n\(number)", tags: "a")) }
        hub.runUntilIdle()
        for device in devices { device.read() }
        for device in devices { #expect(device.alerts == (0..<8).map { "n\($0)" }) }
        var parcels: UInt64 = 0
        for (shard, (totals, writes)) in zip(hub.shards, before) {
            let now = shard.loop.core.totals
            #expect(now.selections - totals.selections == 8)
            #expect(shard.output.writes - writes == 5)
            #expect(now.deliveries - totals.deliveries == 40)
            parcels += now.parcelsMade - totals.parcelsMade
        }
        // Two variants: with the dictionary and without any compression.
        #expect(parcels == 16)
    }

    @Test("a direct send proves the handles of devices that are connected, and no others")
    func directSends() throws {
        let hub = try WholeHub(shards: 2)
        let here = ScriptedDevice(hub, shard: 0)
        try here.hello()
        let away = ScriptedDevice(hub, shard: 1)
        try away.hello()
        let awayHandle = away.handle
        away.cut()
        let forged = here.handle.dropLast(32) + Array(repeating: UInt8(ascii: "0"), count: 32)
        let strangers = (0..<100).map { number in
            Array("\(String(repeating: "AB", count: 30))\(1_000 + number)".utf8)
        }
        var draft = try WholeHub.apple("you")
        draft.target = .handles(strangers + [awayHandle, here.handle, Array(forged)])
        hub.run(Send(draft))
        here.read()
        #expect(here.alerts == ["you"])
        #expect(hub.shards.map { $0.loop.core.totals.handlesProven } == [2, 0])
    }

    @Test("a store that refuses lets no acceptance and no delivery out")
    func refusedStore() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.disk.setFaults(MemoryFaults(records: .full))
        let refused = hub.run(Send(try WholeHub.apple("never", tags: "a")))
        device.read()
        #expect(device.entries == [])
        guard case .failure(.storeFull) = refused else {
            Issue.record("answered \(String(describing: refused))")
            return
        }
        hub.disk.setFaults(MemoryFaults())
        hub.run(Send(try WholeHub.apple("stored", tags: "a")))
        device.read()
        #expect(device.alerts == ["stored"])
        #expect(device.entries.first?.sequence == 1)
    }

    @Test("the window holds back what the device did not acknowledge, and says that more waits")
    func window() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        device.windowMessages = 2
        try device.hello()
        try device.register(tags: ["a"])
        for number in 1...5 { hub.queue(try WholeHub.apple("\(number)", tags: "a")) }
        hub.runUntilIdle()
        device.read()
        #expect(device.alerts == ["1", "2"])
        #expect(device.delivers.last.map { $0.backlog > 0 } == true)
        device.acknowledge(1)
        #expect(device.alerts == ["1", "2", "3"])
        device.acknowledge()
        #expect(device.alerts == ["1", "2", "3", "4", "5"])
        #expect(device.delivers.last?.backlog == 0)
        device.acknowledge()
        hub.run(Send(try WholeHub.apple("6", tags: "a")))
        device.read()
        #expect(device.alerts.last == "6")
        #expect(hub.shards[0].loop.core.sessionCounts.live == 1)
    }

    @Test("a device that does not read owns no queue and gets everything in order afterwards")
    func slowReader() throws {
        let hub = try WholeHub()
        let slow = try ScriptedDevice.registered(hub, tags: ["a"])
        let quick = try ScriptedDevice.registered(hub, tags: ["a"])
        let wires = hub.shards[0].output
        wires.full.insert(slow.address.connection.slot)
        for number in 0..<300 {
            hub.run(Send(try WholeHub.apple("\(number)", tags: "a")))
            quick.read()
            // A device acknowledges in groups; one frame for each would be over its rate.
            if number % 10 == 9 { quick.acknowledge() }
        }
        #expect(wires.written[slow.address.connection.slot] == nil)
        #expect(hub.shards[0].loop.core.totals.fellBehind == 1)
        wires.full = []
        hub.shards[0].loop.core.writable(slow.address.connection, now: hub.now)
        for _ in 0..<40 {
            hub.runUntilIdle()
            slow.read()
            slow.acknowledge()
        }
        let all = (0..<300).map { "\($0)" }
        #expect(quick.alerts == all)
        #expect(slow.alerts == all)
    }

    @Test("a group larger than a turn is split over turns and stays one notification")
    func largeGroup() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        var random = SeededRandom(seed: 5)
        let noise = (0..<6_000).map { _ in
            "abcdefghijklmnopqrstuvwxyz0123456789".randomElement(using: &random) ?? "x"
        }
        for slot in 0..<14 {
            let body = #"{"aps":{"alert":"{'\#(slot) ' + $(m)}"}}"#
            let template = TemplateMessage(name: "t\(slot)", body: Array(body.utf8))
            try device.register(slot: UInt16(slot), tags: ["a"], template: template)
        }
        let draft = NotificationDraft(
            format: .template,
            target: .broadcast,
            body: Array(#"{"m":"\#(String(noise))"}"#.utf8),
            timeToLive: .seconds(60)
        ).asRead
        hub.run(Send(draft))
        device.read()
        #expect(device.entries.map(\.slot) == Array(0..<14))
        #expect(Set(device.entries.map(\.sequence)) == [1])
        #expect(device.position.sequence == 1)
        #expect(device.delivers.allSatisfy { $0.previous == 0 })
        hub.run(Send(try WholeHub.apple("native only")))
        #expect(device.errors == [])
    }

    @Test("a shard that falls out of the feed loads its sessions again and loses nothing")
    func feedLost() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        device.read()
        hub.holdsBackFeed = true
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        hub.run(Send(try WholeHub.apple("3", tags: "b")))
        let check = try #require(try hub.store.reader.check(at: 3))
        hub.heldBack = [(0, .feedLost(head: 3, check: check))]
        hub.releaseFeed()
        hub.runUntilIdle()
        device.read()
        #expect(device.alerts == ["1", "2"])
        hub.run(Send(try WholeHub.apple("4", tags: "a")))
        device.read()
        #expect(device.alerts == ["1", "2", "4"])
    }

    @Test("a dozing device is woken by a high-priority notification only, then gets all in order")
    func doze() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 32, appState: 3)
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        device.read()
        #expect(device.alerts == [])
        hub.run(Send(try WholeHub.apple("2", tags: "a", priority: .high)))
        device.read()
        #expect(device.alerts == ["1", "2"])
    }

    @Test(
        "whatever is sent, changed, cut and resumed: each device gets exactly what matched, in order",
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) throws {
        var run = try RandomRun(seed: seed)
        try run.steps(120)
        try run.finish()
        #expect(run.violations == [], "seed \(seed)")
    }
}
