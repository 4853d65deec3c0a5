import HubCluster
@testable import HubFront
import HubREST
import HubVocabulary
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@Suite("A bundle at the leader")
struct FrontBundleTests {
    private struct Broken: Error {}

    private static func send(
        _ target: String,
        client: String = "",
        body: String = ""
    ) -> CarriedSend {
        CarriedSend(
            client: Array(client.utf8),
            authority: Array("hub.example:8443".utf8),
            target: Array(target.utf8),
            headers: [NamedValue(name: Array("idempotency-key".utf8), value: Array("k".utf8))],
            body: Array(body.utf8)
        )
    }

    private static func response(
        _ bytes: [UInt8],
        answering: @escaping FrontBundle.Answering
    ) async throws -> Response {
        let head = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: NodeCertificate.name,
            path: FrontBundle.path
        )
        let source = ApplicationRequestContextSource(
            channel: EmbeddedChannel(),
            logger: Logger(label: "test")
        )
        return try await FrontBundle.response(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes))),
            in: BasicRequestContext(source: source),
            within: BodyReading(deadline: .seconds(60)),
            answering: answering
        )
    }

    private static func answers(_ response: Response) async throws -> [BundledAnswer] {
        let taken = try await CarriedHead.answer(response)
        return try #require(FrontBundle.answers(in: ByteBuffer(bytes: taken.body)))
    }

    @Test("has each send answered as if it had come alone, whichever answer comes first")
    func answers() async throws {
        let sends = [
            Self.send("/news/messages?direct", client: "192.0.2.7", body: "first"),
            Self.send("/news/messages", body: "second"), Self.send("/broken"),
        ]
        let isSecondDone = AsyncStream<Void>.makeStream()
        let bytes = BundleCodec.encode(sends)
        let response = try await Self.response(bytes) { request, whole, client in
            #expect(request.head.authority == "hub.example:8443" && request.head.method == .post)
            #expect(request.headers[FrontProof.keyName] == "k")
            let body = String(buffer: try await request.body.collect(upTo: 100))
            #expect(body == String(buffer: whole))
            switch request.head.path {
            case "/news/messages?direct":
                for await _ in isSecondDone.stream { break }
                #expect(client.address == "192.0.2.7" && body == "first")
                return Response(status: .created, headers: [.location: "1", .server: "x"])
            case "/news/messages":
                isSecondDone.continuation.yield()
                #expect(client.address == nil && body == "second")
                return Response(
                    status: .badRequest,
                    body: ResponseBody(byteBuffer: ByteBuffer(string: "<Error/>"))
                )
            default: throw Broken()
            }
        }
        #expect(response.status == .ok)
        let answers = try await Self.answers(response)
        #expect(answers.map(\.status) == [201, 400, 500])
        let first = CarriedHead.response(answers[0])
        #expect(first.headers[.location] == "1" && first.headers[.server] == nil)
        #expect(first.headers[.contentLength] == "0")
        #expect(String(decoding: answers[1].body, as: UTF8.self) == "<Error/>")
        #expect(CarriedHead.response(answers[1]).headers[.contentLength] == "8")
    }

    @Test("that is none is refused, and nothing of it is answered")
    func refused() async throws {
        let asked = Atomic(0)
        for bytes in [[], [9], BundleCodec.encode([Self.send("/x")]) + [0]] {
            let response = try await Self.response(bytes) { _, _, _ in
                asked.add(1, ordering: .relaxed)
                return Response(status: .ok)
            }
            #expect(response.status == .badRequest, "\(bytes)")
        }
        #expect(asked.load(ordering: .relaxed) == 0)
    }

    @Test("has the limit's bytes at most", arguments: [0, 1])
    func limit(beyond: Int) async throws {
        var send = Self.send("/x")
        let most = FrontLimits.Bundles().requestBytes
        send.body = Array(repeating: 0x61, count: most + beyond - 3 - send.byteCount)
        let bytes = BundleCodec.encode([send])
        #expect(bytes.count == most + beyond)
        let response = try await Self.response(bytes) { _, _, _ in Response(status: .created) }
        #expect(response.status.code == (beyond == 0 ? 200 : 413))
    }

    @Test("has the limit's sends at most", arguments: [0, 1])
    func count(beyond: Int) async throws {
        let most = FrontLimits.Bundles().sends
        let bytes = BundleCodec.encode((0..<most + beyond).map { Self.send("/\($0)") })
        let response = try await Self.response(bytes) { _, _, _ in Response(status: .created) }
        #expect(response.status.code == (beyond == 0 ? 200 : 400))
    }

    @Test("has an answer without a place in it told as an error", arguments: [0, 1])
    func longAnswer(beyond: Int) async throws {
        let text = String(repeating: "x", count: Int(UInt16.max) + beyond)
        let response = try await Self.response(BundleCodec.encode([Self.send("/x")])) { _, _, _ in
            Response(status: .created, headers: [.location: text])
        }
        let answers = try await Self.answers(response)
        #expect(answers.map(\.status) == [beyond == 0 ? 201 : 500])
    }

    @Test("is not answered when its front is gone")
    func gone() async throws {
        let bytes = BundleCodec.encode([Self.send("/x"), Self.send("/y")])
        await #expect(throws: CancellationError.self) {
            _ = try await Self.response(bytes) { request, _, _ in
                guard request.head.path == "/x" else { return Response(status: .created) }
                throw CancellationError()
            }
        }
    }

    @Test("has a client's headers without those of its connection")
    func headers() throws {
        let head = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: "hub.example",
            path: "/news/messages",
            headerFields: [
                .connection: "close", .contentLength: "2", .authorization: "token",
                .contentType: "application/json",
            ]
        )
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let send = try #require(CarriedHead.send(request, [1, 2], key: "made", client: nil))
        let names = send.headers.map { String(decoding: $0.name, as: UTF8.self) }
        #expect(names == ["authorization", "content-type", "idempotency-key"])
        #expect(send.client.isEmpty && send.body == [1, 2])
        let long = String(repeating: "x", count: 65_536)
        #expect(CarriedHead.send(request, [], key: long, client: nil) == nil)
    }
}
