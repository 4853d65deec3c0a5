import Glibc
import HubTransport
import Testing

@Suite("Handshakes that fail")
struct HandshakeTests {
    @Test("a silent peer is closed after the handshake deadline")
    func timesOut() throws {
        var limits = TransportLimits.patient
        limits.timers.handshakeMilliseconds = 100
        let net = try TestNet(limits: limits)
        let peer = try RawPeer(net.address)
        #expect(peer.readAll() == [])
        let counted = try net.statistics("timeout") { $0[.timeout] == 1 }
        #expect(counted.opened == 0)
        #expect(try net.server.run { $0.connections.count } == 0)
    }

    @Test(
        "bytes that are not TLS get an alert, are counted and leave nothing behind",
        arguments: [
            Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
            Array("CONNECT example.org:443 HTTP/1.1\r\n\r\n".utf8),
            (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ 11) },
            [UInt8](repeating: 0, count: 64),
            [0x16, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 0x41, count: 300),
        ]
    )
    func refusesOtherProtocols(bytes: [UInt8]) throws {
        let net = try TestNet()
        do {
            let peer = try RawPeer(net.address)
            peer.send(bytes)
            let answer = peer.readAll()
            #expect(answer.isEmpty || answer.first == 0x15, "answer \(answer)")
        }
        _ = try net.statistics("not TLS") { $0[.notTLS] == 1 }
        try gone(net)
    }

    @Test("a stream that ends in the middle is counted as lost")
    func losesPeers() throws {
        let net = try TestNet()
        do {
            let peer = try RawPeer(net.address)
            peer.send([0x16, 3, 1, 0])
        }
        _ = try net.statistics("lost") { $0[.lost] == 1 }
        try gone(net)
    }

    @Test(
        "a client without our application protocol is refused",
        .enabled(if: OpenSSLClient.isInstalled),
        arguments: [["-alpn", "h2,http/1.1"], []]
    )
    func refusesOtherApplications(arguments: [String]) throws {
        let net = try TestNet()
        let client = try OpenSSLClient(net.address, arguments)
        let result = try client.finish()
        #expect(result.code != 0)
        #expect(result.text.contains("no application protocol"), "\(result.text)")
        _ = try net.statistics("protocol") { $0[.applicationProtocol] == 1 }
        #expect(net.server.log.all.opened.isEmpty)
    }

    @Test("a TLS 1.2 client is refused", .enabled(if: OpenSSLClient.isInstalled))
    func refusesOldVersions() throws {
        let net = try TestNet()
        let client = try OpenSSLClient(net.address, ["-tls1_2", "-alpn", "belfry/1"])
        let result = try client.finish()
        #expect(result.code != 0)
        #expect(result.text.contains("alert protocol version"), "\(result.text)")
        _ = try net.statistics("version") { $0[.version] == 1 }
    }

    @Test("a client refuses a certificate of another authority")
    func refusesUntrusted() throws {
        let net = try TestNet()
        let client = try net.client()
        let id = try net.connect(client, trusting: TestAuthority("Stranger").root)
        let failure = try client.log.wait("failure") { $0.failure(of: id) }
        guard case .handshake(.certificate, let verification) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(verification != 0)
        _ = try net.statistics("alert") { $0[.certificate] == 1 }
        try gone(net)
    }

    @Test(
        "a client refuses a certificate for another name",
        arguments: ["example.org", "10.1.2.3"]
    )
    func refusesOtherNames(name: String) throws {
        let net = try TestNet()
        let client = try net.client()
        let id = try net.connect(client, serverName: name)
        let failure = try client.log.wait("failure") { $0.failure(of: id) }
        guard case .handshake(.certificate, let verification) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(verification == 62 || verification == 64, "\(verification)")
    }

    @Test("a numeric server name is found among the certificate's addresses")
    func acceptsAddresses() throws {
        let net = try TestNet()
        let client = try net.client()
        let id = try net.connect(client, serverName: "127.0.0.1")
        try client.log.wait("opened") { $0.opened.contains { $0.0 == id } ? () : nil }
    }

    @Test("a port nobody listens on is told as unreachable")
    func tellsUnreachable() throws {
        // The system never gives this port away.
        let free = try SocketAddress(numeric: "127.0.0.1", port: 1)
        let client = try TestNode(ReactorConfiguration())
        let root = TestAuthority().root
        let begun = try client.run { handler in
            try? handler.connections.connect(
                to: free,
                serverName: "localhost",
                using: TLSContext(client: ClientTLS(authorities: root))
            )
        }
        let id = try #require(begun)
        let failure = try client.log.wait("failure") { $0.failure(of: id) }
        #expect(failure == .unreachable(code: ECONNREFUSED))
    }

    @Test("a certificate the hub's authority signed is told by the hash of its key")
    func namesClients() throws {
        let net = try TestNet(asksClients: true)
        let client = try net.client()
        let own = net.authority.issue()
        let id = try net.connect(client, identity: own)
        try client.log.wait("opened") { $0.opened.contains { $0.0 == id } ? () : nil }
        let peer = try net.server.log.wait("opened") { $0.opened.first?.1 }
        #expect(peer.certificate == .trusted(keyHash: sha256(own.keyDER)))
        let without = try net.open(client)
        let second = try #require(net.server.log.all.opened.first { $0.0 == without.server })
        #expect(second.1.certificate == .none)
    }

    @Test("a client certificate of another authority opens the connection and proves nothing")
    func tellsStrangers() throws {
        let net = try TestNet(asksClients: true)
        let client = try net.client()
        _ = try net.connect(client, identity: TestAuthority("Stranger").issue())
        let peer = try net.server.log.wait("opened") { $0.opened.first?.1 }
        #expect(peer.certificate == .untrusted)
    }

    /// Waits until the server holds no connection.
    private func gone(_ net: TestNet) throws {
        var count = 1
        for _ in 0..<100_000 where count > 0 {
            count = try net.server.run { $0.connections.count }
        }
        #expect(count == 0)
    }
}
