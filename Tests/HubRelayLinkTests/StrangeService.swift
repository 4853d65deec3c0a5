import HubConformance
import HubVocabulary
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A service that speaks TLS, begins as HTTP/2 does, and then writes the frames that a seed draws.
final class StrangeService: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Answers of frames to one connection at most; its client answers some of them.
    private static let burstsMax = 40

    private var random: SeededRandom
    private var bursts = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Starts to listen at a free port; each connection draws from the seed and its number.
    static func start(_ shown: KitCertificate, seed: UInt64) async throws -> any Channel {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(shown.certificate.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(shown.key.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.applicationProtocols = ["h2"]
        let secured = try NIOSSLContext(configuration: configuration)
        let connections = Mutex<UInt64>(0)
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: secured))
                    let number = connections.withLock { count in
                        count += 1
                        return count
                    }
                    try pipeline.addHandler(StrangeService(seed: seed << 16 | number))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func channelActive(context: ChannelHandlerContext) {
        write(Self.frame(4, stream: 0, []), context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bursts += 1
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) { bytes += frame() }
        if roll(6) == 0 { bytes[roll(bytes.count)] = UInt8(roll(256)) }
        write(bytes, context)
        if bursts == Self.burstsMax || roll(30) == 0 { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func roll(_ below: Int) -> Int { .random(in: 0..<below, using: &random) }

    private static func frame(
        _ kind: UInt8,
        flags: UInt8 = 0,
        stream: UInt32,
        _ content: [UInt8]
    ) -> [UInt8] {
        let size = [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) }
        return size + [kind, flags] + number + content
    }

    /// A frame of any type; most are such as a service may send for a stream of the client.
    private func frame() -> [UInt8] {
        let streams: [UInt32] = [0, 1, 1, 3, 3, 5, 7, 9, 2, 0x7FFF_FFFF]
        let kind = UInt8(roll(12))
        let isOfConnection = [4, 6, 7].contains(kind) && roll(8) > 0
        return Self.frame(
            kind,
            flags: roll(3) == 0 ? UInt8(roll(256)) : [0, 1, 4, 5][roll(4)],
            stream: isOfConnection ? 0 : streams[roll(streams.count)],
            content(kind)
        )
    }

    private func content(_ kind: UInt8) -> [UInt8] {
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(roll(256)) } }
        switch kind {
        // The entry of HPACK's table for status 200, another entry, or any bytes.
        case 1 where roll(4) > 0: return [0x88] + (roll(2) == 0 ? [0x8D] : [])
        case 2: return bytes(5)
        case 3, 8: return [0, 0, 0] + bytes(1)
        case 4: return (0..<roll(3)).flatMap { _ in [0, UInt8(1 + roll(7))] + bytes(4) }
        case 6: return bytes(8)
        case 7:
            let reasons = ["", #"{"reason":"BadCertificate"}"#, #"{"reason":"#]
            return [0, 0, 0, UInt8(roll(9)), 0, 0, 0, UInt8(roll(14))]
                + Array(reasons[roll(3)].utf8)
        default: return bytes(roll(40))
        }
    }
}
