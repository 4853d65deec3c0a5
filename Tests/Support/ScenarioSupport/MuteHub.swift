import AppBackend
import Foundation
import HubClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A hub that answers each request as it is told, or not at all: what outcome a sender cannot know.
final class MuteHub: Sendable {
    /// What becomes of a request.
    enum Reaction: Sendable {
        /// The connection ends when the request is there.
        case silence
        /// It is left without an answer, and the connection stays.
        case stillness
        /// An answer with a status.
        case status(Int)
        /// Accepted.
        case created
        /// An answer of its parts.
        case reply(Int, [String: String], body: String)
    }

    /// One request: its line, its headers and its body.
    struct Request: Sendable {
        var line: String
        var headers: [String: String]
        var body: String
    }

    /// Every request, in the order in which they were complete.
    let requests = EventLog<Request>()
    /// A folder that describes it, for back ends.
    let folder = ScenarioFolder()
    private let reactions: Mutex<[Reaction]>
    private let channel: Mutex<(any Channel)?>

    /// Listens with the certificate of a hub; the last reaction is that to all further requests.
    init(like hub: HostedHub, _ reactions: [Reaction]) async throws {
        self.reactions = Mutex(reactions)
        channel = Mutex(nil)
        var file = hub.connection
        let chain = try NIOSSLCertificate.fromPEMFile(hub.folder.file("tls/server.pem"))
        let key = try NIOSSLPrivateKey(file: hub.folder.file("tls/server-key.pem"), format: .pem)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
        )
        let bound = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(MuteHandler(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        channel.withLock { $0 = bound }
        var string = try ConnectionString(parsing: file.connectionStrings.full)
        string.port = UInt16(bound.localAddress?.port ?? 0)
        file.connectionStrings.full = string.text
        file.rest.port = string.port
        let json = try JSONEncoder().encode(file)
        try folder.write(String(decoding: json, as: UTF8.self), to: "connection.json")
        for name in ["tls/server.pem", "tls/server-key.pem"] {
            let text = try String(contentsOfFile: hub.folder.file(name), encoding: .utf8)
            try folder.write(text, to: name)
        }
    }

    /// Runs a test with a backend whose hub reacts so.
    static func run(
        _ reactions: [Reaction],
        limits: @Sendable (inout BackendLimits) -> Void = { _ in },
        _ body: (MuteHub, HostedBackend) async throws -> Void
    ) async throws {
        try await HostedHub.run { hub in
            let mute = try await MuteHub(like: hub, reactions)
            let backend = try await HostedBackend(hubData: mute.folder.path) { all in
                all.hub.patienceSeconds = 2
                limits(&all)
            }
            do {
                try await body(mute, backend)
            } catch {
                try await backend.stop()
                throw error
            }
            try await backend.stop()
            try await mute.close()
        }
    }

    func close() async throws {
        let bound = channel.withLock { channel in
            defer { channel = nil }
            return channel
        }
        try await bound?.close().get()
    }

    /// What becomes of a request that is complete now.
    fileprivate func take(_ request: Request) -> Reaction {
        requests.append(request)
        return reactions.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
}

private final class MuteHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let hub: MuteHub
    private var request = MuteHub.Request(line: "", headers: [:], body: "")

    init(_ hub: MuteHub) { self.hub = hub }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = MuteHub.Request(
                line: "\(head.method) \(head.uri)",
                headers: Dictionary(
                    head.headers.map { ($0.name.lowercased(), $0.value) },
                    uniquingKeysWith: { first, _ in first }
                ),
                body: ""
            )
        case .body(let part): request.body += String(buffer: part)
        case .end:
            switch hub.take(request) {
            case .silence: context.close(promise: nil)
            case .stillness: break
            case .status(let status): answer(.init(statusCode: status), [:], "", context)
            case .reply(let status, let headers, let body):
                let fields = HTTPHeaders(headers.sorted { $0.key < $1.key }.map { ($0, $1) })
                answer(.init(statusCode: status), fields, body, context)
            case .created:
                answer(
                    .created,
                    ["Location": "https://localhost/hub/messages/1-2-3?api-version=2020-06"],
                    "",
                    context
                )
            }
        }
    }

    private func answer(
        _ status: HTTPResponseStatus,
        _ headers: HTTPHeaders,
        _ body: String,
        _ context: ChannelHandlerContext
    ) {
        var headers = headers
        headers.add(name: "Content-Length", value: "\(body.utf8.count)")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let content = context.channel.allocator.buffer(string: body)
        context.write(wrapOutboundOut(.body(.byteBuffer(content))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
