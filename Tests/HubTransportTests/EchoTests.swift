import HubTransport
import Testing

@Suite("Two reactors over TLS")
struct EchoTests {
    @Test("bytes go both ways and both ends know the same exporter value")
    func echoes() throws {
        let net = try TestNet()
        let client = try net.client()
        try net.server.run { $0.echoes = true }
        let pair = try net.open(client)
        let hello = Array("hello, hub".utf8)
        #expect(try client.run { $0.write(hello, to: pair.client) } == .accepted)
        try client.log.wait("echo") { $0.bytes(from: pair.client) == hello ? () : nil }
        #expect(net.server.log.all.bytes(from: pair.server) == hello)
        let seen = try #require(net.server.log.all.opened.first?.1)
        #expect(seen.exporter == pair.peer.exporter)
        #expect(seen.exporter.count == 32 && Set(seen.exporter).count > 4)
        #expect(seen.applicationProtocol == "belfry/1")
        #expect(seen.isLoopback && seen.address.host == "127.0.0.1")
        #expect(seen.keyHash == nil)
    }
}
