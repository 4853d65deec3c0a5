import HubFront
import HubTransport
import Testing

@Suite("What a front says of its client")
struct FrontProofTests {
    private static let proof = FrontProof(key: Array(repeating: 7, count: 32))

    @Test("is read by the leader that it is for", arguments: ["192.0.2.1", "2001:db8::1", nil])
    func reads(client: String?) {
        let value = Self.proof.value(client: client, leader: 5)
        #expect(Self.proof.client(in: value, leader: 5) == FrontProof.Client(address: client))
    }

    @Test("is worth nothing to another run, with another key, or about another client")
    func refuses() {
        let value = Self.proof.value(client: "192.0.2.1", leader: 5)
        #expect(Self.proof.client(in: value, leader: 6) == nil)
        let other = FrontProof(key: Array(repeating: 8, count: 32))
        #expect(other.client(in: value, leader: 5) == nil)
        let moved = value.replacing("192.0.2.1", with: "192.0.2.2")
        #expect(Self.proof.client(in: moved, leader: 5) == nil)
    }

    @Test("is no text of another form", arguments: ["", " ", "192.0.2.1", "- AAAA", "- ? ?"])
    func forms(text: String) {
        #expect(Self.proof.client(in: text, leader: 5) == nil)
    }

    @Test("is believed of a device at the address of its header, by the leader that it is for")
    func devices() throws {
        let source = try SocketAddress(numeric: "192.0.2.1", port: 7)
        let field = Self.proof.field(of: source, leader: 5)
        let header = ProxyHeader(source: source, fields: [field])
        #expect(Self.proof.proves(header, leader: 5) && !Self.proof.proves(header, leader: 6))
        let other = ProxyHeader(source: source.with(port: 8), fields: [field])
        #expect(!Self.proof.proves(other, leader: 5))
        #expect(!Self.proof.proves(ProxyHeader(source: source), leader: 5))
        #expect(!Self.proof.proves(ProxyHeader(source: nil, fields: [field]), leader: 5))
        let bytes = header.encoded(to: source)
        #expect(bytes.count <= TransportLimits.proxyHeaderBytesMax)
    }
}
