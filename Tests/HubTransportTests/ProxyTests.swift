import HubTransport
import Testing

@Suite("Connections from a balancer")
struct ProxyTests {
    private static func net(limits: TransportLimits = .patient) throws -> TestNet {
        try TestNet(limits: limits, proxies: [AddressBlock("127.0.0.0/8")])
    }

    private static func header(_ host: String) throws -> [UInt8] {
        let source = try SocketAddress(numeric: host, port: 54_321)
        return ProxyHeader(source: source).encoded(to: source)
    }

    @Test("have the address that the header tells, before and after its TLS is opened")
    func tells() throws {
        let net = try Self.net()
        try net.server.run { $0.echoes = true }
        let client = try PlainTLSClient(net.address, behind: try Self.header("203.0.113.7"))
        let peer = try net.server.log.wait("opened") { $0.opened.first?.1 }
        #expect(peer.address == (try SocketAddress(numeric: "203.0.113.7", port: 54_321)))
        #expect(!peer.isLoopback)
        try client.write([1, 2, 3])
        #expect(try client.read(3) == [1, 2, 3])
    }

    @Test("may send the header byte by byte, and the beginning of TLS with it")
    func pieces() throws {
        let net = try Self.net()
        let header = try Self.header("2001:db8::7")
        let client = try PlainTLSClient(net.address, behind: header, byteByByte: true)
        let peer = try net.server.log.wait("opened") { $0.opened.first?.1 }
        #expect(peer.address.host == "2001:db8::7")
        try client.write([7])
        _ = try net.server.log.wait("bytes") { events in
            events.opened.first.flatMap { events.bytes(from: $0.0) == [7] ? true : nil }
        }
        // One segment with both, as a balancer sends it whose client was quick.
        let quick = try RawPeer(net.address)
        quick.send(header + [0x16, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 0x41, count: 300))
        _ = quick.readAll()
        _ = try net.statistics("not TLS") { $0[.notTLS] == 1 && $0[.proxyHeader] == 0 }
    }

    @Test("keep their own address when the balancer speaks for itself")
    func local() throws {
        let net = try Self.net()
        let own = ProxyHeader(source: nil).encoded(to: net.address)
        _ = try PlainTLSClient(net.address, behind: own)
        let peer = try net.server.log.wait("opened") { $0.opened.first?.1 }
        #expect(peer.address.host == "127.0.0.1")
    }

    @Test(
        "are closed and counted when what they begin with is no header",
        arguments: [
            [0x16, 3, 1, 0, 5], Array("GET / HTTP/1.1\r\n\r\n".utf8),
            Array("PROXY TCP4 203.0.113.7 127.0.0.1 1 2\r\n".utf8),
            [0x0D, 0x0A, 0x0D, 0x0A, 0, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x12],
        ]
    )
    func refuses(_ bytes: [UInt8]) throws {
        let net = try Self.net()
        let peer = try RawPeer(net.address)
        peer.send(bytes)
        #expect(peer.readAll() == [])
        _ = try net.statistics("refused") { $0[.proxyHeader] == 1 }
        #expect(try net.server.run { $0.connections.unauthenticatedCount } == 0)
    }

    @Test("have the handshake's time for their header too")
    func deadline() throws {
        var limits = TransportLimits.patient
        limits.timers.handshakeMilliseconds = 100
        let net = try Self.net(limits: limits)
        let peer = try RawPeer(net.address)
        peer.send(try Self.header("203.0.113.7").dropLast())
        #expect(peer.readAll() == [])
        _ = try net.statistics("timeout") { $0[.timeout] == 1 && $0[.proxyHeader] == 0 }
    }

    @Test("count under the told address, and under none before")
    func limits() throws {
        var limits = TransportLimits.patient
        limits.unauthenticatedPerAddress = 1
        limits.limitsLoopback = true
        let net = try Self.net(limits: limits)
        let silent = try RawPeer(net.address)
        let other = try RawPeer(net.address)
        _ = try net.statistics("two of no address") { $0.accepted == 2 && $0[.perAddress] == 0 }
        silent.send(try Self.header("203.0.113.7"))
        other.send(try Self.header("203.0.113.8"))
        let third = try RawPeer(net.address)
        third.send(try Self.header("203.0.113.8"))
        #expect(third.readAll() == [])
        let counted = try net.statistics("refused") { $0[.perAddress] == 1 }
        #expect(counted[.proxyHeader] == 0)
        // The place of one that has gone is free again.
        other.endWriting()
        _ = other.readAll()
        _ = try net.statistics("lost") { $0[.lost] == 1 }
        try net.server.run { $0.authenticates = false }
        _ = try PlainTLSClient(net.address, behind: try Self.header("203.0.113.8"))
    }

