import HubTransport
import NIOCore

/// Takes the header of a balancer off the front of a connection, and closes one without it, unless
/// it is a node's.
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
            guard let peer = try client(&bytes) else {
                received = bytes
                return
            }
            received = nil
            isPassed = true
            told.tell(peer)
            guard rules.admit(context.channel, peer) else { return context.close(promise: nil) }
            if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
        } catch {
            isPassed = true
            rules.refused()
            context.close(promise: nil)
        }
    }

    /// Who the client is, with its header taken off; nil while more bytes are needed.
    private func client(
        _ bytes: inout ByteBuffer
    ) throws(ProxyHeader.Fault) -> HubTransport.SocketAddress? {
        if let node = rules.node, bytes.readableBytesView.first == ClientHello.firstByte {
            let front = Array(bytes.readableBytesView.prefix(ClientHello.bytesMax))
            return switch ClientHello.asked(front.span) {
            case .unknown: nil
            case .name(let name) where name == node: connection
            case .name, .nothing: throw .signature
            }
        }
        let front = Array(bytes.readableBytesView.prefix(TransportLimits.proxyHeaderBytesMax))
        guard let read = try ProxyHeader.read(front.span) else { return nil }
        bytes.moveReaderIndex(forwardBy: read.count)
        return read.header.peer(of: connection)
    }
}
