import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Counting what becomes of notifications")
struct TelemetryTests {
    private static let phrase = #"{"aps":{"alert":"{$(text) + $(text) + $(text) + $(text)}"}}"#

    private static func template(
        _ text: String,
        tags: String? = nil,
        timeToLive: TimeToLive = .seconds(3_600)
    ) throws -> NotificationDraft {
        var target = NotificationTarget.broadcast
        if let tags { target = .tags(try TagExpression(parsing: Array(tags.utf8))) }
        return NotificationDraft(
            format: .template,
            target: target,
            body: Array(#"{"text":"\#(text)"}"#.utf8),
            timeToLive: timeToLive
        ).asRead
    }

    private static func message(_ body: String) -> TemplateMessage {
        TemplateMessage(name: "", body: Array(body.utf8))
    }

    /// The counters of one platform in one line, zeros left out.
    private static func line(_ details: NotificationDetails, _ platform: Platform) -> String {
        guard let found = details.platforms.first(where: { $0.platform == platform }) else {
            return "none"
        }
        var parts = TelemetryKind.allCases.compactMap { kind -> String? in
            guard let word = kind.word, found[kind] > 0 else { return nil }
            return "\(word) \(found[kind])"
        }
        if found.matchedOffline > 0 { parts.append("offline \(found.matchedOffline)") }
        return parts.joined(separator: ", ")
    }

    @Test("times from the log to a connection, and from there to its acknowledgement, are counted")
    func latencies() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: ["a"])
        hub.holdsBackFeed = true
        _ = try hub.send(try WholeHub.apple("x", tags: "a"))
        _ = try hub.send(try WholeHub.apple("y", tags: "a"))
        hub.advance(milliseconds: 30)
        hub.releaseFeed()
        let written = hub.shards[0].loop.core.totals.latencies
        #expect(written.written.count == 2)
        #expect(written.written.nanoseconds == 2 * 30_000_000)
        #expect(written.acknowledged.count == 0)
        hub.advance(milliseconds: 300)
        device.read()
        // One frame acknowledges both.
        device.acknowledge()
        let stored = hub.shards[0].loop.core.totals.latencies.acknowledged
        #expect(stored.count == 1 && stored.nanoseconds == 300_000_000)
        // What the log is read for waited for its device.
        device.cut()
        _ = try hub.send(try WholeHub.apple("z", tags: "a"))
        hub.advance(milliseconds: 5_000)
        try device.reconnect()
        device.acknowledge()
        let totals = hub.shards[0].loop.core.totals.latencies
        #expect(totals.written.count == 2 && totals.acknowledged.count == 2)
    }

    @Test("a send is enqueued, then completed, with exact counts by platform on every shard")
    func counts() throws {
        let hub = try WholeHub(shards: 2)
        var devices: [ScriptedDevice] = []
        for number in 0..<6 {
            let device = ScriptedDevice(hub, shard: number % 2)
            try device.hello()
            let platform: Platform = number < 4 ? .apple : .gcm
            let body =
                platform == .apple ? #"{"aps":{"alert":"$(text)"}}"# : #"{"data":{"m":"$(text)"}}"#
            try device.register(platform: platform, tags: ["a"], template: Self.message(body))
            devices.append(device)
        }
        hub.holdsBackFeed = true
        let name = try hub.send(try Self.template("hello", tags: "a"))
        #expect(try hub.details(name).state == .enqueued)
        #expect(try hub.details(name).started == nil)
        hub.releaseFeed()
        for device in devices { device.read() }
        for device in devices.dropLast() { device.acknowledge() }
        hub.advance(milliseconds: 600)
        for _ in 0..<2 {
            let details = try hub.details(name)
            #expect(details.state == .completed)
            #expect(details.record.sequence == name.sequence)
            #expect(Self.line(details, .apple) == "matchedConnected 4, sent 4, acknowledged 4")
            #expect(Self.line(details, .gcm) == "matchedConnected 2, sent 2, acknowledged 1")
            #expect(try hub.details(NotificationName(id: name.id)).platforms == details.platforms)
            // The same again from what is durable.
            try hub.checkpoint()
        }
        devices[5].acknowledge()
        try hub.report()
        let after = try WholeHub(disk: hub.disk).details(name)
        #expect(after.state == .completed)
        #expect(Self.line(after, .gcm) == "matchedConnected 2, sent 2, acknowledged 2")
        #expect(after.ended.map { $0 >= after.record.id.time } == true)
    }

    @Test("while one shard lags the state is processing, and abandoned after half an hour")
    func lagging() throws {
        let hub = try WholeHub(shards: 2)
        let device = ScriptedDevice(hub, shard: 0)
        try device.hello()
        try device.register(tags: ["a"])
        hub.holdsBackFeed = true
        let name = try hub.send(try WholeHub.apple("x", tags: "a"))
        hub.holdsBackFeed = false
        for (shard, message) in hub.heldBack where shard == 0 {
            hub.shards[0].loop.core.receive(message, of: hub.hub, now: hub.now)
        }
        hub.runUntilIdle()
        hub.advance(milliseconds: 600)
        #expect(try hub.details(name).state == .processing)
        #expect(try hub.details(name).ended == nil)
        hub.advance(milliseconds: 1_800_000)
        #expect(try hub.details(name).state == .abandoned)
        hub.releaseFeed()
        hub.advance(milliseconds: 600)
        #expect(try hub.details(name).state == .completed)
    }

    @Test("nobody, an unknown id, a wrong place")
    func nobody() throws {
        let hub = try WholeHub()
        let name = try hub.send(try WholeHub.apple("x", tags: "nobody"))
        hub.advance(milliseconds: 600)
        let details = try hub.details(name)
        #expect(details.state == .noTargetFound)
        #expect(details.platforms == [])
        #expect(details.ended == details.record.id.time)
        var other = name
        other.id.low ^= 1
        for wrong in [
            other, NotificationName(id: other.id), NotificationName(id: name.id, sequence: 2),
            NotificationName(id: NotificationID(high: .max, low: 0)),
            NotificationName(id: NotificationID(high: 0, low: 0)),
        ] {
            guard case .failure(.notificationNotFound) = hub.run(GetDetails(wrong)) else {
                Issue.record("\(wrong) was found")
                continue
            }
        }
    }

    @Test("a device that is away is estimated, then counted when it comes and acknowledges")
    func away() throws {
        let hub = try WholeHub()
        let here = ScriptedDevice(hub)
        try here.hello()
        try here.register(tags: ["a"])
        let away = ScriptedDevice(hub)
        try away.hello()
        try away.register(tags: ["a"])
        away.cut()
        let name = try hub.send(try WholeHub.apple("x", tags: "a"))
        here.read()
        here.acknowledge()
        hub.advance(milliseconds: 600)
        #expect(
            Self.line(try hub.details(name), .apple)
                == "matchedConnected 1, sent 1, acknowledged 1, offline 1"
        )
        #expect(try hub.details(name).platforms[0].succeeded == 2)
        try away.reconnect()
        away.acknowledge()
        hub.advance(milliseconds: 600)
        #expect(
            Self.line(try hub.details(name), .apple)
                == "matchedConnected 1, sent 2, acknowledged 2, offline 1"
        )
    }

    @Test("what is not sent is counted by its reason, once, live and in catch-up")
    func unsent() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        // Slots 0 and 1 get the same bytes; slot 2 gets four times the text.
        for slot in 0..<2 as Range<UInt16> {
            try device.register(
                slot: slot,
                tags: ["a"],
                template: Self.message(#"{"aps":{"alert":"$(text)"}}"#)
            )
        }
        try device.register(slot: 2, tags: ["a"], template: Self.message(Self.phrase))
        let long = String(repeating: "x", count: 3_000)
        let first = try hub.send(try Self.template(long, tags: "a"))
        device.read()
        device.acknowledge()
        let expected = "matchedConnected 3, sent 1, acknowledged 1, invalidSize 1, skipped 1"
        try hub.report()
        let live = Self.line(try hub.details(first), .apple)
        #expect(live == expected)
        device.cut()
        let second = try hub.send(try Self.template(long, tags: "a"))
        let late = try hub.send(try Self.template("late", tags: "a", timeToLive: .seconds(1)))
        hub.advance(milliseconds: 2_000)
        let position = device.position
        for _ in 0..<3 {
            // Nothing is acknowledged or stored: everything is evaluated each time.
            device.position = position
            try device.reconnect()
            try hub.report()
            device.cut()
        }
        let missed = Self.line(try hub.details(second), .apple)
        #expect(missed == "sent 3, invalidSize 1, skipped 1, offline 3")
        let lapsed = Self.line(try hub.details(late), .apple)
        #expect(lapsed == "expired 3, offline 3")
        #expect(try hub.details(late).platforms[0].succeeded == 0)
        // Now or never: the device takes nothing at the moment.
        try device.reconnect()
        device.acknowledge()
        device.window(messages: 0)
        let never = try hub.send(try Self.template("now", tags: "a", timeToLive: .transient))
        hub.advance(milliseconds: 600)
        let refused = Self.line(try hub.details(never), .apple)
        #expect(refused == "matchedConnected 3, skipped 1, missed 2")
    }

    @Test("receipts count once each, for native, direct and template sends")
    func receipts() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(slot: 0, platform: .gcm, tags: ["a"])
        try device.register(
            slot: 1,
            platform: .gcm,
            tags: ["a"],
            template: Self.message(#"{"data":{"m":"$(text)"}}"#)
        )
        let native = try hub.send(
            NotificationDraft(
                format: .native(.gcm),
                target: .broadcast,
                body: Array(#"{"data":{}}"#.utf8),
                timeToLive: .seconds(60),
                wantsReceipts: true
            )
        )
        let template = try hub.send(try Self.template("x"))
        device.read()
        let unknown = NotificationID(high: native.id.high, low: native.id.low ^ 1)
        for _ in 0..<2 {
            device.receipts([
                (native.id, .displayed, 0), (native.id, .opened, 0),
                (template.id, .dismissed, 1), (template.id, .opened, 9), (unknown, .opened, 0),
                (native.id, .stored, 0),
            ])
        }
        #expect(device.results.last?.applied == 6)
        hub.advance(milliseconds: 600)
        #expect(
            Self.line(try hub.details(native), .gcm)
                == "matchedConnected 1, sent 1, displayed 1, opened 1"
        )
        #expect(
            Self.line(try hub.details(template), .gcm) == "matchedConnected 1, sent 1, dismissed 1"
        )
    }

    @Test("after a crash acknowledgements count exactly once", arguments: [false, true])
    func crash(isDurable: Bool) throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: ["a"])
        try device.register(slot: 1, platform: .gcm, tags: ["a"])
        try hub.report()
        let names = try (0..<3).map { try hub.send(try WholeHub.apple("\($0)", tags: "a")) }
        device.read()
        device.acknowledge()
        if isDurable { try hub.report() }
        // The process is gone; what it had not made durable with it.
        let next = try WholeHub(disk: hub.disk, seed: 2)
        next.now = hub.now
        let back = ScriptedDevice(next)
        back.id = device.id
        back.key = device.key
        back.position = device.position
        try back.hello()
        #expect(back.welcome?.resume == .resumed)
        #expect(back.entries == [])
        try next.report()
        for name in names {
            let counts = try #require(try next.details(name).platforms.first)
            #expect(counts[.acknowledged] == 1, "\(name)")
        }
        // It goes on from where it is, and no later session counts anything again.
        let more = try next.send(try WholeHub.apple("more", tags: "a"))
        back.read()
        back.acknowledge()
        try next.report()
        back.cut()
        try back.reconnect()
        try next.report()
        #expect(back.alerts == ["more"])
        for name in names + [more] {
            #expect(try next.details(name).platforms.first?[.acknowledged] == 1, "\(name)")
        }
    }

    @Test("what the older connection of a taken-over device had acknowledged counts once")
    func takenOver() throws {
        let hub = try WholeHub(shards: 2)
        let device = ScriptedDevice(hub, shard: 0)
        try device.hello()
        try device.register(tags: ["a"])
        try hub.report()
        let name = try hub.send(try WholeHub.apple("x", tags: "a"))
        device.read()
        device.acknowledge()
        // The first shard has not reported yet.
        try device.reconnect(shard: 1)
        hub.advance(milliseconds: 600)
        try hub.report()
        #expect(
            Self.line(try hub.details(name), .apple)
                == "matchedConnected 1, sent 1, acknowledged 1"
        )
    }

    @Test("a device that shows an older position does not count twice what it had acknowledged")
    func restored() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: ["a"])
        let old = device.position
        let name = try hub.send(try WholeHub.apple("x", tags: "a"))
        device.read()
        device.acknowledge()
        try hub.report()
        device.cut()
        device.position = old
        try device.reconnect()
        device.acknowledge()
        try hub.report()
        #expect(device.alerts == ["x", "x"])
        #expect(
            Self.line(try hub.details(name), .apple)
                == "matchedConnected 1, sent 2, acknowledged 1"
        )
    }

    @Test("a checkpoint that the store refused comes again unchanged, and nothing is doubled")
    func refused() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: ["a"])
        let name = try hub.send(try WholeHub.apple("x", tags: "a"))
        device.read()
        device.acknowledge()
        hub.advance(milliseconds: 600)
        hub.disk.setFaults(MemoryFaults(cursors: .full))
        let batch = try #require(hub.directory.checkpoint(now: hub.now))
        #expect(throws: StoreError.full) { try hub.store.checkpoint(batch) }
        hub.directory.checkpointFailed(batch, .full)
        hub.disk.setFaults(MemoryFaults())
        let expected = "matchedConnected 1, sent 1, acknowledged 1"
        #expect(Self.line(try hub.details(name), .apple) == expected)
        let again = try #require(hub.directory.checkpoint(now: hub.now))
        #expect(again == batch)
        try hub.store.checkpoint(again)
        try hub.store.checkpoint(again)
        #expect(Self.line(try hub.details(name), .apple) == expected)
    }

    @Test("unknown handles and templates that no longer compile are told apart")
    func unreachable() throws {
        let hub = try WholeHub()
        let grant = AccessGrant(rule: "full", rights: [.listen, .manage])
        let stranger = RegistrationContent(
            platform: .apple,
            handle: Array(String(repeating: "AB", count: 32).utf8),
            tags: TagSet([Array("a".utf8)])
        )
        guard case .success = hub.run(CreateRegistration(stranger, grant)) else {
            Issue.record("not created")
            return
        }
        let name = try hub.send(try WholeHub.apple("x", tags: "a"))
        hub.advance(milliseconds: 600)
        let details = try hub.details(name)
        #expect(details.state == .completed)
        #expect(details.platforms.first?.estimate.unknownHandle == 1)
        #expect(details.platforms.first?.matchedOffline == 0)
    }
}
