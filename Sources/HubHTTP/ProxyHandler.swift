import HubTransport
import NIOCore

/// Takes the header of a balancer off the front of a connection, and closes one without it.
///
/// Sits in front of TLS, whose deadline holds for the header too.
final class ProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Where the balancer is.
    private let connection: HubTransport.SocketAddress
    let told: ToldAddress
    private let rules: ProxyRules
    private var received: ByteBuffer?
    private var isPassed = false

    init(_ connection: HubTransport.SocketAddress, _ rules: ProxyRules) {
        self.connection = connection
        self.rules = rules
        told = ToldAddress()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isPassed else { return context.fireChannelRead(data) }
        var bytes = received ?? ByteBuffer()
        bytes.writeImmutableBuffer(unwrapInboundIn(data))
        do throws(ProxyHeader.Fault) {
            let count = min(bytes.readableBytes, TransportLimits.proxyHeaderBytesMax)
            let front = Array(bytes.readableBytesView.prefix(count))
            guard let read = try ProxyHeader.read(front.span) else {
                received = bytes
                return
            }
            bytes.moveReaderIndex(forwardBy: read.count)
            received = nil
            isPassed = true
            let peer = read.header.peer(of: connection)
            told.tell(peer)
            guard rules.admit(context.channel, peer) else { return context.close(promise: nil) }
            if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
        } catch {
            isPassed = true
            rules.refused()
            context.close(promise: nil)
        }
    }
}
