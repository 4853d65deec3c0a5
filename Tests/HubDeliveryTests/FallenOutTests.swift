import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubParcel
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Shards that fell out of the feed, far-behind sessions, sessions that leave no trace")
struct FallenOutTests {
    @Test("a session whose registrations are loaded again is not live before they have come")
    func reloadOfChangesOnly() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.holdsBackFeed = true
        try device.patch(add: ["b"])
        // The item with the change is left out of the feed; the head has not moved.
        hub.heldBack = [(0, .feedLost(head: 0, check: 0))]
        hub.holdsBackFeed = false
        hub.shards[0].loop.core.receive(.feedLost(head: 0, check: 0), of: hub.hub, now: hub.now)
        hub.heldBack = []
        // A frame of the device makes the shard flush it while the directory is asked.
        device.ping()
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        hub.run(Send(try WholeHub.apple("2", tags: "b")))
        device.read()
        #expect(device.alerts == ["1", "2"])
    }

    @Test("a session whose shard falls out of the feed twice in a row gets what comes after")
    func lostTwice() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        device.read()
        // The first answer makes the session live before the second one comes.
        let check = try #require(try hub.store.reader.check(at: 1))
        for _ in 1...2 {
            hub.shards[0].loop.core.receive(
                .feedLost(head: 1, check: check),
                of: hub.hub,
                now: hub.now
            )
        }
        hub.runUntilIdle()
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        device.read()
        #expect(device.alerts == ["1", "2"])
    }

    @Test("a device ahead of its shard's feed survives that the shard falls out of it")
    func aheadOfTheFeed() throws {
        let hub = try WholeHub(shards: 2)
        let device = try ScriptedDevice.registered(hub, shard: 0, tags: ["a"])
        hub.holdsBackFeed = true
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        let feed = hub.heldBack.filter { $0.shard == 0 }
        hub.heldBack = feed
        hub.releaseFeed()
        device.read()
        device.acknowledge()
        #expect(device.alerts == ["1"])
        device.cut()
        // Shard 1 has not seen notification 1, and never will by the feed.
        try device.reconnect(shard: 1)
        let check = try #require(try hub.store.reader.check(at: 1))
        hub.shards[1].loop.core.receive(.feedLost(head: 1, check: check), of: hub.hub, now: hub.now)
        hub.runUntilIdle()
        device.read()
        #expect(device.alerts == ["1"])
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        device.read()
        #expect(device.alerts == ["1", "2"])
    }

    @Test("what a shard says of the place where it lost the feed is true")
    func checkOfLostHead() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        // So far that the next notification cannot be reached by a delta.
        let head = UInt64(UInt32.max) + 5
        let shard = hub.shards[0]
        shard.loop.core.receive(.feedLost(head: head, check: 0xFEED), of: hub.hub, now: hub.now)
        hub.runUntilIdle()
        #expect(shard.loop.core.sessionCounts.live == 1)
        var random = SeededRandom(seed: 1)
        var ids = NotificationIDMaker()
        let record = NotificationRecord(
            sequence: head + 1,
            id: ids.make(now: hub.now.time, random: &random),
            draft: try WholeHub.apple("far", tags: "a")
        )
        let item = FeedItem(
            number: 1,
            changes: [],
            records: [record],
            head: record.sequence,
            headCheck: record.id.check,
            durable: hub.now.instant
        )
        shard.loop.core.receive(.feed(item), of: hub.hub, now: hub.now)
        shard.loop.core.flush(into: shard.output, now: hub.now)
        shard.loop.core.requestPages(now: hub.now)
        guard case .readLog(_, let query)? = shard.loop.core.actions.last, query.after == head
        else {
            Issue.record("\(shard.loop.core.actions)")
            return
        }
        let page = LogPage(
            address: device.address,
            ticket: query.ticket,
            records: [record],
            through: record.sequence
        )
        shard.loop.core.receive(.page(page), of: hub.hub, now: hub.now)
        shard.loop.core.flush(into: shard.output, now: hub.now)
        device.read()
        let moved = GapFrame(from: 0, to: head, lost: 0, check: 0xFEED, reason: .moved)
        #expect(device.gaps == [moved])
        #expect(device.alerts == ["far"])
    }

    @Test("a turn reads so many pages and no more, whoever is behind; the rest follows")
    func pagesOfATurn() throws {
        var limits = SessionLimits()
        limits.catchUp.pageRecords = 2
        limits.catchUp.pagesPerTurn = 3
        let hub = try WholeHub(limits: limits)
        let devices = (0..<4).map { _ in ScriptedDevice(hub) }
        for device in devices {
            try device.hello()
            try device.register(tags: ["a"])
            device.cut()
        }
        for number in 0..<41 {
            hub.run(Send(try WholeHub.apple("\(number)", tags: "a")))
            hub.run(Send(try WholeHub.apple("others'", tags: "b")))
        }
        hub.readsOfTurns = []
        hub.holdsBackReads = true
        for device in devices {
            device.windowMessages = 50
            try device.reconnect()
        }
        hub.holdsBackReads = false
        hub.runUntilIdle()
        let all = (0..<41).map { "\($0)" }
        for device in devices {
            device.read()
            #expect(device.alerts == all)
        }
        #expect(hub.readsOfTurns.max() == 3)
        #expect(hub.readsOfTurns.reduce(0, +) == 4 * 21)
        #expect(hub.shards[0].loop.core.sessionCounts.live == 4)
    }

    @Test("what expires while it waits for the window is not sent")
    func expiresWhileHeld() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 0)
        hub.run(Send(try WholeHub.apple("short", tags: "a", timeToLive: .seconds(5))))
        hub.run(Send(try WholeHub.apple("long", tags: "a")))
        hub.advance(milliseconds: 6_000)
        device.window(messages: 32)
        #expect(device.alerts == ["long"])
        #expect(hub.shards[0].loop.core.totals.unwritten.expired == 1)
        #expect(hub.shards[0].loop.core.sessionCounts.live == 1)
    }

    @Test("a device that registered nothing and acknowledged nothing leaves no cursor")
    func noTrace() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        device.ping()
        device.cut()
        #expect(hub.directory.checkpoint(now: hub.now) == nil)
    }

    @Test("PING does not lengthen the time in which a drained connection is read")
    func pingWhileDraining() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        hub.shards[0].loop.core.drain(now: hub.now)
        hub.runUntilIdle()
        device.ping(next: 600)
        #expect(device.pongs.count == 1)
        hub.advance(milliseconds: 5_500)
        #expect(hub.closed.contains(device.address))
    }

    @Test("a receipt with the ref of a request that is due ends the session")
    func receiptWithUsedRef() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        hub.holdsBackFeed = true
        try device.register(tags: ["a"])
        let record =
            [UInt8](repeating: 1, count: 16) + [1, 0, 0, 0, 0, 0, 0, 0]
            + [UInt8](repeating: 0, count: 8)
        device.send([0x30, 0, 0, 1, 0, 0, 0, 40] + [0, 1, 0, 0, 0, 0, 0, 0] + record)
        #expect(device.errorNumbers == [.duplicateRequest])
        #expect(device.results == [])
    }
}

@Suite("The shelf of a notification's parcels")
struct ParcelShelfTests {
    private func variant(_ number: UInt32) -> ParcelVariant {
        ParcelVariant(template: number, registration: 0, platform: .apple, codec: .identity)
    }

    private func parcel(_ count: Int) -> Parcel {
        Parcel(
            bytes: Array(repeating: 0, count: count),
            expires: Timestamp(milliseconds: 1),
            isTransient: false
        )
    }

    @Test("what has no room is made again, and an old notification holds less")
    func bounded() {
        let shelf = ParcelShelf()
        var made = 0
        func ask(_ number: UInt32, bytes: Int) {
            _ = shelf.parcel(variant(number)) {
                made += 1
                return parcel(bytes)
            }
        }
        ask(1, bytes: ParcelShelf.bytesMax - 1_000)
        ask(1, bytes: 1)
        #expect(made == 1)
        ask(2, bytes: 2_000)
        ask(2, bytes: 2_000)
        #expect(made == 3)
        shelf.shrink(toBytes: 2_048)
        ask(1, bytes: 1_000)
        ask(1, bytes: 1_000)
        #expect(made == 4)
        ask(2, bytes: 1_000)
        ask(2, bytes: 1_000)
        #expect(made == 6)
    }
}
