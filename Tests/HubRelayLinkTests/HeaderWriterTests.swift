import HubRelay
import HubRelayLink
import HubStreams
import HubVocabulary
import NIOCore
import NIOHPACK
import Testing

/// Header blocks as NIO's decoder reads them.
@Suite("Header blocks of requests")
struct HeaderWriterTests {
    private static func fields(_ headers: HPACKHeaders) -> [String] {
        headers.map { "\($0.name): \($0.value)" }
    }

    private static func expected(_ request: RelayRequest) -> [String] {
        [
            ":method: POST", ":scheme: https", ":authority: \(request.authority)",
            ":path: \(request.path)",
        ] + request.headers.map { "\($0.name): \($0.value)" }
            + (request.body.isEmpty ? ["content-length: 0"] : [])
    }

    @Test("21: path, token and what differs in each request stay out of the header table")
    func literals() throws {
        let request = try AppleSender(CarrierOptions()).request(Faked.token(1))
        var writer = HeaderWriter(keepsAuthorization: false)
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        var sizes: [Int] = []
        for _ in 0..<3 {
            var block = ByteBuffer()
            writer.write(request, to: &block)
            sizes.append(block.readableBytes)
            let read = try decoder.decodeHeaders(from: &block)
            #expect(Self.fields(read) == Self.expected(request))
            #expect(
                read.filter { $0.indexable == .indexable }.map(\.name) == [
                    ":method", ":scheme", "apns-topic", "apns-push-type", "apns-priority",
                ]
            )
        }
        // The second block names what the first has put into the table.
        #expect(sizes[1] < sizes[0] && sizes[2] == sizes[1])
    }

    @Test("FCM's token goes into the table once, and each message names it")
    func token() throws {
        let request = try FirebaseCarrierTests.request(
            RelaySecret(String(repeating: "t", count: 1_000))
        )
        var writer = HeaderWriter(keepsAuthorization: true)
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        for round in 0..<3 {
            var block = ByteBuffer()
            writer.write(request, to: &block)
            #expect((block.readableBytes > 1_000) == (round == 0))
            let read = try decoder.decodeHeaders(from: &block)
            #expect(Self.fields(read) == Self.expected(request))
        }
    }

    @Test(
        "whatever sizes the table gets, and whatever it holds, blocks are read as they were meant",
        arguments: 0..<20 as Range<UInt64>
    )
    func tables(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func text(_ kinds: Int, _ length: Int) -> String {
            "x\(Int.random(in: 0..<kinds, using: &random))"
                + String(repeating: "y", count: length)
        }
        let heads = (0..<12).map { _ in
            RelayHead(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    let length = Int.random(in: 0..<3, using: &random) == 0 ? 900 : 5
                    return (text(4, 0), text(5, length))
                } + (random.next() % 8 == 0 ? [("large", text(1, 5_000))] : [])
            )
        }
        var writer = HeaderWriter(keepsAuthorization: true)
        var decoder = HPACKDecoder(
            allocator: ByteBufferAllocator(),
            maxDynamicTableSize: 4_096,
            maxHeaderListSize: 65_536
        )
        for _ in 0..<200 {
            for _ in 0..<Int.random(in: 0...4, using: &random) / 3 {
                writer.resize([0, 50, 1_000, 4_096, 1 << 20][Int(random.next() % 5)])
            }
            let request = RelayRequest(
                host: "push.example.com",
                path: "/" + text(9, 200),
                head: heads[Int(random.next() % 12)],
                identifier: random.next() % 2 == 0 ? nil : ("own", text(9, 30)),
                body: []
            )
            var block = ByteBuffer()
            writer.write(request, to: &block)
            let read = try decoder.decodeHeaders(from: &block)
            #expect(Self.fields(read) == Self.expected(request), "seed \(seed)")
        }
    }
}
