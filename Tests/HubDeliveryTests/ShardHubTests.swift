import HubDelivery
import HubDirectory
@testable import HubHarness
import HubModel
import HubRules
import HubVocabulary
import HubWire
import Testing

@Suite("Hubs on a shard")
struct ShardHubTests {
    private static func configuration(_ name: String, secret: UInt8 = 7) throws
        -> ShardHubConfiguration
    {
        ShardHubConfiguration(
            name: try #require(HubName(name)),
            secret: try #require(HubSecret(Array(repeating: secret, count: 32))),
            bounds: LogBounds(
                epoch: 1,
                first: 1,
                head: 0,
                epochs: [LogPlace(epoch: 1, sequence: 1)]
            ),
            headCheck: 0
        )
    }

    @Test("end with every session, in whatever state, and what their directory says is passed over")
    func closed() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: ["World"])
        let silent = ScriptedDevice(hub)
        let delivered = hub.shards[0].loop.core.totals
        hub.shards[0].loop.core.close(hub.hub, now: hub.now)
        hub.runUntilIdle()
        device.read()
        silent.read()
        #expect(device.errors.map(\.code) == [ErrorNumber.unknownHub.rawValue])
        #expect(device.errors.first?.isFatal == true)
        #expect(hub.closed.map(\.connection) == [device.address.connection])
        #expect(silent.errors.isEmpty)
        // The feed of a hub that is no more reaches no device, and counts stay.
        hub.run(Send(try WholeHub.apple("late", tags: "World")))
        device.read()
        #expect(device.alerts.isEmpty)
        let after = hub.shards[0].loop.core.totals
        #expect(after.framesReceived == delivered.framesReceived)
        #expect(after.errors[.unknownHub] == 1)
        let late = ScriptedDevice(hub)
        try late.hello()
        #expect(late.errors.map(\.code) == [ErrorNumber.unknownHub.rawValue])
        let counts = hub.shards[0].loop.core.sessionCounts
        #expect(counts.live + counts.catchingUp == 0)
    }

    @Test("can be opened again under their name, with another secret, in the place that is free")
    func opened() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        hub.shards[0].loop.core.close(hub.hub, now: hub.now)
        hub.shards[0].loop.core.open(
            try Self.configuration(WholeHub.name, secret: 8),
            now: hub.now
        )
        hub.shards[0].loop.core.open(try Self.configuration("second"), now: hub.now)
        hub.runUntilIdle()
        device.read()
        // The key was made with the old secret.
        let again = ScriptedDevice(hub)
        again.id = device.id
        again.key = device.key
        try again.hello()
        #expect(again.errors.map(\.code) == [ErrorNumber.authFailed.rawValue])
        let new = ScriptedDevice(hub)
        try new.hello()
        #expect(new.welcome != nil)
        #expect(new.welcome?.handle != device.welcome?.handle)
    }

    @Test("leave nothing uncounted to a hub that gets their name later")
    func inheritNothing() throws {
        let hub = try WholeHub()
        let first = try Self.configuration("first")
        let second = try Self.configuration("second")
        hub.shards[0].loop.core.open(first, now: hub.now)
        hub.shards[0].loop.core.open(second, now: hub.now)
        let record = NotificationRecord(
            sequence: 1,
            id: NotificationID(high: 1, low: 1),
            draft: try WholeHub.apple("old", tags: "World")
        )
        let item = FeedItem(
            number: 1,
            changes: [],
            records: [record],
            head: 1,
            headCheck: 1,
            durable: hub.now.instant
        )
        hub.shards[0].loop.core.receive(.feed(item), of: first.name, now: hub.now)
        hub.shards[0].loop.core.close(first.name, now: hub.now)
        hub.shards[0].loop.core.close(second.name, now: hub.now)
        // Its new place is the one that was left last.
        hub.shards[0].loop.core.open(first, now: hub.now)
        hub.shards[0].loop.core.actions = []
        hub.now.instant = hub.now.instant.adding(milliseconds: 60_000)
        hub.shards[0].loop.core.requestPages(now: hub.now)
        hub.shards[0].loop.core.tick(now: hub.now)
        for action in hub.shards[0].loop.core.actions {
            if case .directory(let name, .progress(let report)) = action {
                Issue.record("\(name) is told of \(report)")
            }
        }
    }

    @Test("take tokens by the rules that hold now")
    func policies() throws {
        let hub = try WholeHub()
        let none = try AccessPolicies(names: ["localhost"], namespace: [], hubs: [hub.hub: []])
        hub.shards[0].loop.core.use(none)
        let device = ScriptedDevice(hub)
        try device.hello()
        #expect(device.welcome == nil)
        #expect(device.errors.map(\.code) == [ErrorNumber.authFailed.rawValue])
    }
}
