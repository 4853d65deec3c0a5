import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Sessions of devices")
struct SessionTests {
    @Test("a token makes a new identity with key and handle, from nothing to WELCOME")
    func firstConnection() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        let welcome = try #require(device.welcome)
        #expect(welcome.resume == .fresh)
        #expect(welcome.deviceKey.count == 32)
        #expect(welcome.handle.count == 32)
        #expect(welcome.position.sequence == 0)
        #expect(welcome.position.epoch == hub.store.bounds.epoch)
    }

    @Test("WELCOME is followed now and then by a frame that no version knows. [V-4]")
    func unusedFrames() throws {
        for (oneIn, expected) in [(1, 30...30), (0, 0...0), (3, 4...16)] {
            var limits = SessionLimits()
            limits.unusedFrameOneIn = UInt64(oneIn)
            let hub = try WholeHub(limits: limits)
            var count = 0
            for _ in 0..<30 {
                let device = try ScriptedDevice.registered(hub, tags: ["a"])
                #expect(device.results.map(\.status) == [0])
                count += device.unusedFrames
            }
            #expect(expected.contains(count), "one in \(oneIn): \(count) of 30")
        }
    }

    @Test("what no version knows in HELLO and behind it changes nothing. [V-3] [V-4]")
    func unusedOfDevice() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        device.capabilities = Capabilities.known.union(.unused(7))
        try device.hello()
        #expect(device.welcome?.capabilities == .known)
        var bytes: [UInt8] = []
        UnusedFrame.encode(0x1234_5678_9ABC_DEF0, into: &bytes)
        device.send(bytes)
        try device.register(tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        device.read()
        #expect(device.alerts == ["1"] && device.errors == [])
    }

    @Test("a send reaches the device that subscribed and no other")
    func delivers() throws {
        let hub = try WholeHub(shards: 2)
        let subscribed = try ScriptedDevice.registered(hub, shard: 0, tags: ["World", "Sports"])
        let other = try ScriptedDevice.registered(hub, shard: 1, tags: ["Politics"])
        #expect(subscribed.results.map(\.status) == [0])
        let reply = hub.run(Send(try WholeHub.apple("peace", tags: "world && !Politics")))
        let sequence = try #require(reply).get().sequence
        subscribed.read()
        other.read()
        #expect(subscribed.alerts == ["peace"])
        #expect(subscribed.entries.first?.sequence == sequence)
        #expect(other.entries == [])
    }

    @Test("a reconnect proves the key and goes on where the device stopped")
    func resumes() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        device.read()
        device.cut()
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        hub.run(Send(try WholeHub.apple("other", tags: "b")))
        hub.run(Send(try WholeHub.apple("3", tags: "a")))
        try device.reconnect()
        #expect(device.welcome?.resume == .resumed)
        #expect(device.welcome?.deviceKey == [])
        #expect(device.alerts == ["1", "2", "3"])
        #expect(device.delivers.last?.backlog == 0)
    }

    @Test("a device that lost its position starts where the hub last heard of it")
    func freshAgain() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        device.read()
        device.acknowledge(1)
        device.cut()
        device.position = .none
        try device.reconnect()
        #expect(device.welcome?.resume == .fresh)
        #expect(device.welcome?.position.sequence == 1)
        #expect(device.alerts == ["1", "2", "2"])
        // [D-6]: the one that was sent before says so.
        #expect(device.entries.map { $0.flags & DeliverFlag.redelivered } == [0, 0, 1])
    }

    @Test("a position of another history is a RESET, and nothing owed is lost")
    func reset() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        device.read()
        device.acknowledge()
        device.cut()
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        device.position.check ^= 1
        try device.reconnect()
        #expect(device.welcome?.resume == .reset)
        #expect(device.alerts.last == "2")
        #expect(hub.events.contains(.historyForkSuspected))
    }

    @Test("tags count as they were when the notification was accepted")
    func asOfAcceptance() throws {
        let hub = try WholeHub()
        let away = try ScriptedDevice.registered(hub, tags: ["old"])
        away.window(messages: 0)
        hub.run(Send(try WholeHub.apple("owed", tags: "old")))
        hub.run(Send(try WholeHub.apple("not yet", tags: "new")))
        try away.patch(add: ["new"], remove: ["old"])
        hub.run(Send(try WholeHub.apple("now", tags: "new")))
        hub.run(Send(try WholeHub.apple("no more", tags: "old")))
        away.read()
        #expect(away.alerts == [])
        away.window(messages: 32)
        #expect(away.alerts == ["owed", "now"])
    }

    @Test("a registration gets nothing that was accepted before it")
    func nothingOlder() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        hub.run(Send(try WholeHub.apple("before", tags: "a")))
        try device.register(tags: ["a"])
        device.cut()
        hub.run(Send(try WholeHub.apple("after", tags: "a")))
        try device.reconnect()
        #expect(device.alerts == ["after"])
    }

    @Test("an unchanged registration writes nothing and keeps its etag")
    func unchanged() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a", "b"])
        try device.register(tags: ["a", "b"])
        #expect(device.results.count == 2)
        #expect(device.results[0].etag == device.results[1].etag)
        #expect(device.results[0].etag != 0)
        device.cut()
        try device.reconnect()
        #expect(device.welcome?.etag == device.results[0].etag)
    }

    @Test("several registrations of a device are one group, identical parcels one entry")
    func groups() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(slot: 3, tags: ["a"])
        try device.register(slot: 1, tags: ["a"])
        hub.run(Send(try WholeHub.apple("native", tags: "a")))
        device.read()
        #expect(device.entries.map(\.slot) == [1])
        let first = TemplateMessage(name: "x", body: Array(#"{"aps":{"alert":"$(m)"}}"#.utf8))
        let second = TemplateMessage(
            name: "y",
            body: Array(#"{"aps":{"alert":"{'! ' + $(m)}"}}"#.utf8)
        )
        try device.register(slot: 5, tags: ["a"], template: first)
        try device.register(slot: 4, tags: ["a"], template: second)
        device.entries = []
        let bag = Array(#"{"m":"hi"}"#.utf8)
        let draft = NotificationDraft(
            format: .template,
            target: .tags(try TagExpression(parsing: Array("a".utf8))),
            body: bag,
            timeToLive: .seconds(60)
        ).asRead
        hub.run(Send(draft))
        device.read()
        #expect(device.entries.map(\.slot) == [4, 5])
        #expect(device.alerts == ["! hi", "hi"])
        #expect(
            device.entries.map { $0.flags & DeliverFlag.continues } == [DeliverFlag.continues, 0]
        )
    }

    @Test("time to live 0 reaches who is there and nobody later")
    func transient() throws {
        let hub = try WholeHub()
        let here = try ScriptedDevice.registered(hub, tags: ["a"])
        let away = try ScriptedDevice.registered(hub, tags: ["a"])
        away.cut()
        hub.run(Send(try WholeHub.apple("now or never", tags: "a", timeToLive: .transient)))
        here.read()
        try away.reconnect()
        #expect(here.alerts == ["now or never"])
        #expect(here.entries.first?.sequence == nil)
        #expect(away.alerts == [])
    }

    @Test("what has expired while a device was away is not delivered")
    func expires() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        hub.run(Send(try WholeHub.apple("short", tags: "a", timeToLive: .seconds(5))))
        hub.run(Send(try WholeHub.apple("long", tags: "a")))
        hub.advance(milliseconds: 6_000)
        try device.reconnect()
        #expect(device.alerts == ["long"])
    }

    @Test("a direct send reaches the device that holds the handle, live or later")
    func direct() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        var draft = try WholeHub.apple("you")
        draft.target = .handles([device.handle, Array(repeating: 0x41, count: 64)])
        hub.run(Send(draft))
        device.read()
        #expect(device.alerts == ["you"])
        #expect(device.entries.first?.slot == 0xFFFF)
        device.acknowledge()
        device.cut()
        hub.run(Send(draft))
        try device.reconnect()
        #expect(device.alerts == ["you", "you"])
    }

    @Test("a protected or reserved tag is refused by name, and nothing of the request holds")
    func protectedTags() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["ok", "Username:alice"])
        try device.register(tags: ["$UserId:{alice}"])
        let forbidden = ErrorNumber.forbidden.rawValue
        #expect(device.results.map(\.status) == [forbidden, forbidden])
        #expect(device.results[0].detail.contains("Username:alice"))
        hub.run(Send(try WholeHub.apple("x", tags: "ok")))
        device.read()
        #expect(device.alerts == [])
    }
}
