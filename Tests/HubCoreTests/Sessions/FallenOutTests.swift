import HubCore
import HubStore
import HubTags
import HubWire
import Testing

@Suite("Shards that fell out of the feed, far-behind sessions, sessions that leave no trace")
struct FallenOutTests {
    @Test("a session whose registrations are loaded again is not live before they have come")
    func reloadOfChangesOnly() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: ["a"])
        hub.holdsBackFeed = true
        try device.patch(add: ["b"])
        // The item with the change is left out of the feed; the head has not moved.
        hub.heldBack = [(0, .feedLost(head: 0))]
        hub.holdsBackFeed = false
        hub.shards[0].core.receive(.feedLost(head: 0), of: hub.hub, now: hub.now)
        hub.heldBack = []
        // A frame of the device makes the shard flush it while the directory is asked.
        device.ping()
        hub.run(.send(try WholeHub.apple("1", tags: "a")))
        hub.run(.send(try WholeHub.apple("2", tags: "b")))
        device.read()
        #expect(device.alerts == ["1", "2"])
    }
}
