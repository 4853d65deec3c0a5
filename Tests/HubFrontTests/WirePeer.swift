import NIOCore
import NIOPosix
import Synchronization

/// One end of a TCP connection in a test's hands: what came, and whether it ended.
final class WirePeer: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
    }

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let peer: WirePeer

        init(_ peer: WirePeer) { self.peer = peer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            peer.state.withLock { $0.bytes += bytes }
        }

        func channelInactive(context: ChannelHandlerContext) {
            peer.state.withLock { $0.isClosed = true }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    private let state = Mutex(State())
    private let held = Mutex<(any Channel)?>(nil)

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Connects to a port of this machine.
    static func connected(to port: Int) async throws -> WirePeer {
        let peer = WirePeer()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(peer))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        peer.held.withLock { $0 = channel }
        return peer
    }

    /// Listens at a port, 0 for a free one; `take` is given each connection.
    static func listener(
        at port: Int = 0,
        take: @escaping @Sendable (WirePeer) -> Void
    ) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let peer = WirePeer()
                    peer.held.withLock { $0 = channel }
                    try channel.pipeline.syncOperations.addHandler(Collector(peer))
                    take(peer)
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
    }

    func write(_ bytes: [UInt8]) async throws {
        try await held.withLock { $0 }?.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    func close() async throws { try await held.withLock { $0 }?.close() }
}
