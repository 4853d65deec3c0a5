import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Ends connections that somebody only holds: in the TLS handshake, with a request that never
/// becomes whole, with an answer that is not read, or behind a refusal whose body still comes.
///
/// Sits between TLS and HTTP and counts bytes, not requests: what a peer sends counts as asking
/// until something is answered. All of it works without knowing who is at the other end.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limits: BackendLimits
    private var task: Scheduled<Void>?
    private let openedAt = NIODeadline.now()
    /// When the last bytes came or went; nil before the first request.
    private var activeAt: NIODeadline?
    /// When the first bytes came that nothing was answered to.
    private var askedAt: NIODeadline?
    /// Since when the peer leaves unread what was written; answers come in pieces, and each one
    /// that it takes begins the time anew.
    private var blockedAt: NIODeadline?
    /// When the connection ends in any case.
    private var endsAt: NIODeadline?

    /// Seconds for which the rest of a refused body is still taken, so that its sender can read why.
    private static let lingerSeconds: Int64 = 2

    init(limits: BackendLimits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) { schedule(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        task?.cancel()
        task = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        task?.cancel()
        task = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.now()
        activeAt = now
        if askedAt == nil { askedAt = now }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        activeAt = .now()
        askedAt = nil
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            blockedAt = nil
        } else if blockedAt == nil {
            blockedAt = .now()
            schedule(context)
        }
        context.fireChannelWritabilityChanged()
    }

    /// Ends the connection behind the answer that comes next; on its event loop.
    func leave(_ context: ChannelHandlerContext) {
        endsAt = endsAt ?? .now() + .seconds(Self.lingerSeconds)
        schedule(context)
    }

    /// When the connection ends unless something happens before.
    private var deadline: NIODeadline {
        var deadlines: [NIODeadline] = []
        if let endsAt { deadlines.append(endsAt) }
        if let blockedAt { deadlines.append(blockedAt + .seconds(limits.answers.seconds)) }
        if let askedAt {
            let whole =
                limits.requests.headSeconds + limits.requests.bodySeconds + 2
                * limits.hub.patienceSeconds
                + limits.connections.silentSeconds
            deadlines.append(askedAt + .seconds(whole))
        } else if let activeAt {
            // Who reads an answer is silent meanwhile, and has the time for that.
            guard blockedAt == nil else { return deadlines.min() ?? .now() }
            deadlines.append(activeAt + .seconds(limits.connections.silentSeconds))
        } else {
            deadlines.append(openedAt + .seconds(limits.connections.handshakeSeconds))
        }
        return deadlines.min() ?? .now()
    }

    private func schedule(_ context: ChannelHandlerContext) {
        task?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        task = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            guard handler.deadline <= .now() else { return handler.schedule(context) }
            context.close(promise: nil)
        }
    }
}

/// HTTP/1.1 behind TLS, with a guard between them.
struct GuardedChannel: HTTPChannelHandler {
    private let base: HTTP1Channel
    private let certificate: BackendCertificate
    private let limits: BackendLimits

    init(_ base: HTTP1Channel, certificate: BackendCertificate, limits: BackendLimits) {
        self.base = base
        self.certificate = certificate
        self.limits = limits
    }

    var responder: Responder { base.responder }

    func setup(
        channel: any Channel,
        logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture { [certificate, limits] in
            try channel.syncOptions?.setOption(
                .socketOption(.so_sndbuf),
                value: SocketOptionValue(limits.answers.sendBufferBytes)
            )
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            try pipeline.addHandler(ConnectionGuard(limits: limits))
        }.flatMap { [base] in
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension Channel {
    /// Ends the connection behind the answer that comes next.
    func leaveBehindAnswer() {
        eventLoop.execute { [self] in
            let pipeline = pipeline.syncOperations
            guard let context = try? pipeline.context(handlerType: ConnectionGuard.self),
                let connection = context.handler as? ConnectionGuard
            else { return }
            connection.leave(context)
        }
    }
}
