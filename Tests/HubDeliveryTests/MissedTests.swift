import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("What a device gets that was away, or reads slowly")
struct MissedTests {
    private func send(
        _ hub: WholeHub,
        _ text: String,
        key: String = "",
        timeToLive: TimeToLive = .seconds(3_600)
    ) throws {
        hub.run(Send(try WholeHub.apple(text, tags: "a", timeToLive: timeToLive, key: key)))
    }

    private func count(_ kind: TelemetryKind, _ hub: WholeHub, at sequence: UInt64) throws -> UInt64
    {
        try hub.report()
        return CounterTable(try hub.store.counters(of: sequence))[.apple, kind]
    }

    @Test("of notifications with one key only the newest comes, the others are counted once")
    func collapsesWhileAway() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        for number in 1...3 { try send(hub, "k\(number)", key: "score") }
        try send(hub, "plain")
        try send(hub, "now", key: "score", timeToLive: .transient)
        try send(hub, "other", key: "weather")
        try device.reconnect()
        device.read()
        #expect(device.alerts == ["k3", "plain", "other"])
        #expect(device.delivers.last?.backlog == 0)
        device.acknowledge()
        for _ in 0..<2 {
            device.cut()
            try device.reconnect()
        }
        #expect(device.alerts.count == 3)
        #expect(try count(.collapsed, hub, at: 1) == 1)
        #expect(try count(.collapsed, hub, at: 2) == 1)
        #expect(try count(.collapsed, hub, at: 3) == 0)
        #expect(try count(.acknowledged, hub, at: 3) == 1)
        #expect(hub.shards[0].loop.core.totals.unwritten.collapsed == 2)
    }

    @Test("a newer one that expired meanwhile replaces all the same")
    func expiredReplaces() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        try send(hub, "old", key: "k")
        try send(hub, "short", key: "k", timeToLive: .seconds(1))
        hub.advance(milliseconds: 2_000)
        try device.reconnect()
        #expect(device.alerts == [])
        #expect(try count(.collapsed, hub, at: 1) == 1)
        #expect(try count(.expired, hub, at: 2) == 1)
    }

    @Test("one that was sent is not recalled, and comes again if it was not stored")
    func sentIsNotRecalled() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        try send(hub, "1", key: "k")
        try send(hub, "2", key: "k")
        device.read()
        #expect(device.alerts == ["1", "2"])
        // Neither was stored: of what comes again the newer is enough.
        device.position = Position(epoch: device.position.epoch, sequence: 0, check: 0)
        device.cut()
        try device.reconnect()
        #expect(device.alerts == ["1", "2", "2"])
    }

    @Test("what waits for a paused device is replaced before it is sent")
    func collapsesWhileHeld() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 0)
        try send(hub, "1", key: "k")
        try send(hub, "2", key: "k")
        device.window(messages: 8)
        #expect(device.alerts == ["2"])
        #expect(try count(.collapsed, hub, at: 1) == 1)
    }

    @Test("what waits is replaced by a newer one that expires before it is looked at")
    func expiredReplacesHeld() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.window(messages: 0)
        for text in ["1", "2"] { try send(hub, text, key: text) }
        // A window's worth and one more waits: nothing more is looked at.
        try send(hub, "short", key: "2", timeToLive: .seconds(1))
        hub.advance(milliseconds: 2_000)
        device.window(messages: 8)
        device.acknowledge()
        hub.runUntilIdle()
        device.read()
        #expect(device.alerts == ["1"])
        #expect(try count(.collapsed, hub, at: 2) == 1)
        #expect(try count(.expired, hub, at: 3) == 1)
    }

    @Test("what comes in one turn for a live device is replaced before it is sent")
    func collapsesWithinTurn() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        let other = try ScriptedDevice.registered(hub, exporter: 3, tags: ["b"])
        for text in ["1", "2", "3"] {
            hub.queue(try WholeHub.apple(text, tags: "a", key: "k"))
            hub.queue(try WholeHub.apple("plain \(text)", tags: "a || b"))
        }
        hub.queue(try WholeHub.apple("mine", tags: "b", key: "k"))
        hub.runUntilIdle()
        device.read()
        other.read()
        #expect(device.alerts == ["plain 1", "plain 2", "3", "plain 3"])
        #expect(other.alerts == ["plain 1", "plain 2", "plain 3", "mine"])
        #expect(try count(.collapsed, hub, at: 1) == 1)
        #expect(try count(.collapsed, hub, at: 3) == 1)
        #expect(try count(.collapsed, hub, at: 5) == 0)
        #expect(try count(.sent, hub, at: 1) == 0)
    }

    @Test(
        "what comes in one turn is replaced by a later one that cannot be sent",
        arguments: ["expired", "too large"]
    )
    func unsentReplacesWithinTurn(_ reason: String) throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        let text = #"{"aps":{"alert":"$(m)"},"b":"$(m)","c":"$(m)"}"#
        try device.register(
            tags: ["a"],
            template: TemplateMessage(name: "", body: Array(text.utf8))
        )
        func draft(_ word: String, seconds: UInt32 = 3_600) throws -> NotificationDraft {
            var draft = try WholeHub.apple("", tags: "a", timeToLive: .seconds(seconds), key: "k")
            draft.format = .template
            draft.body = Array(#"{"m":"\#(word)"}"#.utf8)
            return draft.asRead
        }
        #expect(device.results.map(\.status) == [0])
        hub.holdsBackFeed = true
        hub.queue(try draft("1"))
        hub.queue(try draft("2"))
        let isLarge = reason == "too large"
        let last = isLarge ? String(repeating: "x", count: 4_000) : "3"
        hub.queue(try draft(last, seconds: isLarge ? 3_600 : 1))
        hub.runUntilIdle()
        hub.now.time = hub.now.time.adding(seconds: 2)
        hub.releaseFeed()
        device.read()
        #expect(device.entries == [])
        #expect(try count(.collapsed, hub, at: 1) == 1)
        #expect(try count(.collapsed, hub, at: 2) == 1)
        #expect(try count(isLarge ? .oversized : .expired, hub, at: 3) == 1)
        // The session goes on.
        hub.run(Send(try draft("4")))
        device.read()
        #expect(device.entries.map(\.sequence) == [4])
    }

    @Test("a registration's notifications replace only its own")
    func scopeIsRegistration() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        try device.register(slot: 1, tags: ["b"])
        device.cut()
        hub.run(Send(try WholeHub.apple("for both", tags: "a || b", key: "k")))
        hub.run(Send(try WholeHub.apple("for b", tags: "b", key: "k")))
        try device.reconnect()
        #expect(device.alerts == ["for both", "for b"])
        #expect(device.entries.map(\.slot) == [0, 1])
    }

    @Test(
        "what waits once for two registrations goes when both have got something newer",
        arguments: [("a", [1, 0]), ("b", [0, 1]), ("a || b", [0])] as [(String, [UInt16])]
    )
    func twins(newer: String, slots: [UInt16]) throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        try device.register(slot: 1, tags: ["b"])
        device.window(messages: 0)
        hub.run(Send(try WholeHub.apple("older", tags: "a || b", key: "k")))
        hub.run(Send(try WholeHub.apple("newer", tags: newer, key: "k")))
        device.window(messages: 8)
        #expect(device.alerts == (slots.count == 1 ? ["newer"] : ["older", "newer"]))
        #expect(device.entries.map(\.slot) == slots)
    }

    @Test(
        "more than the cap: a GAP says how many are gone, then come the newest",
        arguments: [1, 8]
    )
    func cap(pageRecords: Int) throws {
        var limits = SessionLimits()
        limits.catchUp.pageRecords = pageRecords
        let hub = try WholeHub(limits: limits, deviceCap: 3)
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        for number in 1...7 {
            try send(hub, "\(number)")
            hub.run(Send(try WholeHub.apple("others'", tags: "b")))
        }
        try device.reconnect()
        #expect(device.welcome?.resume == .resumed)
        #expect(device.alerts == ["5", "6", "7"])
        let gap = GapFrame(
            from: 0,
            to: 7,
            lost: 4,
            check: try #require(try hub.store.reader.check(at: 7)),
            reason: .deviceCap
        )
        #expect(device.gaps == [gap])
        device.acknowledge()
        device.cut()
        try device.reconnect()
        #expect(device.gaps == [gap] && device.alerts.count == 3)
        for sequence in stride(from: UInt64(1), through: 13, by: 2) {
            let capped: UInt64 = sequence <= 7 ? 1 : 0
            #expect(try count(.capped, hub, at: sequence) == capped, "place \(sequence)")
        }
    }

    @Test("what is collapsed or expired does not count for the cap")
    func capCountsWhatIsLeft() throws {
        let hub = try WholeHub(deviceCap: 3)
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        device.cut()
        try send(hub, "first")
        for number in 1...5 { try send(hub, "\(number)", key: "k") }
        try send(hub, "short", timeToLive: .seconds(1))
        try send(hub, "last")
        hub.advance(milliseconds: 1_500)
        try device.reconnect()
        #expect(device.alerts == ["first", "5", "last"])
        #expect(device.gaps == [])
    }

    @Test("tags count as they were at each notification, whatever they are now")
    func tagsOfThen() throws {
        let hub = try WholeHub()
        let grant = AccessGrant(rule: "full", rights: [.manage])
        let device = ScriptedDevice(hub)
        try device.hello()
        let registration = try hub.store(CreateRegistration(device.content("one"), grant))
        device.cut()
        for (number, tag) in ["two", "three", "one"].enumerated() {
            for sent in ["one", "two", "three"] {
                hub.run(Send(try WholeHub.apple("\(number) \(sent)", tags: sent)))
            }
            let content = device.content(tag)
            _ = try hub.store(PutRegistration(id: registration.id, content, .none, grant))
        }
        try device.reconnect()
        device.read()
        #expect(device.alerts == ["0 one", "1 two", "2 three"])
    }
}
