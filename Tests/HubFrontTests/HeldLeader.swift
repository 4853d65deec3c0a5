@testable import HubFront
@testable import HubHTTP
import HubCluster
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A leader whose REST interface takes requests, and answers when a test says so.
final class HeldLeader: Sendable {
    private final class Requests: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        let leader: HeldLeader
        private let read = Mutex<[UInt8]>([])

        init(_ leader: HeldLeader) { self.leader = leader }

        func channelActive(context: ChannelHandlerContext) {
            leader.opened.withLock { $0 += 1 }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: break
            case .body(let part): read.withLock { $0.append(contentsOf: part.readableBytesView) }
            case .end:
                let body = read.withLock { read in
                    defer { read = [] }
                    return read
                }
                let channel = context.channel
                leader.held.withLock { $0.append((channel, body)) }
            }
        }
    }

    private let held = Mutex<[(channel: any Channel, body: [UInt8])]>([])
    private let opened = Mutex(0)
    private let listener = Mutex<(any Channel)?>(nil)
    let certificate = NodeCertificate(key: Array(repeating: 7, count: 32))

    /// Requests that have no answer.
    var waiting: Int { held.withLock { $0.count } }
    /// The bodies of these requests, the one that has waited longest first.
    var bodies: [[UInt8]] { held.withLock { $0.map(\.body) } }
    /// Connections that there were.
    var connections: Int { opened.withLock { $0 } }

    /// Listens at a free port, and returns what fronts hear of it.
    func listen() async throws -> LeaderWatch.Leader? {
        let leaf = try certificate.leaf()
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(leaf.certificate)],
                privateKey: .privateKey(leaf.key)
            )
        )
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(Requests(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        listener.withLock { $0 = channel }
        return LeaderWatch.Leader(
            LeadRow(
                term: 1,
                holder: 1,
                node: "n1",
                address: "127.0.0.1:\(channel.localAddress?.port ?? 0)",
                devices: "127.0.0.1:1",
                left: 3_000
            )
        )
    }

    /// Answers the request that has waited longest.
    func answer(
        _ status: HTTPResponseStatus = .ok,
        headers: HTTPHeaders = [:],
        _ body: [UInt8] = []
    ) async throws {
        let channel = held.withLock { $0.isEmpty ? nil : $0.removeFirst().channel }
        guard let channel else { return }
        var head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        head.headers.add(name: "Content-Length", value: "\(body.count)")
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        let content = ByteBuffer(bytes: body)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(content)), promise: nil)
        try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
    }

    /// Ends the connection of the request that has waited longest.
    func drop() async throws {
        let channel = held.withLock { $0.isEmpty ? nil : $0.removeFirst().channel }
        try await channel?.close()
    }

    func end() async throws { try await listener.withLock { $0 }?.close() }
}
