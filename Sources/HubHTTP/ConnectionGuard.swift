package import NIOCore
import NIOTLS

/// Ends HTTP connections that a peer only holds: in the TLS handshake, with a request that never
/// becomes whole, with an answer that it does not read, or when the server wants to stop.
///
/// Sits between TLS and HTTP. The HTTP/2 channel closes only when its peer confirms a PING, so one
/// silent peer could hold up the end of the process. Source: rules E.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let times: ConnectionTimes
    private let places: ConnectionPlaces?
    /// Nil outside of a pipeline.
    private var clock: ConnectionClock?
    private var task: Scheduled<Void>?
    /// When `task` runs.
    private var wakesAt = NIODeadline.distantFuture
    /// Bytes that were written and that the kernel has not taken, and as many as `places` knows of.
    private var unread = 0
    private var told = 0
    /// Whether the server wants to stop.
    private var isQuiescing = false

    /// A guard that gives a connection these times, and one of these places.
    init(_ times: ConnectionTimes, places: ConnectionPlaces? = nil) {
        self.times = times
        self.places = places
    }

    func handlerAdded(context: ChannelHandlerContext) {
        clock = ConnectionClock(times, openedAt: context.eventLoop.now)
        places?.enter(context.channel, at: context.eventLoop.now)
        wake(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cancel()
        places?.leave(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        places?.leave(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        note(context) { $0.heard(at: $1) }
        context.fireChannelRead(data)
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        note(context) { $0.answered(at: $1) }
        let bytes = unwrapOutboundIn(data)
        guard let places else { return context.write(data, promise: promise) }
        if !ControlFrame.isAlone(in: bytes) {
            places.progressed(context.channel, at: context.eventLoop.now)
        }
        let count = bytes.readableBytes
        let taken = promise ?? context.eventLoop.makePromise(of: Void.self)
        unread += count
        taken.futureResult.assumeIsolated().whenComplete { [self] _ in
            unread -= count
            // While a flush goes on, most is taken at once, and only what is left is told.
            if told > 0 { tellUnread(context) }
        }
        context.write(data, promise: taken)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if unread != told { tellUnread(context) }
    }

    private func tellUnread(_ context: ChannelHandlerContext) {
        told = unread
        places?.setUnread(context.channel, unread, at: context.eventLoop.now)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isBlocked = !context.channel.isWritable
        note(context) { $0.setBlocked(isBlocked, at: $1) }
        places?.setBlocked(context.channel, isBlocked, at: context.eventLoop.now)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isQuiescing = true
            note(context) { $0.quiesce(at: $1) }
        } else if let event = event as? TLSUserEvent, case .handshakeCompleted = event {
            note(context) { $0.secured(at: $1) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// HTTP/2 ends a connection that is to stop with its last stream, before that stream's last frame
    /// is written; so the end waits until the loop's next turn.
    func close(
        context: ChannelHandlerContext,
        mode: CloseMode,
        promise: EventLoopPromise<Void>?
    ) {
        guard isQuiescing, mode == .all else { return context.close(mode: mode, promise: promise) }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.close(mode: mode, promise: promise) }
    }

    /// Ends the connection after the answer that comes next.
    fileprivate func leave(_ context: ChannelHandlerContext) {
        note(context) { $0.leave(at: $1) }
    }

    /// Tells an HTTP/1.1 client that its body is wanted.
    ///
    /// The answer to the request itself comes later on the same loop.
    fileprivate func sendContinue(_ context: ChannelHandlerContext) {
        let line = context.channel.allocator.buffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(line), promise: nil)
    }

    private func note(
        _ context: ChannelHandlerContext,
        _ change: (inout ConnectionClock, NIODeadline) -> Void
    ) {
        guard var clock else { return }
        change(&clock, context.eventLoop.now)
        self.clock = clock
        // A deadline that has moved away is seen when the old one comes.
        if clock.deadline < wakesAt { wake(context) }
    }

    private func wake(_ context: ChannelHandlerContext) {
        task?.cancel()
        guard let deadline = clock?.deadline else { return }
        guard deadline > context.eventLoop.now else {
            cancel()
            return context.close(promise: nil)
        }
        wakesAt = deadline
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        task = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            handler.wake(context)
        }
    }

    private func cancel() {
        task?.cancel()
        task = nil
        clock = nil
    }
}

extension Channel {
    /// Ends the connection of a request after its answer.
    package func leaveAfterAnswer() {
        eventLoop.execute { [self] in withGuard { $0.leave($1) } }
    }

    /// Tells the client of an HTTP/1.1 request that its body is wanted.
    ///
    /// Clients of HTTP/2 do not wait for it, and the pipelines of their requests have no guard.
    package func sendContinue() async throws {
        try await eventLoop.submit { [self] in withGuard { $0.sendContinue($1) } }.get()
    }

    private func withGuard(_ body: (ConnectionGuard, ChannelHandlerContext) -> Void) {
        guard
            // Fails where the pipeline has no guard, and then there is nothing to do.
            let context = try? pipeline.syncOperations.context(handlerType: ConnectionGuard.self),
            let connection = context.handler as? ConnectionGuard
        else { return }
        body(connection, context)
    }
}
