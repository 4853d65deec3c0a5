import HubDelivery
import HubDirectory
@testable import HubHarness
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Openings")
struct OpeningTests {
    private static func helloWithToken(_ hub: WholeHub) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try HelloMessage(hub: WholeHub.name).encode(auth: hub.listenToken, into: &bytes)
        return bytes
    }

    private static var ping: [UInt8] {
        var bytes: [UInt8] = []
        PingFrame(nextSeconds: 100, token: 7).encode(into: &bytes)
        return bytes
    }

    @Test("frames between HELLO and WELCOME wait for WELCOME, wherever they are cut. [S-1]")
    func early() throws {
        let hub = try WholeHub()
        let whole = ScriptedDevice(hub)
        whole.send(try Self.helloWithToken(hub) + Self.ping)
        #expect(whole.welcome != nil)
        #expect(whole.pongs.map(\.token) == [7])
        let cut = ScriptedDevice(hub)
        hub.input(try Self.helloWithToken(hub) + Self.ping.prefix(5), from: cut.address)
        for byte in Self.ping.dropFirst(5) { hub.input([byte], from: cut.address) }
        hub.runUntilIdle()
        cut.read()
        #expect(cut.pongs.map(\.token) == [7])
        #expect(whole.errors.isEmpty && cut.errors.isEmpty)
    }

    @Test("more than the limit of them is refused. [S-1]")
    func tooEarly() throws {
        let hub = try WholeHub()
        let padding = [0x80, 0, 0, 0, 0, 0, 0x03, 0xF8] + [UInt8](repeating: 0, count: 1_016)
        for (frames, errors) in [(16, []), (17, [ErrorNumber.wrongState])] {
            let device = ScriptedDevice(hub)
            let early = Array(repeatElement(padding, count: frames).joined())
            device.send(try Self.helloWithToken(hub) + early)
            #expect(device.errorNumbers == errors)
            #expect((device.welcome == nil) == !errors.isEmpty)
        }
    }

    @Test(
        "a client certificate proves its identity, with empty credentials only. [A-1] [A-4]",
        arguments: [
            (DeviceCertificate.proves(DeviceID(high: 1, low: 2)), [], nil),
            (.proves(DeviceID(high: 1, low: 2)), [0x78], .authFailed),
            (.proves(DeviceID(high: 1, low: 3)), [], .authFailed),
            (.untrusted, [], .authFailed),
            (.none, [], .authRequired),
        ] as [(DeviceCertificate, [UInt8], ErrorNumber?)]
    )
    func certificates(shown: DeviceCertificate, auth: [UInt8], error: ErrorNumber?) throws {
        let hub = try WholeHub()
        let first = try Self.show(shown, auth: auth, to: hub)
        #expect(first == (error == nil ? FrameType.welcome : .error).rawValue)
        #expect(hub.shards[0].loop.core.totals.errors == (error.map { [$0: 1] } ?? [:]))
    }

    @Test("a certificate of a device that was revoked opens nothing, however often. [A-1]")
    func revokedCertificate() throws {
        let hub = try WholeHub()
        let device = DeviceID(high: 1, low: 2)
        #expect(try Self.show(.proves(device), to: hub) == FrameType.welcome.rawValue)
        _ = hub.run(RevokeDevice(.device(device)))
        for _ in 0..<2 {
            #expect(try Self.show(.proves(device), to: hub) == FrameType.error.rawValue)
        }
        // The session that was open, and each HELLO since.
        #expect(hub.shards[0].loop.core.totals.errors == [.deviceRevoked: 3])
    }

    /// The type of the first frame after HELLO with a certificate.
    private static func show(
        _ certificate: DeviceCertificate,
        auth: [UInt8] = [],
        to hub: WholeHub
    ) throws -> UInt8 {
        let address = hub.connect(certificate: certificate)
        var message = HelloMessage(hub: WholeHub.name)
        message.deviceID = ID16(high: 1, low: 2)
        message.authMethod = .clientCertificate
        var bytes: [UInt8] = []
        try message.encode(auth: auth, into: &bytes)
        hub.input(bytes, from: address)
        hub.runUntilIdle()
        return try #require(hub.output(to: address).first)
    }

    @Test("a new identity begins at the head, whatever position its HELLO shows. [A-2]")
    func positionWithToken() throws {
        let hub = try WholeHub()
        let former = try ScriptedDevice.registered(hub, tags: ["a"])
        hub.run(Send(try WholeHub.apple("1", tags: "a")))
        let device = ScriptedDevice(hub)
        device.position = former.position
        #expect(device.position.epoch != 0)
        hub.run(Send(try WholeHub.apple("2", tags: "a")))
        try device.hello()
        #expect(device.welcome?.resume == .fresh)
        #expect(device.welcome?.position.sequence == 2)
    }

    @Test("a frame of an unknown type is a sign of life too. [K-1]")
    func signOfLife() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        device.ping(next: 100)
        hub.advance(milliseconds: 184_000)
        device.send([0x90, 0, 0, 0, 0, 0, 0, 0])
        hub.advance(milliseconds: 184_000)
        device.read()
        #expect(device.errors.isEmpty)
        hub.advance(milliseconds: 2_000)
        device.read()
        #expect(device.errorNumbers == [.idleTimeout])
    }
}
