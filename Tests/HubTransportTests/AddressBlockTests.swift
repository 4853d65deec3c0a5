import HubTransport
import Testing

@Suite("Networks of addresses")
struct AddressBlockTests {
    /// A network, addresses in it, and others.
    private static let samples: [(String, [String], [String])] = [
        ("10.0.0.1", ["10.0.0.1", "::ffff:10.0.0.1"], ["10.0.0.2", "10.0.0.0", "::a00:1"]),
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0"]),
        ("10.0.0.8/29", ["10.0.0.8", "10.0.0.15"], ["10.0.0.7", "10.0.0.16"]),
        ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::1", "fd00::1"]),
        ("fd00::1", ["fd00::1"], ["fd00::2", "fd00:0:0:1::1"]),
        ("fd00::/8", ["fd00::", "fdff:ffff::1"], ["fc00::1", "fe00::1"]),
        ("2001:db8::/64", ["2001:db8::ffff:1"], ["2001:db8:0:1::1"]),
        ("2001:db8::/65", ["2001:db8::7fff:0:0:0"], ["2001:db8::8000:0:0:0"]),
        ("::/0", ["::1", "10.0.0.1"], []),
    ]

    @Test("hold the addresses that begin with their bits, and no other", arguments: samples)
    func contains(_ text: String, _ inside: [String], _ outside: [String]) throws {
        let block = try AddressBlock(text)
        #expect("\(block)" == text)
        for address in inside {
            #expect(block.contains(try SocketAddress(numeric: address, port: 1)), "\(address)")
        }
        for address in outside {
            #expect(!block.contains(try SocketAddress(numeric: address, port: 1)), "\(address)")
        }
    }

    @Test(
        "are refused when they are mistyped",
        arguments: [
            "", "/", "10.0.0.1/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.1/8",
            "fd00::/129", "fd00::1/64", "balancer.example.net", "10.0.0.0/+8", "10.0.0",
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: TransportError.networkInvalid(text)) { try AddressBlock(text) }
    }
}
