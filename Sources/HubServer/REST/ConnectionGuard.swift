import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Ends REST connections whose peer is silent: in the TLS handshake, between bytes, in a request that
/// never becomes whole, or when the server wants to stop.
///
///     handshaking ──handshakeCompleted──▶ open ──quiesce──▶ closing ──deadline──▶ closed
///          └──────────deadline, quiesce────┴──silence───────────────────────────────▲
///
/// Sits between TLS and HTTP. The HTTP/2 channel closes only when its peer confirms a PING, so one
/// peer that says nothing could hold up the end of the process. Source: rules E.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The stages of a connection.
    private enum Stage {
        case handshaking
        case open
        case closing
    }

    private let limits: RESTLimits
    private var stage = Stage.handshaking
    private var deadline: Scheduled<Void>?
    /// Whether anything came since the deadline was set.
    private var isHeard = false
    /// When the first bytes came that nothing was answered to.
    private var askedAt: NIODeadline?

    init(limits: RESTLimits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) {
        schedule(limits.handshakeSeconds, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isHeard = true
        if askedAt == nil { askedAt = .now() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        askedAt = nil
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            switch stage {
            case .handshaking: return context.close(promise: nil)
            case .open:
                stage = .closing
                schedule(limits.closeSeconds, context)
            case .closing: break
            }
        } else if let event = event as? TLSUserEvent, case .handshakeCompleted = event,
            stage == .handshaking
        {
            stage = .open
            schedule(limits.silentSeconds, context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Tells an HTTP/1.1 client that its body is wanted; on the connection's event loop.
    ///
    /// The answer to the request itself comes later on the same loop.
    func sendContinue(_ context: ChannelHandlerContext) {
        let line = context.channel.allocator.buffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(line), promise: nil)
    }

    private func schedule(_ seconds: Int, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        isHeard = false
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
            let (handler, context) = bound.value
            handler.isOver(context)
        }
    }

    private func isOver(_ context: ChannelHandlerContext) {
        let isWaitedFor = askedAt.map { .now() - $0 > .seconds(Int64(limits.answerSeconds)) }
        guard stage == .open, isHeard, isWaitedFor != true else {
            context.close(promise: nil)
            return
        }
        schedule(limits.silentSeconds, context)
    }
}
