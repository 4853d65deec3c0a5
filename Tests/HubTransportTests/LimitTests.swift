import HubTransport
import Testing

@Suite("Limits on connections")
struct LimitTests {
    @Test("one connection more than allowed is closed and counted; a place freed is used")
    func limitsConnections() throws {
        var limits = TransportLimits.patient
        limits.connections = 2
        let net = try TestNet(limits: limits)
        let client = try net.client()
        let first = try net.open(client)
        _ = try net.open(client)
        let refused = try net.connect(client)
        _ = try client.log.wait("refused") { $0.failure(of: refused) }
        _ = try net.statistics("counted") { $0[.connections] == 1 }
        try client.run { $0.connections.close(first.client, .atOnce) }
        _ = try net.server.log.wait("closed") { $0.cause(of: first.server) }
        _ = try net.open(client)
    }

    @Test("of handshakes that stall the oldest gives way to one more")
    func limitsHandshakes() throws {
        var limits = TransportLimits.patient
        limits.handshakes = 2
        let net = try TestNet(limits: limits)
        let oldest = try RawPeer(net.address)
        _ = try net.statistics("accepted") { $0.accepted == 1 }
        let silent = try Silent(net.address)
        _ = try net.statistics("accepted") { $0.accepted == 2 }
        let client = try net.client()
        _ = try net.open(client)
        #expect(oldest.readAll() == [])
        _ = try net.statistics("counted") { $0.yielded == 1 && $0[.timeout] == 0 }
        // The younger one still has its place, and a finished handshake needs none.
        _ = try net.open(client)
        _ = try net.statistics("counted") { $0.yielded == 1 }
        silent.end()
        _ = try net.statistics("lost") { $0[.lost] == 1 }
    }

    @Test("handshakes that stall by the hundred keep no honest client out")
    func stalledFlood() throws {
        var limits = TransportLimits.patient
        limits.handshakes = 8
        limits.connections = 32
        let net = try TestNet(limits: limits)
        var stalled: [Silent] = []
        for round in 0..<10 {
            for _ in 0..<20 { stalled.append(try Silent(net.address)) }
            _ = try net.statistics("accepted") { $0.accepted >= UInt64((round + 1) * 20) }
            let client = try net.client()
            _ = try net.open(client)
        }
        let counts = try net.statistics("counted") { $0.opened == 10 }
        #expect(counts.yielded >= 180)
        for peer in stalled { peer.end() }
    }

    @Test("of connections without proof the oldest gives way, until they are authenticated")
    func limitsUnauthenticated() throws {
        var limits = TransportLimits.patient
        limits.unauthenticated = 2
        let net = try TestNet(limits: limits)
        let client = try net.client()
        try net.server.run { $0.authenticates = false }
        let first = try net.open(client)
        _ = try net.open(client)
        let third = try net.open(client)
        let cause = try net.server.log.wait("closed") { $0.cause(of: first.server) }
        #expect(cause == .yielded)
        _ = try net.statistics("counted") { $0.yielded == 1 }
        try net.server.run { handler in
            handler.connections.markAuthenticated(third.server)
            handler.connections.markAuthenticated(third.server)
        }
        _ = try net.open(client)
        _ = try net.statistics("counted") { $0.yielded == 1 }
        #expect(try net.server.run { $0.connections.unauthenticatedCount } == 2)
    }

    @Test("one address is limited, loopback only when that is asked for", arguments: [true, false])
    func limitsAddresses(limitsLoopback: Bool) throws {
        var limits = TransportLimits.patient
        limits.unauthenticatedPerAddress = 1
        limits.limitsLoopback = limitsLoopback
        let net = try TestNet(limits: limits)
        let client = try net.client()
        try net.server.run { $0.authenticates = false }
        let first = try net.open(client)
        let second = try net.connect(client)
        if limitsLoopback {
            _ = try client.log.wait("refused") { $0.failure(of: second) }
            _ = try net.statistics("counted") { $0[.perAddress] == 1 }
            // Gone before it was authenticated, it leaves the count.
            try client.run { $0.connections.close(first.client, .atOnce) }
            _ = try net.server.log.wait("closed") { $0.cause(of: first.server) }
            _ = try net.open(client)
        } else {
            try client.log.wait("opened") { $0.opened.contains { $0.0 == second } ? () : nil }
        }
    }

    @Test("a reactor refuses to connect beyond its limit")
    func limitsConnecting() throws {
        var limits = TransportLimits.patient
        limits.connections = 1
        let net = try TestNet()
        let client = try net.client(limits: limits)
        _ = try net.open(client)
        #expect(throws: TransportError.tooManyConnections) { try net.connect(client) }
    }

    @Test("running out of descriptors pauses accepting and neither spins nor loses the port")
    func survivesWithoutDescriptors() async {
        await #expect(processExitsWith: .success) {
            let net = try TestNet()
            let client = try net.client()
            try net.server.run { $0.echoes = true }
            let pair = try net.open(client)
            DescriptorShortage.begin()
            let turns = try net.server.run { $0.turns }
            DescriptorShortage.fill()
            let waiting = try RawPeer(net.address)
            let paused = try net.statistics("paused") { $0.acceptPauses > 0 }
            // The open connection is served meanwhile.
            _ = try client.run { $0.write([1, 2], to: pair.client) }
            try client.log.wait("echo") { $0.bytes(from: pair.client) == [1, 2] ? () : nil }
            let passed = try net.server.run { $0.turns } - turns
            #expect(passed < 1_000, "\(passed) turns")
            DescriptorShortage.end()
            _ = try net.statistics("accepted") { $0.accepted > paused.accepted }
            waiting.send([0])
        }
    }

    /// A raw connection that can be ended while it is kept in an array.
    private final class Silent {
        private var peer: RawPeer?

        init(_ address: SocketAddress) throws { peer = try RawPeer(address) }

        func end() { peer = nil }
    }
}
