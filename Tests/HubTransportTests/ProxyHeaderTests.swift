import HubTransport
import Testing

@Suite("The header of a balancer")
struct ProxyHeaderTests {
    /// Signature, version and command, family, length, addresses and ports, fields; as HAProxy
    /// writes them.
    private static let front = "0d0a0d0a000d0a515549540a"
    private static let toldIPv4 = front + "21 11 000c cb007107 7f000001 d431 24e3"
    private static let toldIPv6 =
        front + "21 21 0024 20010db8000000000000000000000007 fd000000000000000000000000000001"
        + "d431 24e3"
    private static let withFields =
        front + "21 11 0017 cb007107 7f000001 d431 24e3 04 0002 0000 e0 0003 616263"

    @Test("tells address, port and fields, and how many bytes it takes")
    func reads() throws {
        let ipv4 = try #require(try read(Self.toldIPv4 + "160301"))
        #expect(ipv4.header.source == (try SocketAddress(numeric: "203.0.113.7", port: 54_321)))
        #expect(ipv4.header.fields == [] && ipv4.count == 28)
        let ipv6 = try #require(try read(Self.toldIPv6))
        #expect(ipv6.header.source == (try SocketAddress(numeric: "2001:db8::7", port: 54_321)))
        #expect(ipv6.count == 52)
        let more = try #require(try read(Self.withFields + "16"))
        #expect(more.count == 39)
        #expect(
            more.header.fields == [
                ProxyHeader.Field(kind: 4, value: [0, 0]),
                ProxyHeader.Field(kind: 0xE0, value: [0x61, 0x62, 0x63]),
            ]
        )
    }

    @Test("of a balancer that speaks for itself, or does not know, tells nothing")
    func local() throws {
        for text in ["20 00 0000", "20 11 000c cb007107 7f000001 d431 24e3", "20 ff 0002 aaaa"] {
            let found = try #require(try read(Self.front + text))
            #expect(found.header.source == nil && found.header.fields == [])
            #expect(found.count == bytes(Self.front + text).count)
        }
        #expect(try read(Self.front + "21 00 0001 aa")?.header.source == nil)
    }

    @Test("is awaited while any part of it is missing")
    func cuts() throws {
        for text in [Self.toldIPv4, Self.toldIPv6, Self.withFields, Self.front + "20 00 0000"] {
            let whole = bytes(text)
            for count in 0..<whole.count {
                let isWhole = try read(Array(whole[..<count])) != nil
                #expect(!isWhole, "\(count) bytes")
            }
        }
    }

    /// Bytes without blanks, and what is wrong with them.
    private static let others: [(String, ProxyHeader.Fault)] = [
        ("16", .signature), ("0d0a0d0a000d0a515549540b", .signature),
        ("50524f58592054435034", .signature),
    ]
    /// The same behind a signature.
    private static let mistakes: [(String, ProxyHeader.Fault)] = [
        ("11", .version(1)), ("31", .version(3)), ("22", .command(2)), ("21 12", .family(0x12)),
        ("21 22", .family(0x22)), ("21 31", .family(0x31)), ("21 10", .family(0x10)),
        ("21 11 000b", .addresses(11)), ("21 21 0023", .addresses(35)),
        ("21 11 0209", .tooLong(537)), ("20 00 ffff", .tooLong(65_551)),
        ("21 11 000e cb007107 7f000001 d431 24e3 0400", .field(kind: 4)),
        ("21 11 0010 cb007107 7f000001 d431 24e3 e0 0002 61", .field(kind: 0xE0)),
    ]

    @Test("is refused with what is wrong, as soon as that is seen")
    func refuses() {
        for (text, fault) in Self.others + Self.mistakes.map({ (Self.front + $0.0, $0.1) }) {
            #expect(throws: fault, "\(text)") { try read(text) }
        }
    }

    @Test("may be as long as the limit, and no longer")
    func edge() throws {
        let most = TransportLimits.proxyHeaderBytesMax
        #expect(most == 536)
        let source = try SocketAddress(numeric: "203.0.113.7", port: 1)
        let value = [UInt8](repeating: 7, count: most - 16 - 12 - 3)
        let header = ProxyHeader(source: source, fields: [.init(kind: 0xE1, value: value)])
        let longest = header.encoded(to: source)
        #expect(longest.count == most)
        #expect(try read(longest)?.header == header)
        var longer = longest + [0]
        longer[15] += 1
        #expect(throws: ProxyHeader.Fault.tooLong(most + 1)) {
            try read(longer)
        }
    }

    @Test("is written as it is read, also between the two families")
    func encodes() throws {
        let addresses = try ["203.0.113.7", "2001:db8::7"].map {
            try SocketAddress(numeric: $0, port: 54_321)
        }
        for source in addresses {
            for destination in addresses {
                let fields = [ProxyHeader.Field(kind: 0xE2, value: [1, 2, 3])]
                let header = ProxyHeader(source: source, fields: fields)
                let bytes = header.encoded(to: destination)
                let found = try #require(try read(bytes))
                #expect(found.header == header && found.count == bytes.count)
            }
        }
        let own = ProxyHeader(source: nil).encoded(to: addresses[0])
        #expect(own == bytes(Self.front + "20 00 0000"))
    }

    @Test("names a loopback address from this machine alone")
    func loopback() throws {
        let here = try SocketAddress(numeric: "127.0.0.1", port: 5)
        let balancer = try SocketAddress(numeric: "10.0.0.1", port: 6)
        let client = try SocketAddress(numeric: "203.0.113.7", port: 7)
        #expect(ProxyHeader(source: client).peer(of: balancer) == client)
        #expect(ProxyHeader(source: client).peer(of: here) == client)
        #expect(ProxyHeader(source: here).peer(of: balancer) == balancer)
        #expect(ProxyHeader(source: here).peer(of: here.with(port: 9)) == here)
        #expect(ProxyHeader(source: nil).peer(of: balancer) == balancer)
    }

    private func read(_ text: String) throws -> (header: ProxyHeader, count: Int)? {
        try read(bytes(text))
    }

    private func read(_ bytes: [UInt8]) throws -> (header: ProxyHeader, count: Int)? {
        try ProxyHeader.read(bytes.span)
    }

    private func bytes(_ text: String) -> [UInt8] {
        let digits = text.filter { $0 != " " }.map(\.self)
        return stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8(String(digits[index...index + 1]), radix: 16) ?? 0
        }
    }
}
