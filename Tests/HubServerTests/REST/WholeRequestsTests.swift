import HubTestSupport
import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import HubServer

@Suite("Requests that come whole", .timeLimit(.minutes(1)))
struct WholeRequestsTests {
    private struct Broken: Error {}

    /// What came to those behind, as words.
    private final class Behind: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundOut = HTTPResponsePart

        private let seen = Mutex<[String]>([])

        var words: [String] { seen.withLock { $0 } }

        func note(_ word: String) { seen.withLock { $0.append(word) } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): note("head \(head.path ?? "")")
            case .body(let body): note("body \(body.readableBytes)")
            case .end: note("end")
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            // As Hummingbird does where nothing is under way.
            if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
        }
    }

    /// Requests whose answers a test gives.
    private final class Responder: Sendable {
        private typealias Reply = CheckedContinuation<Response, any Error>

        private let waiting = Mutex<[(text: String, reply: Reply)]>([])

        /// Requests that have no answer, with their bodies.
        var texts: [String] { waiting.withLock { $0.map(\.text) } }

        func respond(_ request: Request, _ body: ByteBuffer) async throws -> Response {
            let text = "\(request.head.path ?? "") \(String(buffer: body))"
            #expect(try await request.body.collect(upTo: .max) == body)
            return try await withCheckedThrowingContinuation { reply in
                waiting.withLock { $0.append((text, reply)) }
            }
        }

        /// Gives the one answer that is awaited.
        func answer(_ result: Result<Response, any Error>) {
            waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.reply.resume(with: result)
        }
    }

    private struct World {
        let channel: NIOAsyncTestingChannel
        let behind = Behind()
        let responder = Responder()

        init(bodyBytesMax: Int = 100) async throws {
            let (behind, responder) = (behind, responder)
            let rule = WholeRequestRule(
                bodyBytesMax: bodyBytesMax,
                serverName: "belfry",
                isProxied: false
            ) { request, body, _ in try await responder.respond(request, body) }
            channel = try await NIOAsyncTestingChannel { channel in
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandlers(WholeRequests(rule), behind)
            }
            try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        }

        /// What a client sends at once.
        func receive(_ parts: HTTPRequestPart...) async throws {
            for part in parts { try await channel.pipelineRead(part) }
            try await channel.readComplete()
            await channel.testingEventLoop.run()
        }

        func waits(for text: String) async throws {
            try await eventually("a request '\(text)'") {
                await channel.testingEventLoop.run()
                return responder.texts == [text]
            }
        }

        /// Answers, and returns the parts that the client gets then.
        func answered(
            _ response: Response = Response(status: .created),
            parts: Int = 2
        ) async throws -> [HTTPResponsePart] {
            responder.answer(.success(response))
            return try await written(parts)
        }

        func written(_ count: Int) async throws -> [HTTPResponsePart] {
            var parts: [HTTPResponsePart] = []
            for _ in 0..<count { parts.append(try await channel.waitForOutboundWrite()) }
            return parts
        }

        func end() async throws {
            // It may have ended already.
            _ = try? await channel.finish(acceptAlreadyClosed: true)
        }
    }

    private static func head(
        _ path: String,
        length: Int? = 5,
        method: HTTPRequest.Method = .post,
        _ more: HTTPFields = [:]
    ) -> HTTPRequestPart {
        var fields = more
        if let length { fields[.contentLength] = "\(length)" }
        let head = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "hub",
            path: path,
            headerFields: fields
        )
        return .head(head)
    }

    private static func body(_ text: String) -> HTTPRequestPart { .body(ByteBuffer(string: text)) }

    private static func status(_ parts: [HTTPResponsePart]) -> Int? {
        if case .head(let head)? = parts.first { head.status.code } else { nil }
    }

    @Test("are answered in front of those behind, with date and server")
    func whole() async throws {
        let world = try await World()
        for number in 1...2 {
            let head = Self.head("/\(number)")
            try await world.receive(head, Self.body("ab"), Self.body("cde"), .end(nil))
            try await world.waits(for: "/\(number) abcde")
            let body = ResponseBody(byteBuffer: ByteBuffer(string: "wrong"))
            let parts = try await world.answered(
                Response(status: .badRequest, body: body),
                parts: 3
            )
            guard case .head(let told) = parts[0] else {
                Issue.record("\(parts)")
                return
            }
            #expect(told.status == .badRequest && told.headerFields[.contentLength] == "5")
            #expect(told.headerFields[.server] == "belfry")
            #expect(told.headerFields[.date]?.hasSuffix(" GMT") == true)
            #expect(parts[1...] == [.body(ByteBuffer(string: "wrong")), .end(nil)])
        }
        #expect(world.behind.words == [])
        try await world.end()
    }

    @Test("have a body up to the limit", arguments: [-1, 0, 1])
    func limit(beyond: Int) async throws {
        let world = try await World()
        let text = String(repeating: "x", count: 100 + beyond)
        try await world.receive(Self.head("/a", length: text.count), Self.body(text), .end(nil))
        if beyond <= 0 {
            try await world.waits(for: "/a \(text)")
            #expect(Self.status(try await world.answered()) == 201)
        }
        #expect(world.behind.words == (beyond > 0 ? ["head /a", "body 101", "end"] : []))
        try await world.end()
    }

    @Test(
        "are none that want more of their connection, or have no length",
        arguments: [
            WholeRequestsTests.head("/a", length: nil), WholeRequestsTests.head("/a", length: -1),
            WholeRequestsTests.head("/a", method: .get),
            WholeRequestsTests.head("/a", [.expect: "100-continue"]),
            WholeRequestsTests.head("/a", [.connection: "Close"]),
            WholeRequestsTests.head("/a", [.transferEncoding: "chunked"]),
            WholeRequestsTests.head("/a", [.upgrade: "websocket"]),
        ]
    )
    func others(head: HTTPRequestPart) async throws {
        let world = try await World()
        try await world.receive(head, Self.body("abcde"), .end(nil))
        #expect(world.behind.words == ["head /a", "body 5", "end"] && world.responder.texts == [])
        // The next one waits for the answer of those behind.
        try await world.receive(Self.head("/b"), Self.body("abcde"), .end(nil))
        #expect(world.behind.words.count == 6)
        for _ in 0..<2 {
            for part in [HTTPResponsePart.head(HTTPResponse(status: .ok)), .end(nil)] {
                try await world.channel.writeAndFlush(part)
            }
        }
        _ = try await world.written(4)
        try await world.receive(Self.head("/c"), Self.body("abcde"), .end(nil))
        try await world.waits(for: "/c abcde")
        #expect(Self.status(try await world.answered()) == 201)
        try await world.end()
    }

    @Test("may have their rest a little later; those that are slow go to those behind")
    func slow() async throws {
        let world = try await World()
        try await world.receive(Self.head("/a"), Self.body("ab"))
        #expect(world.behind.words == [])
        try await world.receive(Self.body("cde"), .end(nil))
        try await world.waits(for: "/a abcde")
        #expect(Self.status(try await world.answered()) == 201)
        try await world.receive(Self.head("/b"), Self.body("ab"))
        await world.channel.testingEventLoop.advanceTime(by: WholeRequestRule.patience)
        #expect(world.behind.words == ["head /b", "body 2"])
        try await world.receive(Self.body("cde"), .end(nil))
        #expect(world.behind.words == ["head /b", "body 2", "body 3", "end"])
        #expect(world.responder.texts == [])
        try await world.end()
    }

    @Test("that come behind one that is answered wait, and keep their order")
    func pipelined() async throws {
        let world = try await World()
        try await world.receive(
            Self.head("/a"),
            Self.body("first"),
            .end(nil),
            Self.head("/b"),
            Self.body("other"),
            .end(nil),
            Self.head("/c", method: .get),
            .end(nil)
        )
        try await world.waits(for: "/a first")
        #expect(Self.status(try await world.answered()) == 201)
        try await world.waits(for: "/b other")
        #expect(world.behind.words == [])
        #expect(Self.status(try await world.answered(Response(status: .ok))) == 200)
        try await eventually("the last one behind") { world.behind.words == ["head /c", "end"] }
        try await world.end()
    }

    @Test("are answered before the connection ends, and before what those behind write")
    func closing() async throws {
        let world = try await World()
        try await world.receive(Self.head("/a"), Self.body("abcde"), .end(nil))
        try await world.waits(for: "/a abcde")
        try await world.channel.quiesce()
        #expect(world.channel.isActive)
        #expect(Self.status(try await world.answered()) == 201)
        try await world.channel.closeFuture.get()
    }

    @Test("that a responder fails are answered 500; an answer that breaks off ends the connection")
    func failures() async throws {
        let world = try await World()
        try await world.receive(Self.head("/a"), Self.body("abcde"), .end(nil))
        try await world.waits(for: "/a abcde")
        world.responder.answer(.failure(Broken()))
        #expect(Self.status(try await world.written(2)) == 500)
        try await world.receive(Self.head("/b"), Self.body("abcde"), .end(nil))
        try await world.waits(for: "/b abcde")
        let body = ResponseBody(contentLength: 4) { writer in
            try await writer.write(ByteBuffer(string: "ab"))
            try await writer.write(ByteBuffer(string: "c"))
            throw Broken()
        }
        let parts = try await world.answered(Response(status: .ok, body: body))
        #expect(Self.status(parts) == 200 && parts[1] == .body(ByteBuffer(string: "ab")))
        try await world.channel.closeFuture.get()
    }

    @Test("have long answers in pieces, each of which waits for the one before")
    func pieces() async throws {
        let world = try await World()
        try await world.receive(Self.head("/a"), Self.body("abcde"), .end(nil))
        try await world.waits(for: "/a abcde")
        let body = ResponseBody(contentLength: 3) { writer in
            for piece in ["a", "b", "c"] { try await writer.write(ByteBuffer(string: piece)) }
            try await writer.finish(nil)
        }
        let parts = try await world.answered(Response(status: .ok, body: body), parts: 5)
        let pieces = ["a", "b", "c"].map { HTTPResponsePart.body(ByteBuffer(string: $0)) }
        #expect(parts[1...] == pieces[...] + [.end(nil)])
        try await world.end()
    }
}

extension NIOAsyncTestingChannel {
    fileprivate func pipelineRead(_ part: HTTPRequestPart) async throws {
        try await testingEventLoop.executeInContext { self.pipeline.fireChannelRead(part) }
    }

    fileprivate func readComplete() async throws {
        try await testingEventLoop.executeInContext { self.pipeline.fireChannelReadComplete() }
    }

    fileprivate func quiesce() async throws {
        try await testingEventLoop.executeInContext {
            self.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }
}
