import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// REST's connections, with a deadline for their TLS handshake and one for their end.
///
/// Neither NIOSSL nor Hummingbird has them: a peer that says nothing could stay in a handshake for
/// ever, and would hold up the end of the process there or in HTTP/2, where a graceful close waits
/// for the peer's answer to a ping. Source: rules E.
struct GuardedUpgrade: ServerChildChannel {
    let upgrade: HTTP2UpgradeChannel
    let limits: ConnectionGuard.Limits

    func setup(
        channel: any Channel,
        logger: Logger
    ) -> EventLoopFuture<HTTP2UpgradeChannel.Value> {
        let limits = limits
        return upgrade.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(ConnectionGuard(limits), position: .after(tls))
            return value
        }
    }

    func handle(value: HTTP2UpgradeChannel.Value, logger: Logger) async {
        await upgrade.handle(value: value, logger: logger)
    }
}

/// Closes a connection that outlives one of its deadlines.
///
///     handshaking ──handshakeCompleted──▶ open ──quiesce──▶ ending ──deadline──▶ closed
///          └──────────deadline, quiesce──────────────────────────────────────────▲
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    /// How long the phases may take.
    struct Limits: Sendable {
        /// From accept to the end of the TLS handshake.
        var handshake: TimeAmount
        /// From the order to stop to the close; requests under way are answered until then.
        var ending: TimeAmount
    }

    private let limits: Limits
    private var isHandshaking = true
    private var deadline: Scheduled<Void>?

    init(_ limits: Limits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) { close(context, in: limits.handshake) }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            guard !isHandshaking else { return context.close(promise: nil) }
            close(context, in: limits.ending)
        } else if let event = event as? TLSUserEvent, case .handshakeCompleted = event {
            isHandshaking = false
            deadline?.cancel()
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        let channel = context.channel
        deadline?.cancel()
        deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