    @Test("are none where no balancer is named: a header is then no TLS")
    func unnamed() throws {
        let net = try TestNet()
        let peer = try RawPeer(net.address)
        peer.send(try Self.header("203.0.113.7"))
        _ = peer.readAll()
        _ = try net.statistics("not TLS") { $0[.notTLS] == 1 }
    }
}

@Suite("Connections from a front")
struct FrontHeaderTests {
    private static let told = "203.0.113.7"

    private static func net(
        limits: TransportLimits = .patient,
        _ believes: Bool = true
    ) throws -> (TestNet, FrontTrust) {
        let trust = FrontTrust { _ in believes }
        return (try TestNet(limits: limits, fronts: trust), trust)
    }

    private static func header() throws -> [UInt8] {
        let source = try SocketAddress(numeric: told, port: 54_321)
        let field = ProxyHeader.Field(kind: 0xE1, value: [1, 2, 3])
        return ProxyHeader(source: source, fields: [field]).encoded(to: source)
    }

    @Test("have the address that is proved, and devices of their own machine have theirs")
    func tells() throws {
        let (net, _) = try Self.net()
        _ = try PlainTLSClient(net.address, behind: try Self.header(), byteByByte: true)
        let peer = try net.server.log.wait("opened") { $0.opened.first?.1 }
        #expect(peer.address.host == Self.told)
        _ = try PlainTLSClient(net.address, behind: [])
        let own = try net.server.log.wait("opened") { $0.opened.dropFirst().first?.1 }
        #expect(own.address.host == "127.0.0.1")
    }

    @Test("are closed and counted when their header proves nothing")
    func refuses() throws {
        let (net, _) = try Self.net(false)
        let peer = try RawPeer(net.address)
        peer.send(try Self.header())
        #expect(peer.readAll() == [])
        _ = try net.statistics("refused") { $0[.proxyHeader] == 1 }
        #expect(try net.server.run { $0.connections.unauthenticatedCount } == 0)
    }

    @Test("count under the address that is told, also where fronts are not known yet")
    func counts() throws {
        var limits = TransportLimits.patient
        limits.limitsLoopback = true
        limits.unauthenticatedPerAddress = 1
        let (net, trust) = try Self.net(limits: limits)
        let header = try Self.header()
        let first = try RawPeer(net.address)
        first.send(header + [0x16])
        _ = try net.statistics("accepted") { $0.accepted == 1 && $0.bytesIn > 0 }
        // The front's own address is free again, and the device's has no more.
        let second = try RawPeer(net.address)
        second.send(header + [0x16])
        #expect(second.readAll() == [])
        _ = try net.statistics("refused") { $0[.perAddress] == 1 }
        trust.learn(try SocketAddress(numeric: "127.0.0.1", port: 0))
        // Each may be for anybody.
        let third = try RawPeer(net.address)
        let fourth = try RawPeer(net.address)
        _ = try net.statistics("accepted") { $0.accepted == 4 && $0[.perAddress] == 1 }
        #expect(try net.server.run { $0.connections.unauthenticatedCount } == 3)
        first.send([0x16])
        third.send([0x16])
        fourth.send([0x16])
    }

    @Test("addresses of fronts are remembered up to the limit")
    func remembers() throws {
        let trust = FrontTrust { _ in true }
        let all = try (0...TransportLimits.frontsMax).map { number in
            try SocketAddress(numeric: "10.0.\(number / 256).\(number % 256)", port: 0)
        }
        for address in all.dropLast() { trust.learn(address) }
        #expect(all.dropLast().allSatisfy(trust.knows))
        trust.learn(all[all.count - 1])
        #expect(!trust.knows(all[0]) && trust.knows(all[all.count - 1]))
    }
}
