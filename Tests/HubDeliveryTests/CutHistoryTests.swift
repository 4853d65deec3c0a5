import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Tag history that is cut while a session has not evaluated it yet")
struct CutHistoryTests {
    private let grant = AccessGrant(rule: "full", rights: [.manage])
    /// Changes that a registration remembers.
    private let remembered = CoreLimits.standard.registrations.formerTagSetsMax

    /// A hub with a device that is paused and whose session holds as much as it may, two
    /// notifications, so that it evaluates nothing more; and the device's registration for `t0`.
    private func heldUp() throws -> (WholeHub, ScriptedDevice, Registration) {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        let registration = try hub.store(CreateRegistration(device.content("t0"), grant))
        device.window(messages: 0)
        for text in ["A", "B"] { hub.run(Send(try WholeHub.apple(text, tags: "t0"))) }
        return (hub, device, registration)
    }

    private func gap(_ hub: WholeHub, from: UInt64, to: UInt64) throws -> GapFrame {
        GapFrame(
            from: from,
            to: to,
            lost: ResumeDecision.lostUnknown,
            check: try #require(try hub.store.reader.check(at: to)),
            reason: .tagHistoryCut
        )
    }

    @Test("what was evaluated before comes, then a GAP with reason 4, then the rest. [R-7]")
    func whileCatchingUp() throws {
        let (hub, device, registration) = try heldUp()
        try device.changeTooOften(registration.id) { "t\($0)" }
        device.read()
        #expect(device.alerts == [] && device.gaps == [])
        device.window(messages: 32)
        for _ in 0..<6 { device.acknowledge() }
        #expect(device.alerts == ["A", "B"] + (2...remembered + 2).map(String.init))
        #expect(device.gaps == [try gap(hub, from: 2, to: 3)])
        #expect(device.delivers.last?.backlog == 0)
        #expect(hub.shards[0].loop.core.sessionCounts.live == 1)
    }

    @Test("a shard that fell out of the feed announces what its sessions missed meanwhile")
    func afterFallingOut() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        let registration = try hub.store(CreateRegistration(device.content("t0"), grant))
        hub.run(Send(try WholeHub.apple("A", tags: "t0")))
        device.read()
        hub.holdsBackFeed = true
        try device.changeTooOften(registration.id) { "t\($0)" }
        let head = hub.store.bounds.head
        let check = try #require(try hub.store.reader.check(at: head))
        hub.heldBack = [(0, .feedLost(head: head, check: check))]
        hub.releaseFeed()
        device.read()
        for _ in 0..<6 { device.acknowledge() }
        #expect(device.alerts == ["A"] + (2...remembered + 2).map(String.init))
        #expect(device.gaps == [try gap(hub, from: 1, to: 2)])
    }

    @Test("a device that did not acknowledge the GAP hears of it again in WELCOME")
    func notAcknowledged() throws {
        let (hub, device, registration) = try heldUp()
        try device.changeTooOften(registration.id)
        device.window(messages: 32)
        #expect(device.alerts == ["A", "B"])
        #expect(device.gaps == [try gap(hub, from: 2, to: 3)])
        device.acknowledge(2)
        hub.advance(milliseconds: 1_000)
        device.cut()
        // It stored what it acknowledged, and not the GAP.
        device.position.sequence = 2
        device.position.check = try #require(try hub.store.reader.check(at: 2))
        try device.reconnect()
        #expect(device.welcome?.resume == .gap)
        #expect(device.welcome?.lost == ResumeDecision.lostUnknown)
        #expect(device.welcome?.position.sequence == 3)
    }

    @Test("once the GAP is acknowledged it is not announced again")
    func acknowledged() throws {
        let (hub, device, registration) = try heldUp()
        try device.changeTooOften(registration.id)
        device.window(messages: 32)
        device.acknowledge()
        device.cut()
        try device.reconnect()
        #expect(device.welcome?.resume == .resumed)
        #expect(device.welcome?.position.sequence == 3)
        #expect(hub.directory.checkpoint(now: hub.now)?.cursors.first?.scannedThrough == 68)
    }
}
