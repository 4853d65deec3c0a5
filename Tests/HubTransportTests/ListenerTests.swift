import HubTestSupport
import HubTransport
import Testing

@Suite("Listening")
struct ListenerTests {
    private func error(
        at address: SocketAddress,
        count: Int = 1
    ) -> TransportError? {
        do throws(TransportError) {
            _ = try Listeners(at: address, count: count)
            return nil
        } catch { return error }
    }

    @Test("port 0 becomes one port that all listeners share, and no one else may")
    func sharesAPort() throws {
        let any = try SocketAddress(numeric: "127.0.0.1", port: 0)
        let held = try Listeners(at: any, count: 3)
        #expect(held.address.port != 0)
        #expect(error(at: held.address) == .portInUse(held.address.port))
        #expect(error(at: held.address, count: 2) == .portInUse(held.address.port))
    }

    @Test("a port is free again when its listeners are gone")
    func freesAPort() throws {
        let any = try SocketAddress(numeric: "127.0.0.1", port: 0)
        let address = try Listeners(at: any, count: 2).address
        // A child that another test has begun just now has copies until its own program runs.
        try eventually(blocking: "a free port", within: .seconds(10)) {
            let error = error(at: address)
            try #require(error == nil || error == .portInUse(address.port))
            return error == nil
        }
    }

    @Test("an address of another machine is refused")
    func refusesForeignAddresses() throws {
        let foreign = try SocketAddress(numeric: "192.0.2.1", port: 0)
        #expect(error(at: foreign) == .addressNotAvailable("192.0.2.1"))
    }

    @Test(
        "numeric addresses are read and written",
        arguments: [
            ("127.0.0.1", "127.0.0.1:80", true), ("::1", "[::1]:80", true),
            ("10.0.0.1", "10.0.0.1:80", false), ("2001:db8::5", "[2001:db8::5]:80", false),
            ("127.255.0.3", "127.255.0.3:80", true), ("::ffff:127.0.0.1", "127.0.0.1:80", true),
        ]
    )
    func readsAddresses(text: String, printed: String, isLoopback: Bool) throws {
        let address = try SocketAddress(numeric: text, port: 80)
        #expect(address.description == printed)
        #expect(address.isLoopback == isLoopback)
        #expect(address.bytes.count == 16)
    }

    @Test("text that is no address is refused", arguments: ["", "localhost", "1.2.3", "::g"])
    func refusesText(text: String) {
        var thrown: TransportError?
        do throws(TransportError) {
            _ = try SocketAddress(numeric: text, port: 1)
        } catch { thrown = error }
        #expect(thrown == .addressInvalid(text))
    }

    @Test("connections are spread over the reactors of one port")
    func spreads() throws {
        let authority = TestAuthority()
        let identity = authority.issue()
        let tls = try ServerTLS(certificate: identity.certificate, key: identity.key)
        let listeners = try Listeners(
            at: SocketAddress(numeric: "127.0.0.1", port: 0),
            count: 2
        )
        let configuration = ReactorConfiguration(server: .init(listeners: listeners, tls: tls))
        let nodes = try [TestNode(configuration), TestNode(configuration)]
        let client = try TestNode(ReactorConfiguration())
        let trust = ClientTLS(authorities: authority.root)
        try client.run { handler in
            guard let context = try? TLSContext(client: trust) else { return }
            for _ in 0..<64 {
                _ = try? handler.connections.connect(
                    to: listeners.address,
                    serverName: "localhost",
                    using: context
                )
            }
        }
        try client.log.wait("all open") { $0.opened.count == 64 ? () : nil }
        for node in nodes { try node.log.wait("some") { $0.opened.isEmpty ? nil : () } }
    }

    @Test("a v6 listener also takes v4 connections, told apart by their addresses")
    func listensOnBoth() throws {
        let authority = TestAuthority()
        let identity = authority.issue()
        let tls = try ServerTLS(certificate: identity.certificate, key: identity.key)
        let listeners = try Listeners(at: SocketAddress(numeric: "::", port: 0), count: 1)
        let server = try TestNode(
            ReactorConfiguration(server: .init(listeners: listeners, tls: tls))
        )
        let client = try TestNode(ReactorConfiguration())
        let trust = ClientTLS(authorities: authority.root)
        let port = listeners.address.port
        for host in ["127.0.0.1", "::1"] {
            let address = try SocketAddress(numeric: host, port: port)
            try client.run { handler in
                guard let context = try? TLSContext(client: trust) else { return }
                _ = try? handler.connections.connect(
                    to: address,
                    serverName: host,
                    using: context
                )
            }
        }
        let hosts = try server.log.wait("both") { events in
            events.opened.count == 2 ? Set(events.opened.map(\.1.address.host)) : nil
        }
        #expect(hosts == ["127.0.0.1", "::1"])
    }
}
