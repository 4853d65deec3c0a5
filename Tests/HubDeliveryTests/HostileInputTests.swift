import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Hostile and late devices")
struct HostileInputTests {
    /// What a device sends, before or after WELCOME, and the error it must get.
    struct Attack: CustomTestStringConvertible, Sendable {
        var name: String
        var afterWelcome: Bool
        var bytes: [UInt8]
        var answer: ErrorNumber

        var testDescription: String { name }
    }

    static let attacks: [Attack] = [
        Attack(
            name: "plain HTTP",
            afterWelcome: false,
            bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8),
            answer: .wrongState
        ),
        Attack(
            name: "PING before HELLO",
            afterWelcome: false,
            bytes: [3, 0, 0, 0, 0, 0, 0, 16] + Array(repeating: 0, count: 16),
            answer: .wrongState
        ),
        Attack(
            name: "HELLO with wrong magic",
            afterWelcome: false,
            bytes: [1, 0, 0, 0, 0, 0, 0, 91] + Array(repeating: 0x58, count: 91),
            answer: .badMagic
        ),
        Attack(
            name: "HELLO of 4,097 bytes",
            afterWelcome: false,
            bytes: [1, 0, 0, 0, 0, 0, 0x10, 1],
            answer: .frameTooLarge
        ),
        Attack(
            name: "unknown type",
            afterWelcome: true,
            bytes: [0x6E, 0, 0, 0, 0, 0, 0, 0],
            answer: .unknownType
        ),
        Attack(
            name: "reserved UPSTREAM",
            afterWelcome: true,
            bytes: [0x31, 0, 0, 1, 0, 0, 0, 24] + Array(repeating: 0, count: 24),
            answer: .unknownType
        ),
        Attack(
            name: "a frame of 4 GiB",
            afterWelcome: true,
            bytes: [0x12, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF],
            answer: .frameTooLarge
        ),
        Attack(
            name: "ACK above what was sent",
            afterWelcome: true,
            bytes: [0x21, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 9],
            answer: .badAck
        ),
        Attack(
            name: "a tag list that lies about its length",
            afterWelcome: true,
            bytes: [0x12, 0, 0, 1, 0, 0, 0, 20] + [0, 0, 1, 0] + Array(repeating: 0, count: 8)
                + [0, 1, 0, 60, 5, 0x61, 0x62, 0x63],
            answer: .badLength
        ),
        Attack(
            name: "DELIVER from a device",
            afterWelcome: true,
            bytes: [0x20, 0, 0, 0, 0, 0, 0, 58] + Array(repeating: 0, count: 58),
            answer: .wrongDirection
        ),
        Attack(
            name: "critical flag",
            afterWelcome: true,
            bytes: [0x21, 4, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0],
            answer: .unknownFlag
        ),
    ]

    @Test("each gets its number, then the connection is closed", arguments: attacks)
    func refuses(_ attack: Attack) throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        if attack.afterWelcome { try device.hello() }
        device.send(attack.bytes)
        #expect(device.errorNumbers == [attack.answer])
        #expect(device.errors.first?.isFatal == true)
        #expect(hub.closed.contains(device.address))
        #expect(hub.shards[0].loop.core.totals.errors[attack.answer] == 1)
    }

    @Test("the same bytes one at a time get the same answer", arguments: attacks)
    func refusesSlowly(_ attack: Attack) throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        if attack.afterWelcome { try device.hello() }
        for byte in attack.bytes { device.send([byte]) }
        #expect(device.errorNumbers == [attack.answer])
    }

    @Test("credentials that prove nothing are refused before anything is stored")
    func credentials() throws {
        let hub = try WholeHub()
        let expired = ScriptedDevice(hub)
        let token = hub.listenToken
        hub.now.time = Timestamp(milliseconds: hub.now.time.milliseconds + 2 * 3_600_000)
        try expired.hello(token: token)
        #expect(expired.errorNumbers == [.authExpired])
        let wrong = ScriptedDevice(hub)
        try wrong.hello(token: Array("SharedAccessSignature sr=a&sig=b&se=1&skn=c".utf8))
        #expect(wrong.errorNumbers == [.authFailed])
        let empty = ScriptedDevice(hub)
        try empty.hello(token: [])
        #expect(empty.errorNumbers == [.authRequired])
        let thief = ScriptedDevice(hub)
        thief.id = ID16(high: 1, low: 2)
        try thief.hello(key: Array(repeating: 9, count: 32))
        #expect(thief.errorNumbers == [.authFailed])
    }

    @Test("a revoked device is told from an unknown one only with the key that it had")
    func revoked() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        let id = DeviceID(high: device.id.high, low: device.id.low)
        for generation in UInt32(1)...2 {
            for shard in hub.shards {
                let message = ShardMessage.revoked(id, generation: generation)
                shard.loop.core.receive(message, of: hub.hub, now: hub.now)
            }
            let thief = ScriptedDevice(hub)
            thief.id = device.id
            try thief.hello(key: Array(repeating: 9, count: 32))
            #expect(thief.errorNumbers == [.authFailed])
            let owner = ScriptedDevice(hub)
            owner.id = device.id
            try owner.hello(key: device.key)
            #expect(owner.errorNumbers == [.deviceRevoked])
        }
    }

    @Test("a proof made for another connection is worth nothing")
    func replay() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub, exporter: 1)
        try device.hello()
        let other = ScriptedDevice(hub, exporter: 2)
        other.id = device.id
        var message = HelloMessage(hub: WholeHub.name)
        message.deviceID = device.id
        message.authMethod = .deviceKey
        // The proof is computed with the exporter of the first connection.
        let first = ScriptedDevice(hub, exporter: 1)
        first.id = device.id
        try first.hello(key: device.key)
        #expect(first.errorNumbers == [])
        try other.hello(key: Array(device.key.reversed()))
        #expect(other.errorNumbers == [.authFailed])
    }

    @Test("an unknown hub and a token for an existing device are refused")
    func unknownHub() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        var bytes: [UInt8] = []
        try HelloMessage(hub: "elsewhere").encode(auth: hub.listenToken, into: &bytes)
        device.send(bytes)
        #expect(device.errorNumbers == [.unknownHub])
        let second = ScriptedDevice(hub)
        second.id = ID16(high: 3, low: 4)
        try second.hello()
        #expect(second.errorNumbers == [.authFailed])
    }

    @Test("deadlines: HELLO, a started frame, silence, acknowledgements")
    func deadlines() throws {
        let hub = try WholeHub()
        let mute = ScriptedDevice(hub)
        hub.advance(milliseconds: 9_900)
        mute.read()
        #expect(mute.errorNumbers == [])
        hub.advance(milliseconds: 300)
        mute.read()
        #expect(mute.errorNumbers == [.handshakeTimeout])

        let slow = ScriptedDevice(hub)
        try slow.hello()
        slow.send([0x21, 0, 0, 0])
        hub.advance(milliseconds: 19_000)
        slow.read()
        #expect(slow.errorNumbers == [])
        hub.advance(milliseconds: 1_300)
        slow.read()
        #expect(slow.errorNumbers == [.frameTimeout])

        let silent = ScriptedDevice(hub)
        try silent.hello()
        silent.ping(next: 100)
        hub.advance(milliseconds: 184_000)
        silent.read()
        #expect(silent.errorNumbers == [])
        hub.advance(milliseconds: 1_500)
        silent.read()
        #expect(silent.errorNumbers == [.idleTimeout])

        let deaf = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        hub.advance(milliseconds: 44_000)
        // It speaks and takes nothing: that is no acknowledgement.
        deaf.ping(next: 100)
        deaf.read()
        #expect(deaf.errorNumbers == [])
        hub.advance(milliseconds: 1_500)
        deaf.read()
        #expect(deaf.errorNumbers == [.ackTimeout])
        // Nothing was lost by that.
        try deaf.reconnect()
        #expect(deaf.welcome?.resume == .resumed)
    }

    @Test("pings keep a session alive; too many of them end it")
    func pings() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        for _ in 0..<5 {
            hub.advance(milliseconds: 30_000)
            device.ping(next: 30)
        }
        #expect(device.pongs.count == 5)
        #expect(device.pongs.first?.token == 7)
        for _ in 0..<6 { device.ping(next: 30) }
        #expect(device.errorNumbers == [.pingTooFast])
    }

    @Test("another instance takes a device over; the old one is told not to fight")
    func takeover() throws {
        let hub = try WholeHub(shards: 2)
        let first = try ScriptedDevice.registered(hub, shard: 0, tags: ["a"])
        let second = ScriptedDevice(hub, shard: 1, exporter: 3)
        second.id = first.id
        second.key = first.key
        second.instance = 2
        second.position = first.position
        try second.hello()
        first.read()
        #expect(first.errorNumbers == [.takenOver])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        first.read()
        second.read()
        #expect(first.alerts == [])
        #expect(second.alerts == ["1"])
    }

    @Test("a drain says GOAWAY, hears the last acknowledgement, then closes")
    func drains() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        hub.shards[0].loop.core.drain(now: hub.now)
        hub.runUntilIdle()
        device.read()
        #expect(device.alerts == ["1"])
        #expect(device.goaways.first?.spread == 500)
        device.acknowledge()
        #expect(device.errorNumbers == [])
        let late = ScriptedDevice(hub)
        try late.hello()
        #expect(late.errorNumbers == [.draining])
        hub.advance(milliseconds: 5_500)
        #expect(hub.closed.contains(device.address))
        device.position = .none
        // The acknowledgement was heard: a later hub process would go on after it.
        var cursors: [StoredCursor] = []
        try hub.checkpoint()
        hub.store.forEachCursor { cursors.append($0) }
        #expect(cursors.map(\.acknowledged) == [1])
    }

    @Test("a device whose connection must end is told to come back at once, and no other")
    func retires() throws {
        let hub = try WholeHub()
        let device = try ScriptedDevice.registered(hub, tags: ["a"])
        let other = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.shards[device.address.shard].loop.core.retire(device.address.connection, now: hub.now)
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        device.read()
        other.read()
        #expect(device.goaways.map(\.spread) == [0] && device.alerts == [])
        #expect(other.goaways.isEmpty && other.alerts == ["1"])
        hub.advance(milliseconds: 5_500)
        #expect(hub.closed.contains(device.address) && !hub.closed.contains(other.address))
    }

    @Test("too many changes are refused with a time to wait; new identities are limited by address")
    func rates() throws {
        var limits = SessionLimits()
        limits.rates.identitiesBurst = 2
        let hub = try WholeHub(limits: limits)
        let device = ScriptedDevice(hub)
        try device.hello()
        for number in 0..<20 { try device.register(tags: ["t\(number)"]) }
        let limited = device.results.filter { $0.status == ErrorNumber.rateLimited.rawValue }
        #expect(limited.count == 20 - WireLimits.changesBurst)
        #expect(limited.first?.retryAfter == 1_000)
        let address = DeviceID(high: 0, low: 0xFFFF_0A00_0001)
        let answers = try (0..<3).map { _ in try Self.makesIdentity(hub, from: address) }
        #expect(answers == [true, true, false])
    }

    @Test("the address heard of least recently is forgotten when there are too many")
    func manyAddresses() throws {
        var limits = SessionLimits()
        limits.rates.identitiesBurst = 1
        limits.rates.identityAddressesMax = 2
        let hub = try WholeHub(limits: limits)
        let addresses = (1...4).map { DeviceID(high: 0, low: 0xFFFF_0A00_0000 + $0) }
        #expect(try Self.makesIdentity(hub, from: addresses[0]))
        #expect(try !Self.makesIdentity(hub, from: addresses[0]))
        // However many others come: who goes on asking is not forgotten.
        for other in addresses[1...] {
            #expect(try Self.makesIdentity(hub, from: other))
            #expect(try !Self.makesIdentity(hub, from: addresses[0]))
        }
        // The first of the others was pushed out.
        #expect(try Self.makesIdentity(hub, from: addresses[1]))
    }

    @Test("an IPv6 address counts by its network of 64 bits, an IPv4 address by itself")
    func networks() throws {
        var limits = SessionLimits()
        limits.rates.identitiesBurst = 1
        let hub = try WholeHub(limits: limits)
        let prefix: UInt64 = 0x2001_0DB8_0000_0001
        #expect(try Self.makesIdentity(hub, from: DeviceID(high: prefix, low: 1)))
        #expect(try !Self.makesIdentity(hub, from: DeviceID(high: prefix, low: 0xFFFF_0000_0002)))
        #expect(try Self.makesIdentity(hub, from: DeviceID(high: prefix + 1, low: 1)))
        #expect(try Self.makesIdentity(hub, from: DeviceID(high: 0, low: 0xFFFF_0A00_0001)))
        #expect(try Self.makesIdentity(hub, from: DeviceID(high: 0, low: 0xFFFF_0A00_0002)))
    }

    /// Whether a token HELLO from an address is answered by WELCOME and not by RATE_LIMITED.
    private static func makesIdentity(_ hub: WholeHub, from network: DeviceID) throws -> Bool {
        let address = hub.connect(from: network, loopback: false)
        var bytes: [UInt8] = []
        try HelloMessage(hub: WholeHub.name).encode(auth: hub.listenToken, into: &bytes)
        hub.input(bytes, from: address)
        hub.runUntilIdle()
        let first = try #require(hub.output(to: address).first)
        #expect(first == FrameType.welcome.rawValue || first == FrameType.error.rawValue)
        return first == FrameType.welcome.rawValue
    }

    @Test("nothing follows a fatal ERROR: no answer that was due, no second ERROR. [C-3]")
    func lastWord() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        let address = device.address
        var register: [UInt8] = []
        try RegisterMessage(slot: 0, platform: Platform.apple.rawValue, tags: [])
            .encode(into: &register, ref: 1)
        // The directory has not answered when a frame of an unknown type comes in the same turn.
        hub.input(register + [0x7F, 0, 0, 0, 0, 0, 0, 0], from: address)
        let outcome = DeviceOutcome(slot: 0)
        hub.shards[0].loop.core.receive(
            .outcome(address, reference: 1, outcome),
            of: hub.hub,
            now: hub.now
        )
        hub.shards[0].loop.core.receive(
            .attachRefused(address, .unavailable, retryAfterMilliseconds: 1),
            of: hub.hub,
            now: hub.now
        )
        hub.runUntilIdle()
        device.read()
        #expect(device.errorNumbers == [.unknownType])
        #expect(device.results == [])
        #expect(hub.shards[0].loop.core.totals.errors == [.unknownType: 1])
    }
}
