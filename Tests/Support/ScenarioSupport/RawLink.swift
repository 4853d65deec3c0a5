import Foundation
import HubClient
import HubWire
import NIOCore
import NIOPosix
import NIOSSL

/// A peer of a port that says whatever bytes it is told to, over a TLS library that the hub does
/// not use; takes frames apart and decides nothing.
final class RawLink: Sendable {
    /// A received frame.
    struct Frame: Sendable, Equatable, CustomStringConvertible {
        var type: FrameType
        var header: FrameHeader
        /// Header and body.
        var bytes: [UInt8]

        var description: String { "\(type)(\(bytes.count) bytes)" }

        /// An ERROR's content.
        var error: ErrorFrame? {
            guard type == .error else { return nil }
            return try? ErrorFrame(
                decoding: bytes.span.extracting(8..<bytes.count),
                header: header
            )
        }
    }

    /// How the TCP stream is used.
    enum Security {
        case plain
        case tls(alpn: [String])
    }

    /// Pieces as they came; finished at the end of the stream.
    let input = EventLog<[UInt8]>()
    /// The whole frames in them.
    let received = EventLog<Frame>()
    private let channel: any Channel

    /// Connects to a port of localhost, with TLS and `belfry/1` unless told otherwise.
    init(
        _ connection: ConnectionFile,
        port: UInt16? = nil,
        _ security: Security = .tls(alpn: ["belfry/1"]),
        receiveBuffer: Int? = nil
    ) async throws {
        let (input, received) = (input, received)
        var context: NIOSSLContext?
        if case .tls(let alpn) = security {
            var tls = TLSConfiguration.makeClientConfiguration()
            if let authority = connection.ca { tls.trustRoots = .file(authority) }
            tls.applicationProtocols = alpn
            context = try NIOSSLContext(configuration: tls)
        }
        let secure = context
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(
                .socketOption(.so_rcvbuf),
                value: .init(receiveBuffer)
            )
        }
        channel =
            try await bootstrap
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let secure {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: secure, serverHostname: "localhost")
                        )
                    }
                    try channel.pipeline.syncOperations.addHandler(InputCollector(input, received))
                }
            }
            .connect(host: "127.0.0.1", port: Int(port ?? connection.devices.port)).get()
    }

    deinit { channel.close(promise: nil) }

    /// Writes bytes; an end of the connection meanwhile is the reader's to notice.
    func write(_ bytes: [UInt8]) async {
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Stops taking bytes from the socket, or takes them again.
    func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
        if isReading { channel.read() }
    }

    /// Closes without a word.
    func close() async { try? await channel.close().get() }

    /// Waits for the end of the stream, whatever comes before.
    func closedByHub() async throws { try await input.end() }

    /// Waits for a frame that fits, counted from the first one ever.
    func frame(
        _ expectation: String,
        seconds: Int = 120,
        where fits: @escaping @Sendable (Frame) -> Bool
    ) async throws -> Frame {
        let frames = try await received.wait(for: expectation, seconds: seconds) { frames in
            frames.contains(where: fits)
        }
        guard let frame = frames.first(where: fits) else {
            preconditionFailure("a frame that was there is gone")
        }
        return frame
    }

    /// Waits for the first frame of a type.
    func frame(_ type: FrameType) async throws -> Frame {
        try await frame("\(type)") { $0.type == type }
    }

    /// Every whole frame received so far.
    var frames: [Frame] { received.events }

    /// Waits for the hub's ERROR and its close after it.
    func refusal() async throws -> ErrorFrame? {
        let frame = try await frame(.error)
        try await closedByHub()
        return frame.error
    }

    /// Opens a session as a new device with a token, and waits for WELCOME.
    func open(
        _ connection: ConnectionFile,
        token: String? = nil,
        _ change: (inout HelloMessage) -> Void = { _ in }
    ) async throws {
        await write(try Self.hello(connection, token: token, change))
        _ = try await frame(.welcome)
    }

    /// HELLO of a new device.
    static func hello(
        _ connection: ConnectionFile,
        token: String? = nil,
        _ change: (inout HelloMessage) -> Void = { _ in }
    ) throws -> [UInt8] {
        var message = HelloMessage(hub: connection.hub)
        message.instance = .random(in: 1 ... .max)
        change(&message)
        let listen = try ConnectionString(parsing: connection.connectionStrings.listen)
        let own = ListenTokens(listen, hub: connection.hub)
            .token(atMilliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        var bytes: [UInt8] = []
        try message.encode(auth: Array((token ?? own).utf8), into: &bytes)
        return bytes
    }
}

/// Puts everything that comes into logs, in pieces and in frames.
private final class InputCollector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let pieces: EventLog<[UInt8]>
    private let frames: EventLog<RawLink.Frame>
    private var partial: [UInt8] = []
    private var state = DecodingState.waitWelcome

    init(_ pieces: EventLog<[UInt8]>, _ frames: EventLog<RawLink.Frame>) {
        self.pieces = pieces
        self.frames = frames
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        partial.append(contentsOf: bytes)
        while let frame = next() { frames.append(frame) }
        pieces.append(bytes)
    }

    func channelInactive(context: ChannelHandlerContext) {
        frames.finish()
        pieces.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Takes the next whole frame off the front; what is no frame stays there.
    private func next() -> RawLink.Frame? {
        while true {
            let step = try? FrameDecoder.step(
                partial.span,
                direction: .hubToDevice,
                state: state,
                limits: .device
            )
            switch step {
            case .frame(let header):
                if header.type == .welcome { state = .ready }
                let bytes = Array(partial.prefix(header.totalBytes))
                partial.removeFirst(header.totalBytes)
                return RawLink.Frame(type: header.type, header: header, bytes: bytes)
            case .skip(let count): partial.removeFirst(count)
            case .needMore, nil: return nil
            }
        }
    }
}

extension RawLink {
    /// The certificate (DER) that a port of localhost shows, with any signature.
    static func certificate(port: UInt16, alpn: [String]) async throws -> [UInt8] {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.applicationProtocols = alpn
        let context = try NIOSSLContext(configuration: tls)
        let shown = EventLog<[UInt8]>()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: context,
                        serverHostname: "localhost",
                        customVerificationCallback: { certificates, promise in
                            shown.append((try? certificates.first?.toDERBytes()) ?? [])
                            promise.succeed(.certificateVerified)
                        }
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: "127.0.0.1", port: Int(port)).get()
        defer { channel.close(promise: nil) }
        return try await shown.wait(for: "a certificate") { !$0.isEmpty }[0]
    }
}
