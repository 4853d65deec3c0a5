import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// A fake that listens: one service, its script and its journal, over TLS.
package final class FakeServer: Sendable {
    /// How a server listens.
    package struct Options: Sendable {
        /// A numeric address.
        package var address = "127.0.0.1"
        /// 0 for a free port.
        package var port = 0
        /// Protocols that TLS offers, the best first.
        package var protocols = ["h2", "http/1.1"]

        /// Loopback, a free port, both protocols.
        package init() {}
    }

    /// The connections that are open.
    private final class Open: Sendable {
        let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    }

    private let channel: any Channel
    private let open: Open

    /// The port that it listens at.
    package var port: Int { channel.localAddress?.port ?? 0 }

    private init(_ channel: any Channel, _ open: Open) {
        self.channel = channel
        self.open = open
    }

    /// Starts to listen.
    ///
    /// - Throws: when the port is taken.
    package static func start(
        _ service: any FakeService,
        _ certificate: FakeCertificate,
        script: FaultScript = FaultScript(),
        journal: FakeJournal,
        options: Options = Options()
    ) async throws -> FakeServer {
        let judge = RequestJudge(service, script, journal)
        let secured = try NIOSSLContext(
            configuration: certificate.configuration(options.protocols)
        )
        let open = Open()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                let key = ObjectIdentifier(channel)
                open.channels.withLock { $0[key] = channel }
                channel.closeFuture.whenComplete { _ in
                    open.channels.withLock { $0[key] = nil }
                }
                return channel.eventLoop.makeCompletedFuture {
                    try fill(channel, judge, secured)
                }
            }
            .bind(host: options.address, port: options.port).get()
        return FakeServer(channel, open)
    }

    /// Stops and cuts all connections.
    package func stop() async {
        // It may be closed already.
        try? await channel.close()
        for channel in open.channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }

    private static func fill(
        _ channel: any Channel,
        _ judge: RequestJudge,
        _ secured: NIOSSLContext
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        // Any certificate is taken: its subject says for which app.
        try pipeline.addHandler(
            NIOSSLServerHandler(context: secured) { _, promise in
                promise.succeed(.certificateVerified)
            }
        )
        try pipeline.addHandler(
            ApplicationProtocolNegotiationHandler { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if case .negotiated("h2") = result {
                        try pipeline.addHandler(frames(judge))
                        try pipeline.addHandler(FakeStreams(judge))
                    } else {
                        try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                        try pipeline.addHandler(FakeExchange(judge))
                    }
                }
            }
        )
    }

    private static func frames(_ judge: RequestJudge) -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: judge.streams.first),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 8_000),
        ]
        connection.maximumRecentlyResetStreams = 10_000
        connection.controlFrameRateLimit.maximumCount = 100_000
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = 100_000
        stream.streamErrorRateLimit.maximumCount = 100_000
        return NIOHTTP2Handler(
            mode: .server,
            connectionConfiguration: connection,
            streamConfiguration: stream
        )
    }
}
