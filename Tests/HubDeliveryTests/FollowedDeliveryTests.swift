import HubDelivery
import HubDirectory
@testable import HubHarness
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Notifications whose way is told")
struct FollowedDeliveryTests {
    private static func traced(_ hub: WholeHub, _ text: String) throws -> NotificationDraft {
        var draft = try WholeHub.apple(text, tags: "World")
        draft.trace = RequestTrace(id: (1, 2), span: 3, parent: nil, now: hub.now)
        return draft
    }

    private static func devices(_ count: Int, _ hub: WholeHub) throws -> [ScriptedDevice] {
        try (0..<count).map { number in
            let device = ScriptedDevice(hub, shard: number % hub.shards.count)
            try device.hello()
            try device.register(tags: ["World"])
            return device
        }
    }

    /// The kinds of steps of a notification.
    private static func words(_ steps: [DeliveryStep], of sequence: UInt64? = nil) -> [String] {
        steps.filter { sequence == nil || $0.sequence == sequence }.map { step in
            switch step.kind {
            case .selected(let count): "selected \(count)"
            case .sent: "sent"
            case .acknowledged: "acknowledged"
            }
        }
    }

    @Test("are those of traced requests, from each shard's selection to acknowledgements")
    func told() throws {
        let hub = try WholeHub(shards: 2)
        let devices = try Self.devices(3, hub)
        hub.run(Send(try WholeHub.apple("plain", tags: "World")))
        for device in devices {
            device.read()
            device.acknowledge()
        }
        #expect(hub.steps.isEmpty)
        let name = try hub.send(try Self.traced(hub, "traced"))
        let began = hub.now.instant
        hub.advance(milliseconds: 300)
        for device in devices.dropLast() {
            device.read()
            device.acknowledge()
        }
        #expect(
            Self.words(hub.steps).sorted() == [
                "acknowledged", "acknowledged", "selected 1", "selected 2", "sent", "sent", "sent",
            ]
        )
        #expect(hub.steps.allSatisfy { $0.sequence == name.sequence && $0.trace?.span == 3 })
        for step in hub.steps {
            guard case .acknowledged(_, let sent) = step.kind else { continue }
            #expect(sent == began)
            #expect(step.at.milliseconds(since: sent) == 300)
        }
    }

    @Test("are told of a device that comes back to them, and not of one that they are not for")
    func caughtUp() throws {
        let hub = try WholeHub()
        let devices = try Self.devices(2, hub)
        let other = ScriptedDevice(hub)
        try other.hello()
        try other.register(tags: ["Sports"])
        devices[1].cut()
        hub.run(Send(try Self.traced(hub, "traced")))
        hub.run(Send(try WholeHub.apple("sports", tags: "Sports")))
        other.read()
        other.acknowledge()
        #expect(Self.words(hub.steps) == ["selected 1", "sent"])
        try devices[1].reconnect()
        devices[1].read()
        devices[1].acknowledge()
        #expect(Self.words(hub.steps) == ["selected 1", "sent", "sent", "acknowledged"])
    }

    @Test("tell of as many devices as the limit says")
    func devicesMax() throws {
        let most = SessionLimits().followedDevicesMax
        for count in [most - 1, most, most + 1] {
            let hub = try WholeHub()
            let devices = try Self.devices(count, hub)
            hub.run(Send(try Self.traced(hub, "traced")))
            for device in devices {
                device.read()
                device.acknowledge()
            }
            let words = Self.words(hub.steps)
            #expect(words.count { $0 == "sent" } == min(count, most), "\(count)")
            #expect(words.count { $0 == "acknowledged" } == min(count, most), "\(count)")
        }
    }

    @Test("are the newest ones up to a limit: the oldest is told no further")
    func notificationsMax() throws {
        let most = SessionLimits().followedNotificationsMax
        for count in [most - 1, most, most + 1] {
            let hub = try WholeHub()
            let device = try Self.devices(1, hub)[0]
            let names = try (0..<count).map { try hub.send(try Self.traced(hub, "\($0)")) }
            // As often as the device's window makes it.
            for _ in 0..<count {
                device.read()
                device.acknowledge()
            }
            let first = Self.words(hub.steps, of: names[0].sequence)
            let last = Self.words(hub.steps, of: names[count - 1].sequence)
            #expect(first.contains("acknowledged") == (count <= most), "\(count)")
            #expect(last.contains("acknowledged"), "\(count)")
        }
    }

    @Test("keep a test, whatever number of traced ones follow it")
    func tests() throws {
        let hub = try WholeHub()
        let device = try Self.devices(1, hub)[0]
        let id = DeviceID(high: device.id.high, low: device.id.low)
        var draft = try WholeHub.apple("test", tags: "World")
        draft.target = .slots([RegistrationTarget(device: id, slot: 0)])
        let test = try hub.send(draft)
        for number in 0..<(SessionLimits().followedNotificationsMax + 1) {
            hub.run(Send(try Self.traced(hub, "\(number)")))
        }
        device.read()
        device.acknowledge()
        #expect(Self.words(hub.steps, of: test.sequence).contains("acknowledged"))
    }
}
