import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A small server of files: what bulk jobs read from and write to.
final class FileServer: Sendable {
    /// How a GET is answered.
    enum Content: Sendable {
        case file(String)
        /// Says that more will come, and never sends it.
        case beginning(String)
        case redirect(to: String)
    }

    /// One request.
    struct Visit: Sendable {
        var method: String
        var uri: String
        var headers: [String: String]
        var body: String
    }

    /// Every request, in the order in which they were complete.
    let visits = EventLog<Visit>()
    private let contents: Mutex<[String: Content]>
    /// Whether a PUT gets an answer.
    private let answersPuts: Mutex<Bool>
    private let channel: Mutex<(any Channel)?>

    /// Serves contents by path and query.
    init(_ contents: [String: Content] = [:], answersPuts: Bool = true) async throws {
        self.contents = Mutex(contents)
        self.answersPuts = Mutex(answersPuts)
        channel = Mutex(nil)
        let bound = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(FileHandler(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        channel.withLock { $0 = bound }
    }

    /// Where it listens.
    var address: String {
        let port = channel.withLock { $0?.localAddress?.port } ?? 0
        return "http://127.0.0.1:\(port)"
    }

    func set(_ content: Content, at uri: String) { contents.withLock { $0[uri] = content } }

    func answerPuts() { answersPuts.withLock { $0 = true } }

    func close() async throws {
        let bound = channel.withLock { channel in
            defer { channel = nil }
            return channel
        }
        try await bound?.close().get()
    }

    fileprivate func content(at uri: String) -> Content? { contents.withLock { $0[uri] } }

    fileprivate var isAnsweringPuts: Bool { answersPuts.withLock { $0 } }
}

private final class FileHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: FileServer
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()

    init(_ server: FileServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end: answer(context)
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let head else { return }
        let pairs = head.headers.map { ($0.name.lowercased(), $0.value) }
        server.visits.append(
            FileServer.Visit(
                method: head.method.rawValue,
                uri: head.uri,
                headers: Dictionary(pairs) { first, _ in first },
                body: String(buffer: body)
            )
        )
        guard head.method == .GET else {
            if server.isAnsweringPuts { write(context, .created, "") }
            return
        }
        switch server.content(at: head.uri) {
        case .file(let text): write(context, .ok, text)
        case .redirect(let place): write(context, .found, "", location: place)
        case .beginning(let text):
            write(context, .ok, text, length: text.utf8.count + 1_000, isWhole: false)
        case nil: write(context, .notFound, "")
        }
    }

    private func write(
        _ context: ChannelHandlerContext,
        _ status: HTTPResponseStatus,
        _ text: String,
        length: Int? = nil,
        location: String? = nil,
        isWhole: Bool = true
    ) {
        var headers = HTTPHeaders()
        headers.add(name: "Content-Length", value: "\(length ?? text.utf8.count)")
        if let location { headers.add(name: "Location", value: location) }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        if isWhole { context.write(wrapOutboundOut(.end(nil)), promise: nil) }
        context.flush()
    }
}
