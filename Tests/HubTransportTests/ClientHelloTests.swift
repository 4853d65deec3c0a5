import HubTransport
import Testing

@Suite("The name that a TLS client asks for")
struct ClientHelloTests {
    /// A hello with one extension before that of the name, which may be missing.
    static func hello(_ name: String?) -> [UInt8] {
        func sized(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
                + bytes
        }
        var extensions: [UInt8] = [0x00, 0x2B] + sized([2, 3, 4], 2)
        if let name {
            let entry: [UInt8] = [0] + sized(Array(name.utf8), 2)
            extensions += [0, 0] + sized(sized(entry, 2), 2)
        }
        var body: [UInt8] = [3, 3] + Array(repeating: 7, count: 32)
        body += sized([1, 2], 1) + sized([0x13, 0x01], 2) + sized([0], 1)
        body += sized(extensions, 2)
        return [0x16, 3, 1] + sized([1] + sized(body, 3), 2)
    }

    @Test("is known once the first record is whole, whatever follows")
    func cuts() {
        let bytes = Self.hello("node.example")
        for count in 0..<bytes.count {
            #expect(ClientHello.asked(Array(bytes[..<count]).span) == .unknown, "\(count) bytes")
        }
        #expect(ClientHello.asked(bytes.span) == .name("node.example"))
        #expect(ClientHello.asked((bytes + [1, 2, 3]).span) == .name("node.example"))
        #expect(ClientHello.asked(Self.hello(nil).span) == .nothing)
    }

    @Test("is none where bytes are no hello, or a length goes beyond its part")
    func refuses() {
        let others: [[UInt8]] = [
            [0x0D], Array("GET / ".utf8), [0x16, 2, 0, 0, 1], [0x16, 3, 1, 0, 0],
        ]
        for bytes in others {
            #expect(ClientHello.asked(bytes.span) == .nothing, "\(bytes)")
        }
        let bytes = Self.hello("node.example")
        for index in 5..<bytes.count {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                var broken = bytes
                broken[index] = value
                // Whatever it says, it is known and nothing is read beyond the end.
                #expect(ClientHello.asked(broken.span) != .unknown)
            }
        }
    }

    @Test("is in a record of at most the length that TLS allows", arguments: [-1, 0, 1])
    func limit(beyond: Int) {
        let length = ClientHello.bytesMax - 5 + beyond
        let head: [UInt8] = [0x16, 3, 1, UInt8(length >> 8), UInt8(length & 0xFF)]
        #expect(ClientHello.asked(head.span) == (beyond > 0 ? .nothing : .unknown))
    }
}
